/**
 * Takes the release's files, which lie beside the unpacked folder, to where central finds them for hosts. A
 * file that is not what the signed description says is not taken.
 */

import { chmod, copyFile, mkdir, readFile, rename, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { manifestName, signatureName, type ReleaseManifest } from "@tijolo/protocol";
import { tijoloVersion, verifyRelease } from "@tijolo/protocol/kit";
import { centralFiles } from "../places.ts";
import { hashOf } from "../hash-of.ts";
import { treeRoot } from "../release-tree.ts";
import { inParts, type Undo } from "../steps.ts";

export interface ReleasePlaces {
  /** The unpacked release that is being installed. */
  tree: string;
  /** Folder with the release's files. */
  from: string;
  /** Folder that gets them. */
  store: string;
}

const usual: ReleasePlaces = { tree: treeRoot, from: dirname(treeRoot), store: centralFiles.releases };

/**
 * Takes what lies beside the release; null when there is nothing, or all of it is there already. Throws where the
 * description is not signed by the release's own key.
 */
export async function importReleases({ tree, from, store } = usual): Promise<Undo | null> {
  const description = await readFile(join(from, manifestName)).catch(() => null);
  if (description === null) return null;
  const signature = await readFile(join(from, signatureName), "utf8");
  const publicKey = (await readFile(join(tree, "release-key.pub"), "utf8")).trim();
  const manifest = verifyRelease(description, signature, publicKey);
  if (manifest.version !== tijoloVersion()) return null;
  const target = join(store, manifest.version);
  await mkdir(target, { recursive: true, mode: 0o755 });
  return inParts(async (note) => {
    for (const file of manifest.files) note(await takeArchive(from, target, file));
    for (const name of [manifestName, signatureName])
      note(await takeDescription(join(from, name), join(target, name)));
  });
}

/** Copies an archive that is there. Throws when it is not whole. */
async function takeArchive(
  from: string,
  target: string,
  { name, sha256 }: ReleaseManifest["files"][number],
): Promise<Undo | null> {
  const source = join(from, name);
  if ((await stat(source).catch(() => null)) === null) return null;
  const place = join(target, name);
  if ((await hashOf(place).catch(() => null)) === sha256) return null;
  const draft = `${place}.new`;
  await copyReadable(source, draft);
  if ((await hashOf(draft)) !== sha256) {
    await rm(draft, { force: true });
    throw new Error(`${source}: SHA-256`);
  }
  await rename(draft, place);
  return () => rm(place, { force: true });
}

/** Copies the description or its signature. */
async function takeDescription(source: string, place: string): Promise<Undo | null> {
  const before = await readFile(place).catch(() => null);
  if (before?.equals(await readFile(source)) === true) return null;
  await copyReadable(source, place);
  return () => rm(place, { force: true });
}

/** Copies a file so that central's user, who does not own it, can read it. */
async function copyReadable(from: string, to: string): Promise<void> {
  await copyFile(from, to);
  await chmod(to, 0o644);
}
