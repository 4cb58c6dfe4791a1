/** Says which files differ between two archives. Pure. */

import type { ZipEntry } from "./zip-directory.ts";

export interface ArchiveDifference {
  added: ZipEntry[];
  changed: ZipEntry[];
  removed: ZipEntry[];
}

/** Files are the same by length and CRC-32: it tells changes made by accident, not forgeries. */
export function compareArchives(before: readonly ZipEntry[], after: readonly ZipEntry[]): ArchiveDifference {
  const old = new Map(before.map((entry) => [entry.name, entry]));
  const names = new Set(after.map(({ name }) => name));
  const isSame = (entry: ZipEntry) => {
    const known = old.get(entry.name);
    return known?.bytes === entry.bytes && known.crc === entry.crc;
  };
  return {
    added: after.filter(({ name }) => !old.has(name)),
    changed: after.filter((entry) => old.has(entry.name) && !isSame(entry)),
    removed: before.filter(({ name }) => !names.has(name)),
  };
}
