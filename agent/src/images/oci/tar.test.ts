/** Archives of GNU tar in all its formats are read; what is written here, GNU tar reads; damaged archives end in an error of ours. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { LayerRewriter } from "./layer-rewriter.ts";
import { OciError } from "./oci-error.ts";
import type { TarEntry } from "./tar-entry.ts";
import { readTar } from "./tar-reader.ts";

const long = `${"directory-with-a-long-name/".repeat(6)}file`;

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "tijolo-tar-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, long, ".."), { recursive: true });
  writeFileSync(join(folder, long), "long");
  writeFileSync(join(folder, "ação"), "x".repeat(1300));
  writeFileSync(join(folder, "empty"), "");
  symlinkSync(`../${long}`, join(folder, "link"));
  utimesSync(join(folder, "empty"), 1_500_000_000.25, 1_500_000_000.25);
  return folder;
}

function pack(folder: string, format: string): Buffer {
  // The old format has no room for the target of the link.
  const left = format === "ustar" ? ["--exclude=./link"] : [];
  return execFileSync("tar", [
    "--create",
    ...left,
    `--format=${format}`,
    "--owner=:1234",
    "--group=:2345",
    "--sort=name",
    "-C",
    folder,
    ".",
  ]);
}

async function* inChunks(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(bytes: Buffer, chunkSize: number): Promise<{ entries: TarEntry[]; content: string }> {
  const entries: TarEntry[] = [];
  let content = "";
  const visitor = {
    entry: (entry: TarEntry) => (entries.push(entry), []),
    content: (piece: Buffer) => ((content += piece.toString("latin1")), []),
    contentEnd: () => [],
  };
  for await (const _ of readTar(inChunks(bytes, chunkSize), visitor));
  return { entries, content };
}

async function rewrite(bytes: Buffer): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of new LayerRewriter({ maxEntries: 1000 }).rewrite(inChunks(bytes, 700))) pieces.push(piece);
  return Buffer.concat(pieces);
}

test("archives of all formats are read, in chunks of any size", async (context) => {
  const folder = makeFolder(context);
  for (const format of ["gnu", "pax", "ustar"]) {
    const archive = pack(folder, format);
    for (const chunkSize of [13, 511, 4096, archive.length]) {
      const { entries, content } = await read(archive, chunkSize);
      const file = entries.find(({ name }) => name === `./${long}`);
      assert.ok(file !== undefined, `${format} by ${chunkSize}`);
      assert.deepEqual([file.kind, file.size, file.uid, file.gid], ["file", 4, 1234, 2345]);
      assert.ok(entries.some(({ name }) => Buffer.from(name, "latin1").toString() === "./ação"));
      const link = entries.find(({ kind }) => kind === "symlink");
      assert.equal(link?.linkName, format === "ustar" ? undefined : `../${long}`);
      assert.equal(content.length, 1304);
      if (format === "pax") assert.match(entries.find(({ name }) => name === "./empty")?.mtime ?? "", /^1500000000\.25/);
    }
  }
});

test("GNU tar reads a rewritten archive as it reads the original", async (context) => {
  const archive = pack(makeFolder(context), "pax");
  const list = (input: Buffer) =>
    execFileSync("tar", ["--list", "--verbose", "--numeric-owner", "--full-time", "--file=-"], { input, encoding: "utf8" })
      .split("\n")
      .map((line) => line.replace(" ./", " ").replace(/\/$/, ""))
      .filter((line) => line !== "" && !/^drwx.* $/.test(line))
      .sort();
  assert.deepEqual(list(await rewrite(archive)), list(archive));
});

test("an archive with changed bytes is read, or refused with an error of ours", async (context) => {
  const archive = pack(makeFolder(context), "pax");
  let refused = 0;
  for (let round = 0; round < 400; round++) {
    const damaged = Buffer.from(archive);
    // A fixed sequence, so that a failure can be seen again.
    const at = (round * 7919) % damaged.length;
    damaged.writeUInt8((damaged.readUInt8(at) + 1 + (round % 255)) & 0xff, at);
    const cut = round % 3 === 0 ? damaged.subarray(0, (round * 104_729) % damaged.length) : damaged;
    await rewrite(cut).catch((error: unknown) => {
      refused++;
      assert.ok(error instanceof OciError, `round ${round}: ${String(error)}`);
    });
  }
  assert.ok(refused > 20, `${refused} were refused`);
});

test("an extended header that would fill the memory is refused before it is read", async () => {
  const header = Buffer.alloc(512);
  header.write("x".repeat(10), 0);
  header.write("77777777777", 124);
  header.write("        ", 148);
  header.write("x", 156);
  header.write(
    header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0"),
    148,
  );
  header.writeUInt8(0, 154);
  await assert.rejects(read(header, 512), { kind: "mismatch", message: /extended header is too large/ });
});
