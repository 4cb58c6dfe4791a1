/** Reads, as root, files in a directory that belongs to another user. */

import { constants } from "node:fs";
import { readFile } from "node:fs/promises";

/** Returns the text of the file. Rejects for a link, by which its owner would have root read another file. */
export function readOwn(path: string): Promise<string> {
  return readFile(path, { encoding: "utf8", flag: constants.O_RDONLY | constants.O_NOFOLLOW });
}
