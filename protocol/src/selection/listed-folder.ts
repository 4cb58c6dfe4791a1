/** Makes a folder of a list of files, as a browser has them after a drop or from a .zip. */

import type { EntryKind, Folder } from "./folder.ts";

/** A file of the list; `name` is its path in the folder, with `/`. */
export interface ListedFile {
  name: string;
  text(): Promise<string>;
}

/** Returns the folder that holds these files; it has no links. */
export function listedFolder<File extends ListedFile>(files: Iterable<File>): Folder<File> {
  const byName = new Map<string, File>();
  const entries = new Map<string, Map<string, EntryKind>>([["", new Map()]]);
  for (const file of files) {
    byName.set(file.name, file);
    const parts = file.name.split("/");
    for (const [index, part] of parts.entries()) {
      const folder = parts.slice(0, index).join("/");
      const names = entries.get(folder) ?? new Map<string, EntryKind>();
      names.set(part, index === parts.length - 1 ? "file" : "folder");
      entries.set(folder, names);
    }
  }
  return {
    list: async (path) => [...(entries.get(path) ?? [])].map(([name, kind]) => ({ name, kind })),
    readText: async (path) => (await byName.get(path)?.text()) ?? "",
    kindOf: async (path) => (byName.has(path) ? "file" : entries.has(path) ? "folder" : null),
    fileAt: async (path) => byName.get(path) ?? null,
  };
}
