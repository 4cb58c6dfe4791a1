/**
 * Makes archives that must be refused, each with the refusal and with proof that what it attacks with is in
 * its bytes.
 */

import { crc32, deflateRawSync } from "node:zlib";
import { extraField, numbers, rawEntry, rawZip, type RawArchive, type RawEntry } from "./raw-zip.ts";

export interface HostileArchive {
  name: string;
  bytes: Buffer;
  code: "invalid_zip" | "unsafe_zip";
  reason?: "path" | "link" | "special_file" | "size" | "file_count" | "compression_ratio";
  /** True if the attack is in the bytes. */
  proof: (bytes: Buffer) => boolean;
}

/**
 * The limits under which the archives of {@link hostileArchives} are refused as they say; small, so that the
 * bombs are too.
 */
export const hostileLimits = {
  maxFileCount: 1000,
  maxExtractedBytes: 64 * 1024 * 1024,
  maxFileBytes: 48 * 1024 * 1024,
};

export function hostileArchives(): HostileArchive[] {
  return [...names(), ...kinds(), ...lies(), ...ends(), ...bombs()];
}

const honest: RawEntry = { name: "svc.json", content: '{"language":"node","entry":"index.js"}' };

function names(): HostileArchive[] {
  const bad: [string, string | Uint8Array][] = [
    ["a name that climbs out", "../x"],
    ["a name that climbs out from inside", "a/../../x"],
    ["a name that climbs and stays inside", "a/../x"],
    ["a name that ends in two dots", "a/.."],
    ["an absolute name", "/etc/cron.d/x"],
    ["an absolute name with two slashes", "//host/share"],
    ["a drive", "C:\\x"],
    ["a drive with a slash", "C:/x"],
    ["a climbing name with backslashes", "..\\x"],
    ["a climbing name with backslashes from inside", "a\\..\\..\\x"],
    ["an absolute name with a backslash", "\\x"],
    ["a share of another computer", "\\\\server\\x"],
    ["a NUL", "index.js\0.png"],
    ["a newline", "a\nb"],
    ["an escape sequence", "a\u001b[31m"],
    ["a C1 control character", "a\u009bb"],
    ["an empty component", "a//b"],
    ["a dot component", "./a"],
    ["an empty name", ""],
    ["only a slash", "/"],
    ["a component of 256 bytes", "a".repeat(256)],
    ["a component of 128 characters that are 256 bytes", "é".repeat(128)],
    ["a path of more than 4096 bytes", `${"a".repeat(200)}/`.repeat(21) + "x"],
    ["a path of 1900 components", "a/".repeat(1900)],
    ["invalid UTF-8", Buffer.from([0x61, 0xff, 0xfe, 0x62])],
    ["an overlong encoding of a slash", Buffer.from([0x2e, 0x2e, 0xc0, 0xaf, 0x78])],
    ["a lone surrogate", Buffer.from([0xed, 0xa0, 0x80])],
  ];
  const single = bad.map(([name, raw]) =>
    unsafe("path", name, [honest, { name: raw, content: "owned" }], (bytes) =>
      bytes.includes(Buffer.from(raw)),
    ),
  );
  const pairs: [string, string, string][] = [
    ["the same name twice", "a.js", "a.js"],
    ["names that differ in case", "README.md", "readme.md"],
    ["names that differ in composition", "caf\u00e9", "cafe\u0301"],
    ["directories that differ in case", "Src/a", "src/b"],
    ["a file used as a directory", "a", "a/b"],
    ["a directory used as a file", "a/b", "a"],
    ["a directory listed as both", "a/", "a"],
    ["the same name with a backslash and a slash", "a\\b", "a/b"],
  ];
  const both = (first: string, second: string) => (bytes: Buffer) =>
    bytes.indexOf(second, bytes.indexOf(first) + 1) > bytes.indexOf(first) && bytes.includes(first);
  return [
    ...single,
    ...pairs.map(([name, first, second]) =>
      unsafe("path", name, [honest, { name: first }, { name: second }], both(first, second)),
    ),
  ];
}

function kinds(): HostileArchive[] {
  const mode = (bits: number) => (bytes: Buffer) => bytes.includes(numbers([4, (bits << 16) >>> 0]));
  const kind = (reason: "link" | "special_file", name: string, bits: number) =>
    unsafe(reason, name, [honest, { name: "x", content: "/etc/passwd", mode: bits }], mode(bits));
  const hardLink = extraField(0x000d, Buffer.concat([Buffer.alloc(12), Buffer.from("/etc/shadow")]));
  const asiLink = extraField(
    0x756e,
    Buffer.concat([numbers([4, 0], [2, 0o120777], [4, 11], [4, 0]), Buffer.from("/etc/shadow")]),
  );
  return [
    kind("link", "a symbolic link", 0o120777),
    unsafe(
      "link",
      "a symbolic link that says it comes from DOS",
      [honest, { name: "x", content: "/etc", mode: 0o120777, central: { madeBy: 0x0014 } }],
      mode(0o120777),
    ),
    unsafe(
      "link",
      "a link to a directory with a file through it",
      [
        { name: "d", content: "/etc", mode: 0o120777 },
        { name: "d/x", content: "owned" },
      ],
      mode(0o120777),
    ),
    unsafe(
      "link",
      "a hard link in an extra field",
      [honest, { name: "x", central: { extra: hardLink } }],
      (bytes) => bytes.includes(hardLink),
    ),
    unsafe(
      "link",
      "a link in another extra field",
      [honest, { name: "x", central: { extra: asiLink } }],
      (bytes) => bytes.includes(asiLink),
    ),
    kind("special_file", "a character device", 0o020666),
    kind("special_file", "a block device", 0o060666),
    kind("special_file", "a pipe", 0o010666),
    kind("special_file", "a socket", 0o140777),
    kind("special_file", "a kind that does not exist", 0o170777),
  ];
}

function lies(): HostileArchive[] {
  const text = "content of the file ".repeat(20);
  const lie = (name: string, entry: Partial<RawEntry>, proof?: (bytes: Buffer) => boolean) =>
    invalid(
      name,
      [honest, { name: "file.txt", content: text, ...entry }],
      proof ?? ((bytes) => !bytes.equals(rawZip([honest, { name: "file.txt", content: text }]))),
    );
  return [
    lie("a local header with another name", { local: { name: "../../x1" } }, (bytes) =>
      bytes.includes("../../x1"),
    ),
    lie("a local header with a name of another length", { local: { name: "/etc/passwd" } }, (bytes) =>
      bytes.includes("/etc/passwd"),
    ),
    lie("a local header with another method", { local: { method: 0 } }),
    lie("a local header with another size", { local: { uncompressedSize: 5 } }),
    lie("a local header with another compressed size", { local: { compressedSize: 5 } }),
    lie("a local header with another checksum", { local: { crc32: 1 } }),
    lie("a local header with other flags", { local: { flags: 0x808 } }),
    lie("no local header where the directory points", { central: { offset: 3 } }),
    lie("a wrong checksum", { local: { crc32: 1 }, central: { crc32: 1 } }),
    lie("a declared size that is too small", {
      local: { uncompressedSize: 5 },
      central: { uncompressedSize: 5 },
    }),
    lie("a declared size that is too large", {
      local: { uncompressedSize: 4000 },
      central: { uncompressedSize: 4000 },
    }),
    lie("content that is no deflate stream", { data: Buffer.alloc(40, 0xff) }),
    lie("a deflate stream that is cut", { data: deflateRawSync(text).subarray(0, 10) }),
    lie(
      "bytes after the deflate stream",
      { data: Buffer.concat([deflateRawSync(text), Buffer.from("hidden")]) },
      (bytes) => bytes.includes("hidden"),
    ),
    lie("an encrypted entry", { flags: 0x801 }),
    lie("a strongly encrypted entry", { flags: 0x841 }),
    lie("an encrypted entry that its local header denies", { central: { flags: 0x801 } }),
    lie("an unknown compression method", { method: 12 }),
    lie("an entry on another disk that lies outside the file", { central: { offset: 0x7fffffff } }),
    lie("a directory with content", { name: "file/" }, (bytes) => bytes.includes("file/")),
    lie("a directory that has no slash", { mode: 0o40755 }),
    invalid(
      "a zip64 size past the end of the file",
      [
        honest,
        {
          name: "x",
          content: "y",
          isZip64: true,
          central: { extra: extraField(1, numbers([8, 1], [8, 2 ** 52], [8, 0])) },
        },
      ],
      (bytes) => bytes.includes(numbers([8, 2 ** 52])),
    ),
    invalid(
      "an extra field that is longer than its room",
      [honest, { name: "x", central: { extra: Buffer.from([1, 0, 0xff, 0xff]) } }],
      (bytes) => bytes.includes(Buffer.from([1, 0, 0xff, 0xff])),
    ),
  ];
}

function ends(): HostileArchive[] {
  const good = rawZip([honest]);
  const end = (name: string, archive: Omit<RawArchive, "entries">) =>
    invalid(name, { entries: [honest], ...archive }, (bytes) => !bytes.equals(good));
  return [
    {
      name: "text",
      bytes: Buffer.from("This is not an archive.\n".repeat(10)),
      code: "invalid_zip",
      proof: (bytes) => !bytes.includes("PK"),
    },
    {
      name: "an empty file",
      bytes: Buffer.alloc(0),
      code: "invalid_zip",
      proof: (bytes) => bytes.length === 0,
    },
    {
      name: "the first half of an archive",
      bytes: good.subarray(0, good.length / 2),
      code: "invalid_zip",
      proof: (bytes) => bytes.length < good.length,
    },
    invalid("an archive of nothing", [], (bytes) => bytes.length === 22),
    invalid("an archive of directories only", [{ name: "a/" }, { name: "a/b/" }], (bytes) =>
      bytes.includes("a/b/"),
    ),
    invalid(
      "an archive of noise only",
      [
        { name: "__MACOSX/._a", content: "x" },
        { name: ".DS_Store", content: "x" },
      ],
      (bytes) => bytes.includes("__MACOSX/._a"),
    ),
    end("another disk", { end: { disk: 1 } }),
    end("a directory on another disk", { end: { directoryDisk: 1 } }),
    end("entries on another disk", { end: { entriesHere: 0 } }),
    end("fewer entries declared than there are", { end: { entries: 0, entriesHere: 0 } }),
    end("more entries declared than there are", { end: { entries: 2, entriesHere: 2 } }),
    end("a directory of another size", { end: { size: 10 } }),
    end("a directory at another place", { end: { offset: 0 } }),
    end("another zip64 count", { isZip64: true, end: { entriesHere: 2 } }),
    end("a zip64 archive of two disks", { isZip64: true, end: { directoryDisk: 1 } }),
    end("a zip64 directory past 2^53", { isZip64: true, end: { offset: 2 ** 60 } }),
    end("bytes before the first entry", { prefix: Buffer.from("#!/bin/sh\n") }),
    end("bytes before the first entry that offsets do not count", {
      prefix: Buffer.from("#!/bin/sh\n"),
      isPrefixHidden: true,
    }),
    end("bytes between the entries and the directory", { gap: Buffer.from("hidden") }),
    end("bytes after the end", { suffix: Buffer.from("hidden") }),
    invalid(
      "bytes between two entries",
      [{ ...honest, descriptor: Buffer.from("hidden") }, { name: "a" }],
      (bytes) => bytes.includes("hidden"),
    ),
  ];
}

function bombs(): HostileArchive[] {
  const zeros = Buffer.alloc(40 * 1024 * 1024);
  const compressed = deflateRawSync(zeros, { level: 9 });
  const declared = (sizeBytes: number) => ({ uncompressedSize: sizeBytes, crc32: crc32(zeros) });
  const many = Array.from({ length: 1001 }, (_, index) => ({ name: `f${index}` }));
  return [
    unsafe(
      "compression_ratio",
      "a file that grows a thousandfold",
      [honest, { name: "zeros", content: zeros, data: compressed }],
      (bytes) => bytes.length < zeros.length / 900,
    ),
    unsafe(
      "compression_ratio",
      "many small files that grow a thousandfold together",
      Array.from({ length: 40 }, (_, index) => ({ name: `z${index}`, content: zeros.subarray(0, 1 << 20) })),
      (bytes) => bytes.length < 80_000,
    ),
    unsafe(
      "size",
      "a file that is too large",
      [honest, { name: "x", method: 8, data: compressed, central: { uncompressedSize: 49 * 1024 * 1024 } }],
      (bytes) => bytes.includes(numbers([4, 49 * 1024 * 1024])),
    ),
    unsafe(
      "size",
      "a file of 2^52 bytes",
      [
        honest,
        {
          name: "x",
          method: 8,
          isZip64: true,
          central: { extra: extraField(1, numbers([8, 2 ** 52], [8, 0], [8, 0])) },
        },
      ],
      (bytes) => bytes.includes(numbers([8, 2 ** 52])),
    ),
    unsafe(
      "size",
      "files that are too large together",
      [0, 1].map((index) => ({
        name: `f${index}`,
        central: { uncompressedSize: 40 << 20, compressedSize: 39 << 20, method: 8 },
      })),
      (bytes) => bytes.includes(numbers([4, 40 << 20])),
    ),
    invalid(
      "a bomb that declares a small size",
      [
        honest,
        { name: "x", content: zeros, data: compressed, local: declared(1000), central: declared(1000) },
      ],
      (bytes) => bytes.length < zeros.length / 900 && bytes.includes(numbers([4, 1000])),
    ),
    unsafe("file_count", "more files than allowed", many, (bytes) => bytes.includes("f1000")),
    unsafe(
      "file_count",
      "more directories than allowed, in few names",
      Array.from({ length: 11 }, (_, index) => ({ name: `${index}/`.repeat(100) })),
      (bytes) => bytes.includes("10/10/10/"),
    ),
    millionEntries(),
    quotedOverlap(),
    sharedData(),
  ];
}

/** Declares a million entries, without content behind the count, so reading on fails in another way. */
function millionEntries(): HostileArchive {
  return unsafe(
    "file_count",
    "a million entries by its end record",
    { entries: [honest], isZip64: true, end: { entries: 1_000_000, entriesHere: 1_000_000 } },
    (bytes) => bytes.includes(numbers([8, 1_000_000], [8, 1_000_000])),
  );
}

/**
 * Makes David Fifield's better zip bomb: each file's data is the next file's local header, quoted in a stored
 * block, and what follows it, down to one kernel.
 */
function quotedOverlap(): HostileArchive {
  const kernelContent = Buffer.alloc(1 << 20);
  const count = 12;
  let tail: Buffer = deflateRawSync(kernelContent);
  let content: Buffer = kernelContent;
  const directory: RawEntry[] = [];
  const fromEnd: number[] = [];
  let file: Buffer = Buffer.alloc(0);
  for (let index = count - 1; index >= 0; index -= 1) {
    const name = `f${index}`;
    if (file.length > 0) {
      const quote = numbers([2, file.length - tail.length], [2, ~(file.length - tail.length) & 0xffff]);
      content = Buffer.concat([file.subarray(0, file.length - tail.length), content]);
      tail = Buffer.concat([Buffer.from([0]), quote, file]);
    }
    file = rawEntry({ name, content, data: tail }, 0).local;
    directory.unshift({ name, content, data: tail, isOnlyInDirectory: true });
    fromEnd.unshift(file.length);
  }
  const entries = directory.map((entry, index) => ({
    ...entry,
    central: { offset: file.length - (fromEnd[index] ?? 0) },
  }));
  return invalid(
    "overlapping entries that quote each other",
    { entries, gap: file },
    (bytes) => bytes.length < 20_000 && content.length > 1 << 20,
  );
}

function sharedData(): HostileArchive {
  const entries = Array.from({ length: 20 }, (_, index): RawEntry => ({
    name: `f${index}`,
    content: "same",
    isOnlyInDirectory: index > 0,
    central: { offset: 0 },
  }));
  return invalid(
    "entries that share one local header",
    entries,
    (bytes) =>
      bytes.includes("f19") && bytes.indexOf("PK\u0003\u0004") === bytes.lastIndexOf("PK\u0003\u0004"),
  );
}

function unsafe(
  reason: NonNullable<HostileArchive["reason"]>,
  name: string,
  archive: readonly RawEntry[] | RawArchive,
  proof: (bytes: Buffer) => boolean,
): HostileArchive {
  return { name, bytes: rawZip(archive), code: "unsafe_zip", reason, proof };
}

function invalid(
  name: string,
  archive: readonly RawEntry[] | RawArchive,
  proof: (bytes: Buffer) => boolean,
): HostileArchive {
  return { name, bytes: rawZip(archive), code: "invalid_zip", proof };
}
