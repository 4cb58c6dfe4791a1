/**
 * Defines the rules for uploaded archives, as pure functions: central refuses by them and the agent, trusting
 * nobody, applies them again.
 */

import { ArchiveError, faultOf, printableName } from "./archive-error.ts";
import type { Words } from "../values/words.ts";
import { archiveDetails, archiveTexts } from "../texts/archive.ts";

export interface ArchiveLimits {
  /**
   * Most files and directories together, also the directories that names only imply: what extraction would
   * create.
   */
  maxFileCount: number;
  /** Most bytes of all files together, extracted. */
  maxExtractedBytes: number;
  /** Most bytes of one file, extracted. */
  maxFileBytes: number;
}

/**
 * Greatest ratio of extracted to compressed size, for each file and for the whole. Up to {@link
 * ratioFreeBytes} nothing is checked (a small file of zeros reaches 1000 : 1 and harms nobody); beyond it
 * source code stays under 10 : 1 and logs or databases under 50 : 1.
 */
export const maxCompressionRatio = 100;
export const ratioFreeBytes = 16 * 1024 * 1024;

/**
 * Most bytes of a path; the rest is for the directory that it is extracted into: the kernel allows 4096 bytes
 * for both.
 */
export const maxArchivePathBytes = 3840;
export const maxArchiveComponentBytes = 255;
/**
 * Most components of one name. Each costs time and memory for two bytes of the archive; the deepest trees of
 * packages have about twenty.
 */
export const maxArchiveComponents = 100;

/** Returns the limits for a project that may use `diskMb` of disk. */
export function archiveLimits(diskMb: number): ArchiveLimits {
  const maxExtractedBytes = Math.min(diskMb * 1024 * 1024, 8 * 1024 ** 3);
  return {
    maxFileCount: 50_000,
    maxExtractedBytes,
    maxFileBytes: Math.min(maxExtractedBytes, 2 * 1024 ** 3),
  };
}

/**
 * Refuses a number of entries or directories; also for the count an archive declares, before any entry is
 * read.
 */
export function checkFileCount(count: number, limits: ArchiveLimits): void {
  const most = limits.maxFileCount;
  if (count <= most) return;
  throw new ArchiveError("file_count", archiveDetails.manyFiles(most));
}

/** Throws when the ratio is too high. `what` names the file, or the archive, that has this ratio. */
export function checkCompressionRatio(
  extractedBytes: number,
  compressedBytes: number,
  what: () => Words,
): void {
  if (extractedBytes <= ratioFreeBytes || extractedBytes <= compressedBytes * maxCompressionRatio) return;
  const textIn = (language: "pt" | "en") =>
    archiveTexts[language].archiveDetails.largeRatio(
      what()[language],
      maxCompressionRatio,
      compressedBytes,
      extractedBytes,
    );
  throw new ArchiveError("compression_ratio", { pt: textIn("pt"), en: textIn("en") });
}

/** A name of the archive, its components checked. */
export interface ArchivePath {
  components: readonly string[];
  /** True when the name ends in a slash, or a backslash. */
  isDirectory: boolean;
}

/**
 * Reads the raw bytes of a name; a backslash separates as a slash does: older tools of Windows (PowerShell
 * 5.1) write it. Refuses (`path`) whatever does not plainly name a place below the folder it is extracted
 * into on every system: absolute names, drives, `.` and `..`, empty, overlong and too many components,
 * control characters, bytes that are not UTF-8. `isDosName` (made under DOS or Windows, not marked as UTF-8)
 * lets such bytes be code page 850, in which the Explorer of Windows writes `ação`.
 */
export function readArchivePath(raw: Uint8Array, isDosName = false): ArchivePath {
  const name = decodeName(raw, isDosName).replaceAll("\\", "/");
  const refuse = (fault: Parameters<typeof faultOf>[0]) => new ArchiveError("path", faultOf(fault, name));
  if (raw.length > maxArchivePathBytes) throw refuse("longPath");
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) throw refuse("controlCharacter");
  if (name.startsWith("/")) throw refuse("absolutePath");
  if (/^[A-Za-z]:/.test(name)) throw refuse("drive");
  const isDirectory = name.endsWith("/");
  const components = (isDirectory ? name.slice(0, -1) : name).split("/", maxArchiveComponents + 1);
  if (components.length > maxArchiveComponents) throw refuse("deepPath");
  for (const component of components) {
    if (component === "..") throw refuse("climbingPath");
    if (component === "" || component === ".") throw refuse("emptyPart");
    if (
      component.length * 3 > maxArchiveComponentBytes &&
      encoder.encode(component).length > maxArchiveComponentBytes
    ) {
      throw refuse("longName");
    }
  }
  return { components, isDirectory };
}

/**
 * The attributes of an entry; `versionMadeBy`, `externalFileAttributes` and `extraFields` as in the central
 * directory.
 */
export interface ArchiveAttributes {
  externalFileAttributes: number;
  extraFields: readonly { id: number; data: Uint8Array }[];
}

/**
 * Refuses links (`link`) and devices, pipes and sockets (`special_file`), by the Unix mode whatever system
 * the archive says it comes from, and by the two extra fields that can carry a link. Of the mode only the
 * executable bit is ever used: set-uid, set-gid and sticky are dropped, not refused, because a project inside
 * a set-gid folder honestly carries them.
 */
export function readArchiveMode(attributes: ArchiveAttributes, path: ArchivePath): { isExecutable: boolean } {
  const mode = attributes.externalFileAttributes >>> 16;
  checkModeKind(mode, path);
  for (const { id, data } of attributes.extraFields) {
    if (id === unixLinkField && data.length > 12)
      throw new ArchiveError("link", faultOf("link", path.components.join("/")));
    if (id === asiUnixField && data.length >= 6) checkModeKind((data[4] ?? 0) | ((data[5] ?? 0) << 8), path);
  }
  return { isExecutable: !path.isDirectory && (mode & 0o111) !== 0 };
}

/**
 * True for what operating systems leave in archives and no project wants: it is checked like everything else,
 * but neither counted nor extracted.
 */
export function isArchiveNoise(components: readonly string[]): boolean {
  return components[0] === "__MACOSX" || components.at(-1) === ".DS_Store";
}

/**
 * Holds the names of one archive as a tree. Refuses (`path`) names that are equal, that differ only in case
 * or Unicode composition, and files that are also used as directories; refuses (`file_count`) a tree that is
 * too large.
 */
export class ArchiveTree {
  readonly #limits: ArchiveLimits;
  readonly #root: TreeNode = { name: "", children: new Map(), isListed: false };
  #nodes = 0;
  #topFolder: string | null | undefined;

  constructor(limits: ArchiveLimits) {
    this.#limits = limits;
  }

  add(path: ArchivePath): void {
    const { components, isDirectory } = path;
    const placeOf = (depth: number, last: string) => [...components.slice(0, depth), last].join("/");
    let node = this.#root;
    for (const [index, name] of components.entries()) {
      const isLast = index === components.length - 1;
      const isFile = isLast && !isDirectory;
      if (node.children === null)
        throw new ArchiveError("path", faultOf("fileAndFolder", components.slice(0, index).join("/")));
      const key = foldCase(name);
      let child = node.children.get(key);
      if (child === undefined) {
        checkFileCount(++this.#nodes, this.#limits);
        child = { name, children: isFile ? null : new Map(), isListed: false };
        node.children.set(key, child);
      } else if (child.name !== name)
        throw new ArchiveError(
          "path",
          faultOf("sameButForCase", placeOf(index, child.name), placeOf(index, name)),
        );
      else if (isFile && child.children !== null)
        throw new ArchiveError("path", faultOf("fileAndFolder", components.join("/")));
      if (isLast && child.isListed) throw new ArchiveError("path", faultOf("sameName", components.join("/")));
      child.isListed ||= isLast;
      node = child;
    }
    if (node.children === null && !isArchiveNoise(components)) this.#noteTop(components);
  }

  /**
   * The one folder that all files sit in, noise apart; null when there is none. It is left out of the
   * extracted paths.
   */
  get topFolder(): string | null {
    return this.#topFolder ?? null;
  }

  #noteTop(components: readonly string[]): void {
    const top = components.length > 1 ? (components[0] ?? null) : null;
    this.#topFolder = this.#topFolder === undefined || this.#topFolder === top ? top : null;
  }
}

/**
 * Returns the path below the extracted root, or null for what is not extracted: noise, and (empty)
 * directories beside the top folder.
 */
export function extractedPath(components: readonly string[], topFolder: string | null): string | null {
  if (isArchiveNoise(components)) return null;
  if (topFolder === null) return components.join("/");
  return components[0] === topFolder && components.length > 1 ? components.slice(1).join("/") : null;
}

interface TreeNode {
  name: string;
  /** Entries by name; null for a file. */
  children: Map<string, TreeNode> | null;
  /** True when it has an entry of its own; a directory may only be implied by the names below it. */
  isListed: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Id of the extra field of PKWARE Unix: after its 12 fixed bytes comes the target of a link or the numbers of
 * a device.
 */
const unixLinkField = 0x000d;
/** Id of the extra field of ASi Unix: a mode of its own, after a checksum. */
const asiUnixField = 0x756e;

function decodeName(raw: Uint8Array, isDosName: boolean): string {
  try {
    return decoder.decode(raw);
  } catch (cause) {
    if (isDosName)
      return Array.from(raw, (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : (codePage850[byte - 0x80] ?? ""),
      ).join("");
    throw new ArchiveError("path", faultOf("notUtf8", String.fromCharCode(...raw.subarray(0, 200))), cause);
  }
}

/** Upper half of code page 850, from 0x80. */
const codePage850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

function checkModeKind(mode: number, path: ArchivePath): void {
  const kind = mode & 0o170000;
  const name = path.components.join("/");
  if (kind === 0o120000) throw new ArchiveError("link", faultOf("link", name));
  if (kind === 0o040000 && !path.isDirectory)
    throw new ArchiveError(
      "invalid_zip",
      `directory without a slash at the end of its name: ${printableName(name)}`,
    );
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000)
    throw new ArchiveError("special_file", faultOf("specialFile", name));
}

function foldCase(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}
