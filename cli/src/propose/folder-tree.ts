import { open } from "node:fs/promises";
import type { ProjectTree } from "@tijolo/protocol";
import type { SelectedFile } from "../archive/select-files.ts";

/** Bytes of a file that are read; manifests and main files are smaller. */
const readBytes = 256 * 1024;

/** Returns the tree of the files that an upload would contain. */
export function folderTree(files: readonly SelectedFile[]): ProjectTree {
  const paths = new Map(files.map(({ name, path }) => [name, path]));
  return {
    files: [...paths.keys()],
    read: async (name) => {
      const path = paths.get(name);
      return path === undefined ? null : await readStart(path).catch(() => null);
    },
  };
}

async function readStart(path: string): Promise<string> {
  await using handle = await open(path, "r");
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(readBytes), 0, readBytes, 0);
  return buffer.toString("utf8", 0, bytesRead);
}
