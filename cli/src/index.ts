/** The command `tijolo`, for programs and tests that run it in their own process. */

export { runCommandLine } from "./cli.ts";
export type { CommandContext } from "./command-context.ts";
export { commands } from "./commands.ts";
export { selectFiles } from "./archive/select-files.ts";
export { makeArchive } from "./archive/make-archive.ts";
