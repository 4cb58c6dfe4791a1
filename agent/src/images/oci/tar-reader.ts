/**
 * Reads tar archives (ustar, pax, GNU long names) as a stream, with bounds on everything that is held in
 * memory. The npm packages for this hold extended headers of any size in memory and decode names, which loses
 * bytes that are not UTF-8.
 */

import { ByteReader } from "./byte-reader.ts";
import { OciError } from "./oci-error.ts";
import { paddingOf, tarBlockBytes, type TarEntry } from "./tar-entry.ts";

export interface TarVisitor {
  /** Handles an entry; called before its content. */
  entry(entry: TarEntry): AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Handles a piece of the content of the latest entry. */
  content(piece: Buffer): AsyncIterable<Buffer> | Iterable<Buffer>;
  /** Handles the end of the content, after its last piece; not called for empty files. */
  contentEnd(): AsyncIterable<Buffer> | Iterable<Buffer>;
}

/**
 * Most bytes of extended headers: room for an attribute of 64 KiB, the largest that Linux stores, in both
 * spellings that bsdtar writes (one of them in base64).
 */
const maxPaxBytes = 256 * 1024;
/** Longest name of GNU's long names; Linux takes 4,096 bytes. */
const maxLongNameBytes = 8 * 1024;
/** Most records before one entry; honest archives have about ten and one for each attribute. */
const maxPaxRecords = 1000;
/** Extended headers before one entry. */
const maxExtendedHeaders = 16;

/**
 * Yields what the visitor yields. Throws {@link OciError} where the archive is malformed. The source is
 * always read to its end.
 */
export async function* readTar(source: AsyncIterable<Buffer>, visitor: TarVisitor): AsyncGenerator<Buffer> {
  const reader = new ByteReader(source);
  for (;;) {
    const entry = await nextEntry(reader);
    if (entry === null) break;
    yield* visitor.entry(entry);
    if (entry.size === 0) continue;
    for (let missing = entry.size; missing > 0;) {
      const piece = await reader.upTo(missing);
      if (piece === null) throw malformed("it ends in the middle of a file");
      yield* visitor.content(piece);
      missing -= piece.length;
    }
    yield* visitor.contentEnd();
    await reader.skip(paddingOf(entry.size));
  }
  await reader.drain();
}

const kinds: Record<string, TarEntry["kind"]> = {
  "\0": "file",
  "0": "file",
  "1": "hardlink",
  "2": "symlink",
  "3": "device",
  "4": "device",
  "5": "directory",
  "6": "fifo",
  "7": "file",
};

async function nextEntry(reader: ByteReader): Promise<TarEntry | null> {
  const extended = new Map<string, string>();
  let records = 0;
  for (let headers = 0; ; headers++) {
    const block = await reader.take(tarBlockBytes);
    if (block === null || block.every((byte) => byte === 0)) {
      if (extended.size > 0) throw malformed("it ends after an extended header");
      return null;
    }
    checkSum(block);
    const type = block.toString("latin1", 156, 157);
    if (!"xgLK".includes(type)) return entryOf(block, type, extended);
    if (headers === maxExtendedHeaders) throw malformed("an entry has too many extended headers");
    const size = numberAt(block, 124, 12);
    if (size > ("LK".includes(type) ? maxLongNameBytes : maxPaxBytes))
      throw malformed("an extended header is too large");
    const body = (await reader.take(size)) ?? Buffer.alloc(0);
    await reader.skip(paddingOf(size));
    if (type === "x") {
      for (const [key, value] of paxRecords(body)) {
        if (++records > maxPaxRecords) throw malformed("an entry has too many extended records");
        extended.set(key, value);
      }
    }
    // A global header ("g") speaks of the archive's origin; what it says of files is not used by other
    // readers of layers either.
    if (type === "L") extended.set("path", upToNul(body));
    if (type === "K") extended.set("linkpath", upToNul(body));
  }
}

function entryOf(block: Buffer, type: string, extended: ReadonlyMap<string, string>): TarEntry {
  const known = kinds[type];
  if (known === undefined || [...extended.keys()].some((key) => key.startsWith("GNU.sparse."))) {
    throw new OciError(
      "unsupported",
      `a layer has an entry of the type ${JSON.stringify(type)} (sparse, or of one tool only)`,
    );
  }
  const name = extended.get("path") ?? ustarName(block);
  const linkName = extended.get("linkpath") ?? upToNul(block.subarray(157, 257));
  if (name.includes("\0") || linkName.includes("\0")) throw malformed("a name holds a zero byte");
  const kind = known === "file" && name.endsWith("/") ? "directory" : known;
  const number = (key: string, offset: number, length: number) => {
    const text = extended.get(key);
    return text === undefined ? numberAt(block, offset, length) : decimal(text);
  };
  return {
    kind,
    name,
    linkName: kind === "symlink" || kind === "hardlink" ? linkName : "",
    mode: numberAt(block, 100, 8) & 0o7777,
    uid: number("uid", 108, 8),
    gid: number("gid", 116, 8),
    mtime: mtimeOf(block, extended.get("mtime")),
    size: kind === "file" ? number("size", 124, 12) : 0,
  };
}

function ustarName(block: Buffer): string {
  const name = upToNul(block.subarray(0, 100));
  const isPosix = block.toString("latin1", 257, 263) === "ustar\0";
  const prefix = isPosix ? upToNul(block.subarray(345, 500)) : "";
  return prefix === "" ? name : `${prefix}/${name}`;
}

function mtimeOf(block: Buffer, extended: string | undefined): string {
  if (extended !== undefined && /^\d{1,11}(\.\d{1,9})?\d*$/.test(extended)) return extended;
  const isNegative = (block[136] ?? 0) === 0xff;
  return isNegative ? "0" : String(numberAt(block, 136, 12));
}

/** Parses records `<length> <key>=<value>\n`, where the length is that of the whole record. */
function* paxRecords(body: Buffer): Generator<[key: string, value: string]> {
  for (let at = 0; at < body.length;) {
    const space = body.indexOf(" ", at);
    const digits = body.toString("latin1", at, space === -1 ? body.length : space);
    // A length of 0, or none, would read the same record for ever.
    if (space === -1 || !/^[1-9]\d{0,6}$/.test(digits)) throw malformed("a pax header is damaged");
    const end = at + Number(digits);
    const record = body.toString("latin1", space + 1, end);
    const equals = record.indexOf("=");
    if (end > body.length || equals <= 0 || !record.endsWith("\n"))
      throw malformed("a pax header is damaged");
    yield [record.slice(0, equals), record.slice(equals + 1, -1)];
    at = end;
  }
}

/** Parses octal digits, or a number in base 256 where the first bit is set. */
function numberAt(block: Buffer, offset: number, length: number): number {
  const field = block.subarray(offset, offset + length);
  const [first = 0] = field;
  if ((first & 0x80) === 0) {
    const text = upToNul(field).trim();
    if (!/^[0-7]*$/.test(text)) throw malformed("a number is damaged");
    return text === "" ? 0 : Number.parseInt(text, 8);
  }
  let value = first & 0x7f;
  for (const byte of field.subarray(1)) value = value * 256 + byte;
  if ((first & 0x40) !== 0 || !Number.isSafeInteger(value))
    throw malformed("a number is too large or negative");
  return value;
}

function decimal(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw malformed("a number is damaged");
  return Number(text);
}

/**
 * Checks the sum of all bytes with the sum's own field as spaces; also accepts the sum of signed bytes that
 * old programs wrote. Throws for any other.
 */
function checkSum(block: Buffer): void {
  let unsigned = 8 * 0x20;
  let signed = unsigned;
  block.forEach((byte, position) => {
    if (position >= 148 && position < 156) return;
    unsigned += byte;
    signed += byte < 128 ? byte : byte - 256;
  });
  const stated = numberAt(block, 148, 8);
  if (stated !== unsigned && stated !== signed) throw malformed("a header has a wrong checksum");
}

function upToNul(field: Buffer): string {
  const end = field.indexOf(0);
  return field.toString("latin1", 0, end === -1 ? field.length : end);
}

function malformed(why: string): OciError {
  return new OciError("mismatch", `a layer is no readable tar archive: ${why}`);
}
