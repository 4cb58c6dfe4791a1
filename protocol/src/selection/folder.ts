/** Defines how the selection of an upload reads a folder, on a disk or in a browser. */

export type EntryKind = "file" | "folder" | "link" | "other";

/** A folder as the selection reads it. Paths are relative to it, with `/`; the empty path is itself. */
export interface Folder<File> {
  list(path: string): Promise<readonly { name: string; kind: EntryKind }[]>;
  /** Returns the text of an ignore file; empty when there is none. */
  readText(path: string): Promise<string>;
  /** Returns the kind of an entry; null when there is none. `followed`: a link is what it leads to. */
  kindOf(path: string, links: "followed" | "shown"): Promise<EntryKind | null>;
  /** Returns what is sent of a file or a link; null for a link that cannot be part of an upload. */
  fileAt(path: string): Promise<File | null>;
}
