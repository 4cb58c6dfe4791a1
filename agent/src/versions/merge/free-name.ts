/** Finds a name in a directory that nothing has yet. */

import type { Stats } from "node:fs";
import type { FileHandle } from "node:fs/promises";
import { findEntry, type EntryName } from "./held-directory.ts";

/** Largest number of entries that are kept under one name. */
const maxTries = 100;
/** Bytes of a name that stay, so that what is added to it fits into the 255 that a file system allows. */
const stemBytes = 230;

/** Returns the first name whose entry the caller accepts: the given one, or that one with a number added. */
export async function freeName(
  directory: FileHandle,
  name: EntryName,
  isFine: (taken: Stats | null) => boolean,
): Promise<EntryName> {
  for (let number = 0; number < maxTries; number++) {
    const tried = number === 0 ? name : numbered(name, number);
    if (isFine(await findEntry(directory, tried))) return tried;
  }
  throw new Error("too many files are kept under one name");
}

function numbered(name: EntryName, number: number): Buffer {
  return Buffer.concat([Buffer.from(name).subarray(0, stemBytes), Buffer.from(`.tijolo-${number}`)]);
}
