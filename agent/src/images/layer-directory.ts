/** Stores the images directory on disk: finished layers by digest, and builds and removals under way. */

import { mkdir, readdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { exec } from "../host/exec.ts";
import { makeOpenDirectory } from "../host/files/open-files.ts";
import { isOwnerAlive, ownerMark } from "../host/files/owner-mark.ts";
import { removeTree } from "../host/files/trees.ts";

/** Contents of a layer's `manifest.json`. */
export interface LayerManifest {
  digest: string;
  title: string;
  builtAt: string;
  buildMs: number;
  sizeBytes: number;
  /** The recipe that the layer was made by. */
  recipe: unknown;
}

/** Deadline of a sync, which waits for all of the file system, whoever wrote there. */
const syncTimeoutMs = 1_200_000;
const temporaryName = /^\.(building|removing)-([0-9a-f]+)-(\d+-\d+)-/;

/** Returns the root of a finished layer. */
export function layerRoot(imagesDirectory: string, digest: string): string {
  return join(imagesDirectory, digest, "root");
}

/** Returns the manifest of a finished layer; undefined when there is none. */
export async function findManifest(
  imagesDirectory: string,
  digest: string,
): Promise<LayerManifest | undefined> {
  try {
    return JSON.parse(
      await readFile(join(imagesDirectory, digest, "manifest.json"), "utf8"),
    ) as LayerManifest;
  } catch {
    return undefined;
  }
}

/** Returns the digests of all finished layers. */
export async function listDigests(imagesDirectory: string): Promise<string[]> {
  return (await readdir(imagesDirectory)).filter((name) => /^[0-9a-f]{32}$/.test(name));
}

/** Makes a new directory for a build, named after the process that owns it. */
export async function makeBuildDirectory(
  imagesDirectory: string,
  digest: string,
  randomName: () => string,
): Promise<string> {
  const directory = join(imagesDirectory, `.building-${digest}-${ownerMark(process.pid)}-${randomName()}`);
  await mkdir(directory, { mode: 0o700 });
  await makeOpenDirectory(join(directory, "root"));
  await mkdir(join(directory, "scratch"), { mode: 0o700 });
  return directory;
}

/** True while another living process, with which this one shares the directory, makes the layer. */
export async function isBuiltElsewhere(imagesDirectory: string, digest: string): Promise<boolean> {
  const own = ownerMark(process.pid);
  for (const name of await readdir(imagesDirectory)) {
    const [, doing, ofDigest, owner] = temporaryName.exec(name) ?? [];
    if (owner === undefined || doing !== "building" || ofDigest !== digest || owner === own) continue;
    if (isOwnerAlive(owner)) return true;
  }
  return false;
}

/** Makes a complete build the layer of its digest, atomically and only once all of it is on the disk. */
export async function publishBuild(
  build: string,
  {
    imagesDirectory,
    manifest,
    signal,
  }: { imagesDirectory: string; manifest: LayerManifest; signal: AbortSignal },
): Promise<void> {
  await removeTree(join(build, "scratch"));
  await writeFile(join(build, "manifest.json"), `${JSON.stringify(manifest, null, 2)}\n`);
  await exec(["sync", "--file-system", build], { timeoutMs: syncTimeoutMs, signal });
  try {
    await rename(build, join(imagesDirectory, manifest.digest));
  } catch (error) {
    // Another process that shares this directory was faster; its layer is as good.
    if ((await findManifest(imagesDirectory, manifest.digest)) === undefined) throw error;
    await removeTree(build);
  }
}

/** Renames a layer so that nobody finds it, then deletes it. */
export async function removeLayer(
  imagesDirectory: string,
  digest: string,
  randomName: () => string,
): Promise<void> {
  await removeAs(imagesDirectory, digest, { digest, randomName });
}

/** Deletes what ended processes have left of builds and removals. Returns the names. */
export async function collectLeftovers(imagesDirectory: string, randomName: () => string): Promise<string[]> {
  const collected: string[] = [];
  for (const name of await readdir(imagesDirectory)) {
    const [, , digest, owner] = temporaryName.exec(name) ?? [];
    if (digest === undefined || owner === undefined || isOwnerAlive(owner)) continue;
    if (await removeAs(imagesDirectory, name, { digest, randomName })) collected.push(name);
  }
  return collected;
}

/**
 * Renames the directory to a name of this process before it removes it, so that nobody else removes it at the
 * same time. Returns false when another process was faster.
 */
async function removeAs(
  imagesDirectory: string,
  name: string,
  { digest, randomName }: { digest: string; randomName: () => string },
): Promise<boolean> {
  const removed = join(imagesDirectory, `.removing-${digest}-${ownerMark(process.pid)}-${randomName()}`);
  try {
    await rename(join(imagesDirectory, name), removed);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  await removeTree(removed);
  return true;
}

/** True when the layer is complete. */
export async function hasLayer(imagesDirectory: string, digest: string): Promise<boolean> {
  return stat(join(imagesDirectory, digest, "manifest.json")).then(
    () => true,
    () => false,
  );
}
