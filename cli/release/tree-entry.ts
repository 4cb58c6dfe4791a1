/** Defines the entries of a release's tree, from which its archive is packed. */

export type TreeEntry = {
  /** Path in the tree, with slashes. */
  path: string;
} & (
  | { kind: "file"; source: { file: string } | { bytes: Uint8Array }; isExecutable: boolean }
  | { kind: "link"; target: string }
);

/** Returns the entry of a file with this text. */
export function textEntry(path: string, text: string, isExecutable = false): TreeEntry {
  return { kind: "file", path, source: { bytes: Buffer.from(text) }, isExecutable };
}

/** Returns the entry of a file that is packed as it is. */
export function fileEntry(path: string, file: string, isExecutable = false): TreeEntry {
  return { kind: "file", path, source: { file }, isExecutable };
}
