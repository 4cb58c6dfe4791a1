/**
 * Writes .zip files byte by byte, with any false value in any field: libraries normalise names and refuse
 * what these tests are about.
 */

import { crc32, deflateRawSync } from "node:zlib";

/** Fields of a header. Unset ones are true to the content. */
export interface RawHeader {
  version: number;
  flags: number;
  method: number;
  time: number;
  date: number;
  crc32: number;
  compressedSize: number;
  uncompressedSize: number;
  name: string | Uint8Array;
  extra: Uint8Array;
}

export interface RawCentralHeader extends RawHeader {
  /** Upper byte: the system, 3 is Unix. */
  madeBy: number;
  disk: number;
  internalAttributes: number;
  externalAttributes: number;
  offset: number;
  comment: Uint8Array;
}

export interface RawEntry {
  name: string | Uint8Array;
  content?: string | Uint8Array;
  /** 0 stored, 8 deflated (the default); others only change the header. */
  method?: number;
  /** Unix mode, with its kind; default 0o100644, and 0o40755 for a name that ends in a slash. */
  mode?: number;
  flags?: number;
  /** The bytes that stand where the (compressed) content is expected. */
  data?: Uint8Array;
  /** Writes these bytes after the data, or with `true` a proper data descriptor, flag included. */
  descriptor?: true | Uint8Array;
  /** Puts sizes and offset into zip64 extra fields. */
  isZip64?: boolean;
  local?: Partial<RawHeader>;
  central?: Partial<RawCentralHeader>;
  /** True for an entry without local header and data: only the directory has it. */
  isOnlyInDirectory?: boolean;
}

export interface RawEnd {
  disk: number;
  directoryDisk: number;
  entriesHere: number;
  entries: number;
  size: number;
  offset: number;
  commentLength: number;
}

export interface RawArchive {
  entries: readonly RawEntry[];
  /** Bytes before the first entry; offsets count them unless `isPrefixHidden`. */
  prefix?: Uint8Array;
  isPrefixHidden?: boolean;
  /** Bytes between the last entry and the directory. */
  gap?: Uint8Array;
  comment?: string | Uint8Array;
  suffix?: Uint8Array;
  end?: Partial<RawEnd>;
  /** Adds the zip64 end record and locator; `end` then changes the zip64 record, the plain one is masked. */
  isZip64?: boolean;
}

/** Returns one archive as its bytes. */
export function rawZip(archive: readonly RawEntry[] | RawArchive): Buffer {
  const whole: RawArchive = "length" in archive ? { entries: archive } : archive;
  const { entries, prefix, isPrefixHidden, gap, comment = "", suffix, end = {}, isZip64 = false } = whole;
  const parts: Uint8Array[] = prefix === undefined ? [] : [prefix];
  let offset = isPrefixHidden === true ? 0 : (prefix?.length ?? 0);
  const central: Buffer[] = [];
  for (const entry of entries) {
    const { local, directory } = rawEntry(entry, offset);
    central.push(directory);
    if (entry.isOnlyInDirectory === true) continue;
    parts.push(local);
    offset += local.length;
  }
  if (gap !== undefined) parts.push(gap);
  const directory = Buffer.concat(central);
  const truth: RawEnd = {
    disk: 0,
    directoryDisk: 0,
    entriesHere: entries.length,
    entries: entries.length,
    size: directory.length,
    offset: offset + (gap?.length ?? 0),
    commentLength: Buffer.from(comment).length,
  };
  parts.push(directory, rawEnd(truth, end, isZip64, truth.offset + directory.length), Buffer.from(comment));
  if (suffix !== undefined) parts.push(suffix);
  return Buffer.concat(parts);
}

/** Returns a local header with its data, and the record that belongs into the directory. */
export function rawEntry(entry: RawEntry, offset: number): { local: Buffer; directory: Buffer } {
  const name = Buffer.from(entry.name);
  const content = Buffer.from(entry.content ?? "");
  const method = entry.method ?? (content.length === 0 ? 0 : 8);
  const data = Buffer.from(entry.data ?? (method === 8 ? deflateRawSync(content) : content));
  const isDirectory = name.at(-1) === 0x2f;
  const mode = entry.mode ?? (isDirectory ? 0o40755 : 0o100644);
  const hasDescriptor = entry.descriptor !== undefined;
  const truth: RawHeader = {
    version: entry.isZip64 === true ? 45 : 20,
    flags: entry.flags ?? 0x800 | (hasDescriptor ? 8 : 0),
    method,
    time: 0,
    date: 0x21,
    crc32: crc32(content),
    compressedSize: data.length,
    uncompressedSize: content.length,
    name,
    extra: Buffer.alloc(0),
  };
  const masked = { compressedSize: 0xffffffff, uncompressedSize: 0xffffffff };
  const sizes = (atOffset: number | null) =>
    zip64Extra([truth.uncompressedSize, truth.compressedSize, ...(atOffset === null ? [] : [atOffset])]);
  const local: RawHeader = {
    ...truth,
    ...(hasDescriptor ? { crc32: 0, compressedSize: 0, uncompressedSize: 0 } : {}),
    ...(entry.isZip64 === true ? { ...masked, extra: sizes(null) } : {}),
    ...entry.local,
  };
  const central: RawCentralHeader = {
    ...truth,
    madeBy: 0x031e,
    disk: 0,
    internalAttributes: 0,
    externalAttributes: ((mode << 16) | (isDirectory ? 0x10 : 0)) >>> 0,
    offset,
    comment: Buffer.alloc(0),
    ...(entry.isZip64 === true ? { ...masked, offset: 0xffffffff, extra: sizes(offset) } : {}),
    ...entry.central,
  };
  const descriptor =
    entry.descriptor === true
      ? numbers([4, 0x08074b50], [4, truth.crc32], [4, data.length], [4, content.length])
      : (entry.descriptor ?? Buffer.alloc(0));
  return { local: Buffer.concat([localHeader(local), data, descriptor]), directory: centralHeader(central) };
}

/** Returns an extra field: its id, its length, its data. */
export function extraField(id: number, data: Uint8Array): Buffer {
  return Buffer.concat([numbers([2, id], [2, data.length]), data]);
}

/** Returns little-endian numbers, each with its width in bytes. */
export function numbers(...fields: readonly [bytes: 2 | 4 | 8, value: number][]): Buffer {
  return Buffer.concat(
    fields.map(([bytes, value]) => {
      const buffer = Buffer.alloc(bytes);
      if (bytes === 8) buffer.writeBigUInt64LE(BigInt(value));
      else buffer.writeUIntLE(value, 0, bytes);
      return buffer;
    }),
  );
}

function localHeader(header: RawHeader): Buffer {
  const name = Buffer.from(header.name);
  return Buffer.concat([
    numbers([4, 0x04034b50]),
    commonFields(header),
    numbers([2, name.length], [2, header.extra.length]),
    name,
    header.extra,
  ]);
}

function centralHeader(header: RawCentralHeader): Buffer {
  const name = Buffer.from(header.name);
  const { extra, comment } = header;
  return Buffer.concat([
    numbers([4, 0x02014b50], [2, header.madeBy]),
    commonFields(header),
    numbers(
      [2, name.length],
      [2, extra.length],
      [2, comment.length],
      [2, header.disk],
      [2, header.internalAttributes],
    ),
    numbers([4, header.externalAttributes], [4, header.offset]),
    name,
    extra,
    comment,
  ]);
}

function commonFields(header: RawHeader): Buffer {
  return numbers(
    [2, header.version],
    [2, header.flags],
    [2, header.method],
    [2, header.time],
    [2, header.date],
    [4, header.crc32],
    [4, header.compressedSize],
    [4, header.uncompressedSize],
  );
}

function zip64Extra(values: readonly number[]): Buffer {
  return extraField(1, numbers(...values.map((value): [8, number] => [8, value])));
}

function rawEnd(truth: RawEnd, lies: Partial<RawEnd>, isZip64: boolean, directoryEnd: number): Buffer {
  const end = { ...truth, ...lies };
  if (!isZip64) return plainEnd(end);
  const record = numbers(
    [4, 0x06064b50],
    [8, 44],
    [2, 0x031e],
    [2, 45],
    [4, end.disk],
    [4, end.directoryDisk],
  );
  const counts = numbers([8, end.entriesHere], [8, end.entries], [8, end.size], [8, end.offset]);
  const locator = numbers([4, 0x07064b50], [4, 0], [8, directoryEnd], [4, 1]);
  const masked = {
    ...end,
    disk: 0,
    directoryDisk: 0,
    entriesHere: 0xffff,
    entries: 0xffff,
    size: 0xffffffff,
    offset: 0xffffffff,
  };
  return Buffer.concat([record, counts, locator, plainEnd(masked)]);
}

function plainEnd(end: RawEnd): Buffer {
  return numbers(
    [4, 0x06054b50],
    [2, end.disk],
    [2, end.directoryDisk],
    [2, end.entriesHere],
    [2, end.entries],
    [4, end.size],
    [4, end.offset],
    [2, end.commentLength],
  );
}
