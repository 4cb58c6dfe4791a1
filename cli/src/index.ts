/** Exports the command `tijolo` for programs and tests that run it in their own process. */

export { runCommandLine } from "./cli.ts";
export type { CommandContext } from "./command-context.ts";
export { commands } from "./commands.ts";
export { Configuration } from "./configuration.ts";
export { createContext } from "./create-context.ts";
export type { MessageLanguage } from "./messages.ts";
export { Output } from "./show/output.ts";
export { selectFiles } from "./archive/select-files.ts";
export { makeArchive } from "./archive/make-archive.ts";
