/**
 * Archives of GNU tar in all its formats are read; what is written here, GNU tar reads; damaged archives end
 * in an error of ours.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { LayerRewriter } from "./layer-rewriter.ts";
import { OciError } from "./oci-error.ts";
import { paddingOf, type TarEntry } from "./tar-entry.ts";
import { readTar } from "./tar-reader.ts";
import { tarEnd } from "./tar-writer.ts";

const long = `${"directory-with-a-long-name/".repeat(6)}file`;

function makeFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "tijolo-tar-"));
  context.after(() => rmSync(folder, { recursive: true, force: true }));
  mkdirSync(join(folder, long, ".."), { recursive: true });
  writeFileSync(join(folder, long), "long");
  writeFileSync(join(folder, "ação"), "x".repeat(1300));
  writeFileSync(join(folder, "empty"), "");
  symlinkSync(`../${long}`, join(folder, "link"));
  return folder;
}

function pack(folder: string, format: string): Buffer {
  // The old format has no room for the target of the link.
  const left = format === "ustar" ? ["--exclude=./link"] : [];
  // Without what differs from run to run, so that damage at a place is the same damage.
  const pax = format === "pax" ? ["--pax-option=exthdr.name=%d/PaxHeaders/%f,delete=atime,delete=ctime"] : [];
  return execFileSync("tar", [
    "--create",
    ...left,
    ...pax,
    "--mtime=@1500000000.25",
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
  for await (const piece of new LayerRewriter({ maxEntries: 1000 }).rewrite(inChunks(bytes, 700)))
    pieces.push(piece);
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
      if (format === "pax")
        assert.match(entries.find(({ name }) => name === "./empty")?.mtime ?? "", /^1500000000\.25/);
    }
  }
});

test("GNU tar reads a rewritten archive as it reads the original", async (context) => {
  const archive = pack(makeFolder(context), "pax");
  const list = (input: Buffer) =>
    execFileSync("tar", ["--list", "--verbose", "--numeric-owner", "--full-time", "--file=-"], {
      input,
      encoding: "utf8",
    })
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

test("a pax header with any byte changed is read, or refused with an error of ours", async () => {
  const records = "30 mtime=1500000000.250000000\n14 path=a/b/c\n";
  for (let at = 0; at < records.length; at++) {
    for (const byte of ["", " ", "=", "\n", "\0", "0", "1", "9", "a"]) {
      const damaged = records.slice(0, at) + byte + records.slice(at + 1);
      await read(withPaxHeader(damaged), 512).catch((error: unknown) => {
        assert.ok(error instanceof OciError, `${JSON.stringify(damaged)}: ${String(error)}`);
      });
    }
  }
});

test("a pax header with a record that has no end, or the length 0, is refused and not read for ever", async () => {
  for (const rest of ["x", "path=a\n", "0 path=a\n", "00", "-1 path=a\n", "9"]) {
    await assert.rejects(
      read(withPaxHeader(`14 path=a/b/c\n${rest}`), 512),
      { kind: "mismatch", message: /pax header is damaged/ },
      rest,
    );
  }
});

test("an extended header that would fill the memory is refused before it is read", async () => {
  for (const [type, size] of [
    ["x", 0o77777777777],
    ["x", 256 * 1024 + 1],
    ["g", 256 * 1024 + 1],
    ["L", 8 * 1024 + 1],
    ["K", 8 * 1024 + 1],
  ] as const) {
    const header = headerBlock(type, size);
    await assert.rejects(
      read(header, 512),
      { kind: "mismatch", message: /extended header is too large/ },
      `${type} ${size}`,
    );
  }
});

test("an attribute as large as Linux keeps is read, in both spellings that bsdtar writes", async () => {
  const value = Buffer.alloc(64 * 1024, 1);
  const records = [
    ["SCHILY.xattr.user.large", value.toString("latin1")],
    ["LIBARCHIVE.xattr.user.large", value.toString("base64")],
    ["path", "a/b/c"],
  ] as const;
  const { entries } = await read(
    withPaxHeader(records.map(([key, content]) => paxRecord(key, content)).join("")),
    4096,
  );
  assert.equal(entries[0]?.name, "a/b/c");
});

test("more than a thousand pax records of one entry are refused, in one header or in several", async () => {
  const some = (count: number) => paxHeader("6 a=b\n".repeat(count));
  const file = headerBlock("0", 0);
  const { entries } = await read(
    Buffer.concat([some(500), some(500), file, some(500), some(500), file, tarEnd]),
    4096,
  );
  assert.equal(entries.length, 2);
  for (const headers of [[some(1001)], [some(500), some(501)]]) {
    await assert.rejects(read(Buffer.concat([...headers, file, tarEnd]), 4096), {
      kind: "mismatch",
      message: /too many extended records/,
    });
  }
});

test("a name may lead 128 directories deep and no deeper, of an entry and of what a hard link is another name of", async () => {
  const deep = (count: number) => Array.from({ length: count }, () => "d").join("/");
  const { entries } = await read(await rewrite(withPaxHeader(paxRecord("path", `./${deep(128)}`))), 4096);
  assert.equal(entries.length, 128, "with the directories that it lies in");
  const link = Buffer.concat([paxHeader(paxRecord("linkpath", deep(129))), headerBlock("1", 0), tarEnd]);
  for (const archive of [withPaxHeader(paxRecord("path", deep(129))), link]) {
    await assert.rejects(rewrite(archive), { kind: "unsafe", message: /is nested too deeply/ });
  }
});

test("directories that names imply are made once, before what lies in them, and not again for a whiteout", async () => {
  const names = ["a/b/c/one", "a/b/c/two", "a/b/three", "a/x/.wh.gone", "a/b/c/.wh..wh..opq"];
  const files = names.flatMap((name) => [paxHeader(paxRecord("path", name)), headerBlock("0", 0)]);
  const { entries } = await read(await rewrite(Buffer.concat([...files, tarEnd])), 4096);
  assert.deepEqual(
    entries.map(({ name }) => name.replace(/\/$/, "")),
    ["a", "a/b", "a/b/c", "a/b/c/one", "a/b/c/two", "a/b/three", "a/x", "a/x/gone", "a/b/c"],
  );
});

test("a layer whose names would fill the memory is refused", async () => {
  const part = "d".repeat(250);
  const name = (number: number) => `${number}/${Array.from({ length: 13 }, () => part).join("/")}/f`;
  const many = async function* () {
    for (let number = 0; ; number++)
      yield Buffer.concat([paxHeader(paxRecord("path", name(number))), headerBlock("0", 0)]);
  };
  await assert.rejects(
    Array.fromAsync(new LayerRewriter({ maxEntries: 1_000_000 }).rewrite(many()), () => null),
    {
      kind: "unsafe",
      message: /the names of a layer are more than/,
    },
  );
});

/** Makes an archive of an empty file with this extended header. */
function withPaxHeader(records: string): Buffer {
  return Buffer.concat([paxHeader(records), headerBlock("0", 0), tarEnd]);
}

function paxHeader(records: string): Buffer {
  const body = Buffer.from(records, "latin1");
  return Buffer.concat([headerBlock("x", body.length), body, Buffer.alloc(paddingOf(body.length))]);
}

/** The length of a record counts its own digits. */
function paxRecord(key: string, value: string): string {
  const rest = ` ${key}=${value}\n`;
  let length = rest.length;
  while (length !== rest.length + String(length).length) length = rest.length + String(length).length;
  return `${length}${rest}`;
}

function headerBlock(type: string, size: number): Buffer {
  const header = Buffer.alloc(512);
  header.write("name", 0);
  header.write(size.toString(8).padStart(11, "0"), 124);
  header.write("        ", 148);
  header.write(type, 156);
  const sum = header.reduce((total, byte) => total + byte, 0);
  header.write(`${sum.toString(8).padStart(6, "0")}\0`, 148);
  return header;
}
