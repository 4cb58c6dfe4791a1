/** Reads the extracted files of one upload. */

import { createHash } from "node:crypto";
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import type { SourceTree } from "../languages/language-rules.ts";

const readLimitBytes = 1024 * 1024;
/**
 * Most bytes that are hashed: lock files of real projects have up to 10 MB; nothing else of the agent runs
 * while it reads.
 */
const digestLimitBytes = 16 * 1024 * 1024;

/**
 * Opens the tree of a directory that nothing but the agent writes to, and that holds no link
 * (`extract-archive.ts` refuses them).
 */
export function openSourceTree(directory: string): SourceTree {
  const open = <T>(path: string, use: (file: number, size: number) => T): T | undefined => {
    try {
      const file = openSync(
        join(directory, path),
        constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
      );
      try {
        const stats = fstatSync(file);
        return stats.isFile() ? use(file, stats.size) : undefined;
      } finally {
        closeSync(file);
      }
    } catch {
      return undefined;
    }
  };
  return {
    has: (path) => open(path, () => true) === true,
    hasFolder: (path) => isFolder(join(directory, path)),
    read: (path) => open(path, readStart),
    digests: (paths) => {
      const sizes = paths.map((path) => open(path, (_file, size) => size) ?? 0);
      if (sizes.reduce((sum, size) => sum + size, 0) > digestLimitBytes) return undefined;
      return paths.map((path) => open(path, digestOf) ?? null);
    },
  };
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch {
    return false;
  }
}

function readStart(file: number, size: number): string {
  const buffer = Buffer.alloc(Math.min(size, readLimitBytes));
  return buffer.toString("utf8", 0, readSync(file, buffer));
}

function digestOf(file: number): string {
  const hash = createHash("sha256");
  const buffer = Buffer.alloc(readLimitBytes);
  for (let count = readSync(file, buffer); count > 0; count = readSync(file, buffer))
    hash.update(buffer.subarray(0, count));
  return hash.digest("hex");
}
