/**
 * Turns the tar archive of an OCI layer into one that may be extracted into a directory of its own, to be a
 * lower layer of overlayfs: whiteouts become what overlayfs takes for them, and nothing is left that writes
 * outside, makes a device or carries attributes.
 *
 * - Owners beyond the 65,536 that a container has become `nobody`, which is what it would see.
 * - Setuid bits stay, as in the layers made from Debian: no_new_privileges makes them void, and others cannot
 *   reach the directory.
 * - Extended attributes go: file capabilities are void in a container without capabilities, and
 *   `trusted.overlay.*` of a stranger would tell overlayfs to show other directories.
 */

import { OciError } from "./oci-error.ts";
import { paddingOf, type TarEntry } from "./tar-entry.ts";
import { readTar } from "./tar-reader.ts";
import { encodeHeader, tarEnd } from "./tar-writer.ts";

/** Facts about a layer beyond its files. */
export interface LayerFacts {
  /**
   * Directories that the archive uses without having them, so that their owners and modes are those of the
   * layers below; bytes as latin1.
   */
  impliedDirectories: string[];
  /**
   * Directories that hide what layers below have in them; "" is the root, where overlayfs cannot be told.
   * Bytes as latin1.
   */
  opaqueDirectories: string[];
  entries: number;
}

const maxPathBytes = 3500;
const maxNameBytes = 255;
/** Most components of a path: each directory of it is checked, and stored where it is only implied. */
const maxComponents = 128;
/** Limit for all names of one layer together, as all are held until its end. */
const maxNamesBytes = 128 * 1024 * 1024;
const maxContainerId = 65_535;
const nobody = 65_534;
const whiteoutPrefix = ".wh.";
const opaqueMark = ".wh..wh..opq";
const opaqueAttribute = { xattrs: { "trusted.overlay.opaque": "y" } };

export class LayerRewriter {
  readonly #maxEntries: number;
  readonly #seen = new Map<string, TarEntry>();
  readonly #implied = new Set<string>();
  readonly #whiteouts = new Set<string>();
  readonly #opaque = new Set<string>();
  #entries = 0;
  #namesBytes = 0;
  /** The entry whose content is being read; null where it is left out. */
  #open: TarEntry | null = null;

  constructor({ maxEntries }: { maxEntries: number }) {
    this.#maxEntries = maxEntries;
  }

  /** Returns the facts of what has been read so far. */
  facts(): LayerFacts {
    return {
      impliedDirectories: [...this.#implied],
      opaqueDirectories: [...this.#opaque],
      entries: this.#entries,
    };
  }

  /**
   * Rewrites the archive. Throws {@link OciError} of kind `unsafe`, `unsupported` or `mismatch`. The source
   * is read to its end.
   */
  async *rewrite(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    yield* readTar(source, {
      entry: (entry) => this.#take(entry),
      content: (piece) => (this.#open === null ? [] : [piece]),
      contentEnd: () => (this.#open === null ? [] : [Buffer.alloc(paddingOf(this.#open.size))]),
    });
    yield* this.#takeWhiteouts();
    yield tarEnd;
  }

  *#take(original: TarEntry): Generator<Buffer> {
    this.#open = null;
    this.#count(original);
    const name = insidePath(original.name);
    const { parent, base } = split(name);
    if (name === "" || base.startsWith(whiteoutPrefix)) {
      if (name !== "") this.#note(parent, base);
      else if (original.kind !== "directory") throw unsafe(original.name, "is the root itself");
      return; // the root of a layer is always root's, 0755
    }
    if (original.kind === "device") {
      // Images of old carry /dev/null and the like; the container's own /dev covers them.
      if (parent === "dev" || parent.startsWith("dev/")) return;
      throw unsafe(name, "is a device");
    }
    yield* this.#makeParents(name);
    this.#refuseReplacement(name, original);
    const entry = {
      ...original,
      name,
      uid: containerId(original.uid),
      gid: containerId(original.gid),
      linkName: this.#linkName(name, original),
    };
    this.#seen.set(name, entry);
    this.#implied.delete(name);
    this.#open = entry;
    yield encodeHeader(entry);
  }

  #note(parent: string, base: string): void {
    if (base === opaqueMark) return void this.#opaque.add(parent);
    if (base.startsWith(whiteoutPrefix + whiteoutPrefix)) return; // marks of aufs that mean nothing here
    const hidden = base.slice(whiteoutPrefix.length);
    if (["", ".", ".."].includes(hidden)) throw unsafe(`${parent}/${base}`, "hides no name");
    this.#whiteouts.add(parent === "" ? hidden : `${parent}/${hidden}`);
  }

  /**
   * Applies whiteouts. They concern the layers below only, so what this layer has itself under such a name
   * stays, wherever it stands in the archive.
   */
  *#takeWhiteouts(): Generator<Buffer> {
    for (const name of this.#whiteouts) {
      const own = this.#seen.get(name);
      if (own?.kind === "directory") this.#opaque.add(name);
      if (own !== undefined) continue;
      yield* this.#makeParents(name);
      yield encodeHeader({
        kind: "device",
        name,
        linkName: "",
        mode: 0,
        uid: 0,
        gid: 0,
        mtime: "0",
        size: 0,
      });
    }
    for (const name of this.#opaque) {
      if (name === "") continue;
      yield* this.#makeParents(`${name}/.`);
      const directory = this.#seen.get(name);
      if (directory !== undefined) yield encodeHeader(directory, opaqueAttribute);
    }
  }

  /** Makes the parents, up to a known directory, which came with its own parents. */
  *#makeParents(name: string): Generator<Buffer> {
    const missing: string[] = [];
    for (let { parent } = split(name); parent !== ""; { parent } = split(parent)) {
      const known = this.#seen.get(parent);
      if (known?.kind === "directory") break;
      if (known !== undefined) throw unsafe(name, `passes through a ${known.kind} of the same layer`);
      if (split(parent).base.startsWith(whiteoutPrefix)) throw unsafe(name, "lies in a whiteout");
      missing.push(parent);
    }
    for (const parent of missing.reverse()) {
      const directory: TarEntry = {
        kind: "directory",
        name: parent,
        linkName: "",
        mode: 0o755,
        uid: 0,
        gid: 0,
        mtime: "0",
        size: 0,
      };
      this.#count(directory);
      this.#seen.set(parent, directory);
      this.#implied.add(parent);
      yield encodeHeader(directory);
    }
  }

  #refuseReplacement(name: string, entry: TarEntry): void {
    const known = this.#seen.get(name);
    if (known === undefined || (known.kind === "directory") === (entry.kind === "directory")) return;
    throw unsafe(name, `is a ${known.kind} and a ${entry.kind} in one layer`);
  }

  #linkName(name: string, { kind, linkName }: TarEntry): string {
    if (kind === "symlink" && (linkName === "" || linkName.length > maxPathBytes))
      throw unsafe(name, "is a link to no path");
    if (kind !== "hardlink") return linkName;
    const target = insidePath(linkName);
    const known = this.#seen.get(target);
    if (known === undefined || known.kind === "directory" || target === name)
      throw unsafe(name, "is a hard link to what the layer does not have");
    return target;
  }

  #count({ name, linkName }: TarEntry): void {
    if (++this.#entries > this.#maxEntries)
      throw new OciError("unsafe", `a layer has more than ${this.#maxEntries} entries`);
    this.#namesBytes += name.length + linkName.length;
    if (this.#namesBytes > maxNamesBytes)
      throw new OciError("unsafe", `the names of a layer are more than ${maxNamesBytes} bytes`);
  }
}

/** Returns the path below the root, without leading slash, `.` and doubled slashes; "" is the root. */
function insidePath(name: string): string {
  const parts = name.split("/").filter((part) => part !== "" && part !== ".");
  if (parts.includes("..")) throw unsafe(name, "leads outside");
  if (parts.length > maxComponents) throw unsafe(name.slice(0, 80), "is nested too deeply");
  if (parts.some((part) => part.length > maxNameBytes))
    throw unsafe(name.slice(0, 80), "has a name that is too long");
  const path = parts.join("/");
  if (path.length > maxPathBytes) throw unsafe(name.slice(0, 80), "is too long");
  return path;
}

function split(path: string): { parent: string; base: string } {
  const slash = path.lastIndexOf("/");
  return { parent: path.slice(0, Math.max(slash, 0)), base: path.slice(slash + 1) };
}

function containerId(id: number): number {
  return id > maxContainerId ? nobody : id;
}

function unsafe(name: string, why: string): OciError {
  return new OciError(
    "unsafe",
    `a layer is refused: ${JSON.stringify(Buffer.from(name, "latin1").toString("utf8"))} ${why}`,
  );
}
