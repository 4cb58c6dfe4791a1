/** Reads a file that a person named on the command line. */

import { readFile } from "node:fs/promises";
import { CommandFailure } from "./command-failure.ts";
import type { Messages } from "./messages.ts";

/** Returns the text. Throws a sentence that names the file when it cannot be read. */
export function readGivenFile(file: string, messages: Messages): Promise<string> {
  return readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    const { noFile, fileFailed } = messages.errors;
    throw new CommandFailure(cause.code === "ENOENT" ? noFile(file) : fileFailed(file, cause.message));
  });
}
