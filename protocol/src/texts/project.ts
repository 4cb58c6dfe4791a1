/** The texts about a project that its host and central make; the command line does not load them. */

export * from "./owner-message.ts";
export * from "./project-error.ts";
export type * from "./text-language.ts";
