/**
 * Finds the directories that a layer uses without containing them. Overlayfs shows a directory as the topmost
 * layer has it, so their owners and modes in layers below would be lost; and one that is a link below would
 * be hidden by a directory where the image's author means the link to be followed.
 */

import { lstat } from "node:fs/promises";
import { OciError } from "./oci-error.ts";

/** A layer as it lies on the disk; directories in bytes as latin1. */
export interface UnpackedLayer {
  root: string;
  impliedDirectories: ReadonlySet<string>;
  opaqueDirectories: ReadonlySet<string>;
}

/** Mode, owner and time that a directory must have; its path is bytes as latin1. */
export interface DirectoryLook {
  path: string;
  mode: number;
  uid: number;
  gid: number;
  mtimeMs: number;
}

/**
 * Returns the directories that look otherwise than the image means, and those they lie in, parents first: a
 * layer of these above all others corrects it. `layers` are topmost first. Throws {@link OciError} for a
 * directory that is a link below, and the signal's reason.
 */
export async function findImpliedLooks(
  layers: readonly UnpackedLayer[],
  signal: AbortSignal,
): Promise<DirectoryLook[]> {
  const implied = new Set(layers.flatMap(({ impliedDirectories }) => [...impliedDirectories]));
  const wrong = new Set<string>();
  for (const path of implied) {
    signal.throwIfAborted();
    const { isImplied, look } = await visible(layers, path);
    if (isImplied && look !== null && (look.mode !== 0o755 || look.uid !== 0 || look.gid !== 0))
      for (const way of withAncestors(path, wrong)) wrong.add(way);
  }
  const looks: DirectoryLook[] = [];
  for (const path of wrong) {
    signal.throwIfAborted();
    const { look } = await visible(layers, path);
    if (look !== null) looks.push(look);
  }
  return looks;
}

/**
 * Returns what stands at a path of the whole image: whether its topmost layer only implies it, and the look
 * that it should have; null where it is no directory.
 */
async function visible(
  layers: readonly UnpackedLayer[],
  path: string,
): Promise<{ isImplied: boolean; look: DirectoryLook | null }> {
  let implied: DirectoryLook | null = null;
  for (const layer of layers) {
    const found = await lookInto(layer, path);
    if (found === "absent") continue;
    if (found === "link" && implied !== null) {
      const name = Buffer.from(path, "latin1").toString("utf8");
      throw new OciError(
        "unsupported",
        `a layer of the image writes to ${JSON.stringify(name)} through a link of a layer below`,
      );
    }
    if (found === "hidden" || found === "link") break;
    if (!layer.impliedDirectories.has(path)) return { isImplied: implied !== null, look: found };
    implied ??= found;
  }
  return { isImplied: implied !== null, look: implied };
}

/**
 * Returns what the layer has at a path. `hidden`: it has something else there, so that layers below do not
 * count. Follows no link.
 */
async function lookInto(
  { root, opaqueDirectories }: UnpackedLayer,
  path: string,
): Promise<DirectoryLook | "absent" | "hidden" | "link"> {
  let isOpaque = opaqueDirectories.has("");
  for (const way of withAncestors(path)) {
    const found = await lstat(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(way, "latin1")])).catch(
      () => null,
    );
    if (found === null) return isOpaque ? "hidden" : "absent";
    if (way === path && found.isSymbolicLink()) return "link";
    if (!found.isDirectory()) return "hidden";
    if (way === path)
      return { path, mode: found.mode & 0o7777, uid: found.uid, gid: found.gid, mtimeMs: found.mtimeMs };
    isOpaque ||= opaqueDirectories.has(way);
  }
  return "absent";
}

/** Maps `a/b/c` to `a`, `a/b`, `a/b/c`; when `a` and its ancestors are known, only to `a/b`, `a/b/c`. */
function withAncestors(path: string, known: ReadonlySet<string> = new Set()): string[] {
  const ways: string[] = [];
  for (let way = path; way !== "" && !known.has(way); way = way.slice(0, Math.max(way.lastIndexOf("/"), 0)))
    ways.push(way);
  return ways.reverse();
}
