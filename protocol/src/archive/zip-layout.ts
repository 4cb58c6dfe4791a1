/**
 * Checks what the bytes of a .zip must agree on, as pure functions over records that a reader has found:
 * directory, local headers, end, and nothing between them.
 */

import { ArchiveError, printableName } from "./archive-error.ts";
import {
  type ArchiveLimits,
  ArchiveTree,
  checkCompressionRatio,
  checkFileCount,
  readArchiveMode,
  readArchivePath,
} from "./archive.ts";
import { archiveDetails } from "../texts/archive.ts";

/**
 * One record of the central directory, undecoded, with zip64 values already in their places (the shape that
 * yauzl gives).
 */
export interface ZipRecord {
  fileNameRaw: Uint8Array;
  versionMadeBy: number;
  generalPurposeBitFlag: number;
  compressionMethod: number;
  crc32: number;
  compressedSize: number;
  uncompressedSize: number;
  externalFileAttributes: number;
  relativeOffsetOfLocalHeader: number;
  extraFields: readonly { id: number; data: Uint8Array }[];
}

/** An entry whose record keeps all rules; its content is still to be read against `sizeBytes` and `crc32`. */
export interface ArchiveEntry {
  components: readonly string[];
  isDirectory: boolean;
  isExecutable: boolean;
  isDeflated: boolean;
  crc32: number;
  compressedBytes: number;
  sizeBytes: number;
  /** Offset where its local header begins. */
  offset: number;
  flags: number;
  rawName: Uint8Array;
}

/** The entries in the order in which they lie in the file, which is the order to read them in. */
export interface ArchiveListing {
  entries: readonly ArchiveEntry[];
  topFolder: string | null;
}

/**
 * Takes the records of the central directory one by one and refuses at the first that breaks a rule, before
 * any content is read.
 */
export class ArchiveDirectory {
  readonly #limits: ArchiveLimits;
  readonly #tree: ArchiveTree;
  readonly #entries: ArchiveEntry[] = [];
  #extractedBytes = 0;
  #compressedBytes = 0;

  /** `entryCount` is the number that the archive declares. */
  constructor(entryCount: number, limits: ArchiveLimits) {
    checkFileCount(entryCount, limits);
    this.#limits = limits;
    this.#tree = new ArchiveTree(limits);
  }

  add(record: ZipRecord): void {
    const path = readArchivePath(record.fileNameRaw, isDosName(record));
    const name = () => printableName(path.components.join("/"));
    const { isExecutable } = readArchiveMode(record, path);
    this.#tree.add(path);
    if ((record.generalPurposeBitFlag & encryptionFlags) !== 0)
      throw new ArchiveError("invalid_zip", `encrypted: ${name()}`);
    if ((record.generalPurposeBitFlag & patchFlag) !== 0)
      throw new ArchiveError("invalid_zip", `patch data: ${name()}`);
    if (record.compressionMethod !== 0 && record.compressionMethod !== 8) {
      throw new ArchiveError("invalid_zip", `compression method ${record.compressionMethod}: ${name()}`);
    }
    this.#checkSizes(record, path.isDirectory, name);
    this.#entries.push({
      components: path.components,
      isDirectory: path.isDirectory,
      isExecutable,
      isDeflated: record.compressionMethod === 8,
      crc32: record.crc32,
      compressedBytes: record.compressedSize,
      sizeBytes: record.uncompressedSize,
      offset: record.relativeOffsetOfLocalHeader,
      flags: record.generalPurposeBitFlag,
      rawName: record.fileNameRaw,
    });
  }

  /**
   * Finishes the directory. `directoryOffset` is where the central directory begins: every entry must lie
   * before it and none on another.
   */
  finish(directoryOffset: number): ArchiveListing {
    const entries = this.#entries.sort((a, b) => a.offset - b.offset);
    let end = 0;
    for (const entry of entries) {
      if (entry.offset < end)
        throw new ArchiveError(
          "invalid_zip",
          `overlapping entries: ${printableName(entry.components.join("/"))}`,
        );
      end = entry.offset + localHeaderBytes + entry.rawName.length + entry.compressedBytes;
    }
    if (end > directoryOffset)
      throw new ArchiveError("invalid_zip", "an entry reaches into the central directory");
    return { entries, topFolder: this.#tree.topFolder };
  }

  #checkSizes(
    { uncompressedSize, compressedSize }: ZipRecord,
    isDirectory: boolean,
    name: () => string,
  ): void {
    if (isDirectory && uncompressedSize !== 0)
      throw new ArchiveError("invalid_zip", `directory with content: ${name()}`);
    const { maxFileBytes, maxExtractedBytes } = this.#limits;
    if (uncompressedSize > maxFileBytes) {
      throw new ArchiveError("size", archiveDetails.largeFile(name(), uncompressedSize, maxFileBytes));
    }
    this.#extractedBytes += uncompressedSize;
    this.#compressedBytes += compressedSize;
    if (this.#extractedBytes > maxExtractedBytes) {
      throw new ArchiveError("size", archiveDetails.largeContent(maxExtractedBytes));
    }
    checkCompressionRatio(uncompressedSize, compressedSize, () => ({ pt: name(), en: name() }));
    checkCompressionRatio(this.#extractedBytes, this.#compressedBytes, () => archiveDetails.wholeArchive);
  }
}

/** Fixed part of a local header. */
export const localHeaderBytes = 30;

/** Returns the length of the local header that begins at `bytes[0]`; `bytes` must have its fixed part. */
export function localHeaderLength(bytes: Uint8Array, entry: ArchiveEntry): number {
  const view = viewOf(bytes);
  if (bytes.length < localHeaderBytes || view.getUint32(0, true) !== 0x04034b50)
    throw differs(entry, "no local header");
  return localHeaderBytes + view.getUint16(26, true) + view.getUint16(28, true);
}

/**
 * Compares a whole local header with the entry's record in the directory: flags, method, name, sizes and
 * checksum.
 */
export function checkLocalHeader(bytes: Uint8Array, entry: ArchiveEntry): void {
  const view = viewOf(bytes);
  const nameEnd = localHeaderBytes + view.getUint16(26, true);
  if (((view.getUint16(6, true) ^ entry.flags) & ~deflateLevelFlags & 0xffff) !== 0)
    throw differs(entry, "flags");
  if ((view.getUint16(8, true) === 8) !== entry.isDeflated || view.getUint16(8, true) % 8 !== 0)
    throw differs(entry, "method");
  if (!isEqual(bytes.subarray(localHeaderBytes, nameEnd), entry.rawName)) throw differs(entry, "name");
  const crc32 = view.getUint32(14, true);
  const sizes = localSizes(view, nameEnd, entry);
  const isDescribedLater = (entry.flags & descriptorFlag) !== 0;
  const mayBe = (value: number, expected: number) => value === expected || (isDescribedLater && value === 0);
  if (!mayBe(crc32, entry.crc32)) throw differs(entry, "checksum");
  if (!mayBe(sizes.compressed, entry.compressedBytes) || !mayBe(sizes.uncompressed, entry.sizeBytes))
    throw differs(entry, "size");
}

/**
 * Walks the entries in file order and refuses bytes that belong to none: before the first, between two,
 * before the directory. Only the 12 to 24 bytes of a data descriptor may follow an entry that announces one.
 */
export function checkGaps(listing: ArchiveListing, ends: readonly number[], directoryOffset: number): void {
  let end = 0;
  let flags = 0;
  for (const [index, offset] of [
    ...listing.entries.map((entry) => entry.offset),
    directoryOffset,
  ].entries()) {
    const gap = offset - end;
    const isDescriptor = (flags & descriptorFlag) !== 0 && [12, 16, 20, 24].includes(gap);
    if (gap < 0) throw new ArchiveError("invalid_zip", `overlapping entries at ${offset}`);
    if (gap !== 0 && !isDescriptor)
      throw new ArchiveError("invalid_zip", `${gap} bytes before ${offset} belong to no entry`);
    end = ends[index] ?? end;
    flags = listing.entries[index]?.flags ?? 0;
  }
}

/** The longest tail {@link checkZipEnd} accepts: zip64 record and locator, end record, comment. */
export const maxZipEndBytes = 56 + 20 + 22 + 0xffff;

/**
 * Checks that `tail`, all bytes after the central directory, is exactly the end of a one-disk archive with
 * this directory.
 */
export function checkZipEnd(
  tail: Uint8Array,
  directory: { offset: number; end: number; entryCount: number },
): void {
  const view = viewOf(tail);
  const refuse = (why: string) => new ArchiveError("invalid_zip", `end of the archive: ${why}`);
  const isZip64 = tail.length >= 76 && view.getUint32(0, true) === 0x06064b50;
  const endAt = isZip64 ? 76 : 0;
  if (tail.length < endAt + 22 || view.getUint32(endAt, true) !== 0x06054b50)
    throw refuse("the directory is not followed by it");
  if (tail.length !== endAt + 22 + view.getUint16(endAt + 20, true)) throw refuse("other bytes after it");
  const sizeBytes = directory.end - directory.offset;
  const states = (at: number, bytes: 2 | 4, expected: number) => {
    const value = bytes === 2 ? view.getUint16(at, true) : view.getUint32(at, true);
    return value === expected || (isZip64 && value === 2 ** (8 * bytes) - 1);
  };
  if (!states(endAt + 4, 2, 0) || !states(endAt + 6, 2, 0)) throw refuse("more than one disk");
  if (!states(endAt + 8, 2, directory.entryCount) || !states(endAt + 10, 2, directory.entryCount))
    throw refuse("another number of entries");
  if (!states(endAt + 12, 4, sizeBytes) || !states(endAt + 16, 4, directory.offset))
    throw refuse("another directory");
  if (!isZip64) return;
  if (uint64(view, 4) !== 44) throw refuse("zip64 record of another length");
  if (view.getUint32(16, true) !== 0 || view.getUint32(20, true) !== 0) throw refuse("more than one disk");
  if (uint64(view, 24) !== directory.entryCount || uint64(view, 32) !== directory.entryCount)
    throw refuse("another number of entries");
  if (uint64(view, 40) !== sizeBytes || uint64(view, 48) !== directory.offset)
    throw refuse("another directory");
  if (view.getUint32(56, true) !== 0x07064b50 || uint64(view, 64) !== directory.end)
    throw refuse("zip64 locator");
  if (view.getUint32(60, true) !== 0 || view.getUint32(72, true) > 1) throw refuse("more than one disk");
}

/** True for an entry made under FAT, NTFS or VFAT, and not marked as UTF-8. */
function isDosName({ versionMadeBy, generalPurposeBitFlag }: ZipRecord): boolean {
  return [0, 10, 14].includes(versionMadeBy >>> 8) && (generalPurposeBitFlag & utf8Flag) === 0;
}

const utf8Flag = 0x800;
/** Flags for encrypted, strongly encrypted, header values masked. */
const encryptionFlags = 0x2041;
const patchFlag = 0x20;
/** Flag for sizes and checksum that follow the content. */
const descriptorFlag = 0x08;
/** Flags of the writer's compression effort, without a meaning for a reader. */
const deflateLevelFlags = 0x06;

function localSizes(
  view: DataView,
  nameEnd: number,
  entry: ArchiveEntry,
): { compressed: number; uncompressed: number } {
  let compressed = view.getUint32(18, true);
  let uncompressed = view.getUint32(22, true);
  if (compressed !== 0xffffffff && uncompressed !== 0xffffffff) return { compressed, uncompressed };
  for (let at = nameEnd; at + 4 <= view.byteLength; at += 4 + view.getUint16(at + 2, true)) {
    if (view.getUint16(at, true) !== 1) continue;
    const end = Math.min(at + 4 + view.getUint16(at + 2, true), view.byteLength);
    let field = at + 4;
    if (uncompressed === 0xffffffff && field + 8 <= end) {
      uncompressed = uint64(view, field);
      field += 8;
    }
    if (compressed === 0xffffffff && field + 8 <= end) compressed = uint64(view, field);
    return { compressed, uncompressed };
  }
  throw differs(entry, "zip64 sizes");
}

function differs(entry: ArchiveEntry, what: string): ArchiveError {
  return new ArchiveError(
    "invalid_zip",
    `local header unlike the directory (${what}): ${printableName(entry.components.join("/"))}`,
  );
}

function isEqual(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

/** Reads a number. Values past 2^53 lose their last digits and equal no offset or size of a real file. */
function uint64(view: DataView, at: number): number {
  return Number(view.getBigUint64(at, true));
}
