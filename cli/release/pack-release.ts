/**
 * Packs a release's tree so that the same sources give the same bytes: entries in the order of their names,
 * all of user 0, with the time of the commit.
 */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile } from "node:fs/promises";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { pack, type Pack } from "tar-stream";
import { filesList, shapeList } from "../src/install/release-lists.ts";
import { textEntry, type TreeEntry } from "./tree-entry.ts";

export interface PackedRelease {
  bytes: number;
  sha256: string;
}

/** Writes the archive, whose one folder is `folder`. */
export async function packRelease(
  entries: readonly TreeEntry[],
  { folder, file, commitTime }: { folder: string; file: string; commitTime: number },
): Promise<PackedRelease> {
  const shape = textEntry(shapeList, shapeOf(entries));
  const sorted = [...entries, shape].sort((one, other) => (one.path < other.path ? -1 : 1));
  assertUnique(sorted);
  const tar = pack();
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = async function* (source: AsyncIterable<Buffer>) {
    for await (const chunk of source) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  const written = pipeline(Readable.from(tar), createGzip({ level: 6 }), counted, createWriteStream(file));
  await Promise.all([written, addAll(tar, sorted, { folder, mtime: new Date(commitTime * 1000) })]);
  return { bytes, sha256: hash.digest("hex") };
}

async function addAll(
  tar: Pack,
  entries: readonly TreeEntry[],
  { folder, mtime }: { folder: string; mtime: Date },
): Promise<void> {
  const hashes: string[] = [];
  for (const entry of entries) {
    const header = { name: `${folder}/${entry.path}`, mtime, uid: 0, gid: 0 };
    if (entry.kind === "link") {
      await add(tar, { ...header, type: "symlink", linkname: entry.target, mode: 0o777 });
      continue;
    }
    const bytes =
      "file" in entry.source ? await readFile(entry.source.file) : Buffer.from(entry.source.bytes);
    hashes.push(`${createHash("sha256").update(bytes).digest("hex")}  ${entry.path}\n`);
    await add(tar, { ...header, mode: entry.isExecutable ? 0o755 : 0o644 }, bytes);
  }
  const list = Buffer.from(hashes.join(""));
  await add(tar, { name: `${folder}/${filesList}`, mtime, uid: 0, gid: 0, mode: 0o644 }, list);
  tar.finalize();
}

function shapeOf(entries: readonly TreeEntry[]): string {
  const lines = entries.flatMap((entry) => {
    if (entry.kind === "link") return `l ${entry.path} ${entry.target}\n`;
    return entry.isExecutable ? `x ${entry.path}\n` : [];
  });
  return lines.toSorted().join("");
}

/** Adds one entry; resolves once the archive's reader has taken it, which bounds the memory. */
function add(tar: Pack, header: Parameters<Pack["entry"]>[0], bytes?: Buffer): Promise<void> {
  return new Promise((resolve, reject) => {
    const done = (error?: Error | null) => (error == null ? resolve() : reject(error));
    if (bytes === undefined) tar.entry(header, done);
    else tar.entry(header, bytes, done);
  });
}

function assertUnique(sorted: readonly TreeEntry[]): void {
  for (const [index, { path }] of sorted.entries())
    if (sorted[index + 1]?.path === path) throw new Error(`${path} would be packed twice`);
}
