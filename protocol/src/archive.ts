/** The rules that an uploaded archive is held to, as pure functions: central refuses by them and the agent, trusting nobody, applies them again. */

export type UnsafeArchiveReason = "path" | "link" | "special_file" | "size" | "file_count" | "compression_ratio";

/**
 * An archive that is not accepted: `invalid_zip` when it is no readable .zip, `unsafe_zip` (always with a reason) when it
 * breaks a rule, `invalid_config` when its svc.json is too long or no text. `detail` is English and for the log; it names
 * entries with control characters escaped.
 */
export class ArchiveError extends Error {
  override name = "ArchiveError";
  readonly code: "invalid_zip" | "unsafe_zip" | "invalid_config";
  readonly reason: UnsafeArchiveReason | undefined;
  readonly detail: string;

  constructor(refusal: "invalid_zip" | "invalid_config" | UnsafeArchiveReason, detail: string, cause?: unknown) {
    super(`${refusal}: ${detail}`, { cause });
    const isUnsafe = refusal !== "invalid_zip" && refusal !== "invalid_config";
    this.code = isUnsafe ? "unsafe_zip" : refusal;
    this.reason = isUnsafe ? refusal : undefined;
    this.detail = detail;
  }
}

export interface ArchiveLimits {
  /** Files and directories together, also the directories that names only imply: what extraction would create. */
  maxFileCount: number;
  /** All files together, extracted. */
  maxExtractedBytes: number;
  /** One file, extracted. */
  maxFileBytes: number;
}

/**
 * Extracted over compressed, for each file and for the whole. Up to {@link ratioFreeBytes} nothing is asked (a small file of
 * zeros reaches 1000 : 1 and harms nobody); beyond it source code stays under 10 : 1 and logs or databases under 50 : 1.
 */
export const maxCompressionRatio = 100;
export const ratioFreeBytes = 16 * 1024 * 1024;

/** Room is left for the directory that a path of the archive is extracted into: the kernel takes 4096 bytes for both. */
export const maxArchivePathBytes = 3840;
export const maxArchiveComponentBytes = 255;
/** Of one name. Each costs time and memory for two bytes of the archive; the deepest trees of packages have about twenty. */
export const maxArchiveComponents = 100;

/** The limits for a project that may use `diskMb` of disk. */
export function archiveLimits(diskMb: number): ArchiveLimits {
  const maxExtractedBytes = Math.min(diskMb * 1024 * 1024, 8 * 1024 ** 3);
  return { maxFileCount: 50_000, maxExtractedBytes, maxFileBytes: Math.min(maxExtractedBytes, 2 * 1024 ** 3) };
}

/** Refuses a number of entries or directories; also for the count an archive declares, before any entry is read. */
export function checkFileCount(count: number, limits: ArchiveLimits): void {
  if (count > limits.maxFileCount) throw new ArchiveError("file_count", `${count} entries, at most ${limits.maxFileCount} are allowed`);
}

export function checkCompressionRatio(extractedBytes: number, compressedBytes: number, what: () => string): void {
  if (extractedBytes <= ratioFreeBytes || extractedBytes <= compressedBytes * maxCompressionRatio) return;
  throw new ArchiveError("compression_ratio", `${what()} grows from ${compressedBytes} to ${extractedBytes} bytes`);
}

/** A name of the archive, its components checked. */
export interface ArchivePath {
  components: readonly string[];
  /** The name ends in a slash. */
  isDirectory: boolean;
}

/**
 * Reads the raw bytes of a name. Refuses (`path`) whatever does not plainly name a place below the folder it is extracted into
 * on every system: absolute names, drives, backslashes, `.` and `..`, empty, overlong and too many components, control characters, bytes
 * that are not UTF-8. `isDosName` (made under DOS or Windows, not marked as UTF-8) lets such bytes be code page 850, in which the Explorer of
 * Windows writes `ação`.
 */
export function readArchivePath(raw: Uint8Array, isDosName = false): ArchivePath {
  const name = decodeName(raw, isDosName);
  const refuse = (why: string) => new ArchiveError("path", `${why}: ${printable(name)}`);
  if (raw.length > maxArchivePathBytes) throw refuse("name longer than the system allows");
  if (/[\u0000-\u001f\u007f-\u009f]/.test(name)) throw refuse("control character in a name");
  if (name.includes("\\")) throw refuse("backslash in a name");
  if (name.startsWith("/")) throw refuse("absolute name");
  if (/^[A-Za-z]:/.test(name)) throw refuse("name with a drive");
  const isDirectory = name.endsWith("/");
  const components = (isDirectory ? name.slice(0, -1) : name).split("/", maxArchiveComponents + 1);
  if (components.length > maxArchiveComponents) throw refuse("name with too many components");
  for (const component of components) {
    if (component === "" || component === "." || component === "..") throw refuse("name with an empty, . or .. component");
    if (component.length * 3 > maxArchiveComponentBytes && encoder.encode(component).length > maxArchiveComponentBytes) {
      throw refuse("component longer than 255 bytes");
    }
  }
  return { components, isDirectory };
}

/** What an entry's attributes say of it; `versionMadeBy`, `externalFileAttributes` and `extraFields` as in the central directory. */
export interface ArchiveAttributes {
  externalFileAttributes: number;
  extraFields: readonly { id: number; data: Uint8Array }[];
}

/**
 * Refuses links (`link`) and devices, pipes and sockets (`special_file`), by the Unix mode whatever system the archive says it comes from,
 * and by the two extra fields that can carry a link. Of the mode only the executable bit is ever used: set-uid, set-gid and sticky
 * are dropped, not refused, because a project inside a set-gid folder honestly carries them.
 */
export function readArchiveMode(attributes: ArchiveAttributes, path: ArchivePath): { isExecutable: boolean } {
  const mode = attributes.externalFileAttributes >>> 16;
  checkModeKind(mode, path);
  for (const { id, data } of attributes.extraFields) {
    if (id === unixLinkField && data.length > 12)
      throw new ArchiveError("link", `link or device in an extra field: ${printablePath(path)}`);
    if (id === asiUnixField && data.length >= 6) checkModeKind((data[4] ?? 0) | ((data[5] ?? 0) << 8), path);
  }
  return { isExecutable: !path.isDirectory && (mode & 0o111) !== 0 };
}

/** What operating systems leave in archives and no project wants: it is checked like everything else, but neither counted nor extracted. */
export function isArchiveNoise(components: readonly string[]): boolean {
  return components[0] === "__MACOSX" || components.at(-1) === ".DS_Store";
}

/**
 * The names of one archive as the tree they make. Refuses (`path`) names that are equal, that differ only in case or Unicode
 * composition, and files that are also used as directories; refuses (`file_count`) a tree that is too large.
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
    const refuse = (why: string) => new ArchiveError("path", `${why}: ${printablePath(path)}`);
    let node = this.#root;
    for (const [index, name] of components.entries()) {
      const isLast = index === components.length - 1;
      const isFile = isLast && !isDirectory;
      if (node.children === null) throw refuse("file used as a directory");
      const key = foldCase(name);
      let child = node.children.get(key);
      if (child === undefined) {
        checkFileCount(++this.#nodes, this.#limits);
        child = { name, children: isFile ? null : new Map(), isListed: false };
        node.children.set(key, child);
      } else if (child.name !== name) throw refuse("names that differ only in case");
      else if (isFile && child.children !== null) throw refuse("directory used as a file");
      if (isLast && child.isListed) throw refuse("name given twice");
      child.isListed ||= isLast;
      node = child;
    }
    if (node.children === null && !isArchiveNoise(components)) this.#noteTop(components);
  }

  /** The one folder that all files sit in, noise apart; null when there is none. It is left out of the extracted paths. */
  get topFolder(): string | null {
    return this.#topFolder ?? null;
  }

  #noteTop(components: readonly string[]): void {
    const top = components.length > 1 ? (components[0] ?? null) : null;
    this.#topFolder = this.#topFolder === undefined || this.#topFolder === top ? top : null;
  }
}

/** The path below the extracted root, or null for what is not extracted: noise, and (empty) directories beside the top folder. */
export function extractedPath(components: readonly string[], topFolder: string | null): string | null {
  if (isArchiveNoise(components)) return null;
  if (topFolder === null) return components.join("/");
  return components[0] === topFolder && components.length > 1 ? components.slice(1).join("/") : null;
}

interface TreeNode {
  name: string;
  /** Null for a file. */
  children: Map<string, TreeNode> | null;
  /** Has an entry of its own; a directory may only be implied by the names below it. */
  isListed: boolean;
}

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** PKWARE Unix: beyond its 12 fixed bytes comes the target of a link or the numbers of a device. */
const unixLinkField = 0x000d;
/** ASi Unix: a mode of its own, after a checksum. */
const asiUnixField = 0x756e;

function decodeName(raw: Uint8Array, isDosName: boolean): string {
  try {
    return decoder.decode(raw);
  } catch (cause) {
    if (isDosName) return Array.from(raw, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : (codePage850[byte - 0x80] ?? ""))).join("");
    throw new ArchiveError("path", `name that is not UTF-8: ${printable(String.fromCharCode(...raw.subarray(0, 200)))}`, cause);
  }
}

/** The upper half, from 0x80. */
const codePage850 =
  "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

function checkModeKind(mode: number, path: ArchivePath): void {
  const kind = mode & 0o170000;
  if (kind === 0o120000) throw new ArchiveError("link", `symbolic link: ${printablePath(path)}`);
  if (kind === 0o040000 && !path.isDirectory)
    throw new ArchiveError("invalid_zip", `directory without a slash at the end of its name: ${printablePath(path)}`);
  if (kind !== 0 && kind !== 0o100000 && kind !== 0o040000)
    throw new ArchiveError("special_file", `special file (mode ${mode.toString(8)}): ${printablePath(path)}`);
}

function foldCase(name: string): string {
  return name.normalize("NFC").toUpperCase().toLowerCase();
}

function printablePath({ components }: ArchivePath): string {
  return printable(components.join("/"));
}

function printable(name: string): string {
  const text = JSON.stringify(name).replaceAll(
    /[\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g,
    (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
}
