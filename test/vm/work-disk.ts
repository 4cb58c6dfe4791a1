/** Makes the disk that carries the working tree, its dependencies and Node into the virtual machine. */

import { copyFile, cp, lstat, mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { defaultVersions, type Language } from "@tijolo/protocol";
import { exec } from "../../agent/src/host/exec.ts";
import { Tools } from "../../agent/src/host/checks/tools.ts";
import { layerDigest } from "../../agent/src/images/recipe.ts";
import { findRecipe } from "../../agent/src/images/recipes/find-recipe.ts";

/** Languages whose default versions the clusters in the machine run; `static` needs no image. */
export const imageLanguages = ["node", "python", "php"] as const satisfies readonly Language[];

/** Free room beside the files, for what tests write into the tree. */
const spareMb = 512;

export interface WorkDiskRequest {
  /** Root of the repository. */
  repository: string;
  /** Keeps what real tests would otherwise fetch; on the repository's own file system. */
  testCache: string;
  /** An empty directory on the repository's own file system (dependencies are hard-linked into it). */
  directory: string;
  /** Arguments of `node --test` in the machine, relative to the repository. */
  testArguments: string[];
  /**
   * Takes along the images that tests of whole clusters have built on this machine: building them inside
   * takes many minutes.
   */
  hasImages: boolean;
  /** Sets up user-mode networking in the machine. */
  hasNetwork: boolean;
  signal: AbortSignal;
}

/**
 * Makes `<directory>/work.img`, an ext4 file system: `main` the tree, `node` Node, `cache` what tests need
 * beside it, `run` what to do. Returns its path.
 */
export async function makeWorkDisk(request: WorkDiskRequest): Promise<string> {
  const stage = join(request.directory, "stage");
  await copyTree(request.repository, join(stage, "main"), request.signal);
  await linkDependencies(request.repository, join(stage, "main"), request.signal);
  if (request.hasImages) await linkImages(request.repository, join(stage, "main"), request.signal);
  await mkdir(join(stage, "node/bin"), { recursive: true });
  await copyFile(process.execPath, join(stage, "node/bin/node"));
  await writeOrders(join(stage, "run"), request);
  await fillTestCache(request);
  await exec(["cp", "--archive", "--link", request.testCache, join(stage, "cache")], {
    timeoutMs: 120_000,
    signal: request.signal,
  });

  const disk = join(request.directory, "work.img");
  const { stdout } = await exec(["du", "--summarize", "--block-size=1M", stage], { signal: request.signal });
  const sizeMb = Math.ceil(Number.parseInt(stdout, 10) * 1.2) + spareMb;
  await exec(["mke2fs", "-q", "-t", "ext4", "-L", "tijolo-work", "-d", stage, disk, `${sizeMb}M`], {
    timeoutMs: 600_000,
    signal: request.signal,
  });
  await rm(stage, { recursive: true });
  return disk;
}

/** Copies what git tracks, and what is new and not ignored, as it lies in the working tree. */
async function copyTree(repository: string, target: string, signal: AbortSignal): Promise<void> {
  const argv = [
    "git",
    "-c",
    "safe.directory=*",
    "-C",
    repository,
    "ls-files",
    "-z",
    "--cached",
    "--others",
    "--exclude-standard",
  ];
  const { stdout } = await exec(argv, { signal });
  for (const file of stdout.split("\0")) {
    if (file === "" || !(await exists(join(repository, file)))) continue;
    await mkdir(dirname(join(target, file)), { recursive: true });
    await cp(join(repository, file), join(target, file), { verbatimSymlinks: true });
  }
}

/** Links `node_modules` of the root and of each package. */
async function linkDependencies(repository: string, target: string, signal: AbortSignal): Promise<void> {
  for (const directory of ["", ...(await readdir(repository))]) {
    const from = join(repository, directory, "node_modules");
    if (directory.startsWith(".") || directory === "node_modules" || !(await exists(from))) continue;
    await mkdir(join(target, directory), { recursive: true });
    await exec(["cp", "--archive", "--link", from, join(target, directory, "node_modules")], {
      timeoutMs: 120_000,
      signal,
    });
  }
}

/** The tools, and of the images those that these tests run on: all of them would be gigabytes to copy. */
async function linkImages(repository: string, target: string, signal: AbortSignal): Promise<void> {
  const kept = join(repository, ".tools/test-images");
  if (!(await exists(kept))) return;
  const layers = [...new Set(imageLanguages.flatMap(layersOf))];
  const names = (await readdir(kept)).filter((name) => name === "tools");
  for (const name of [...names, ...layers.map((digest) => join("images", digest))]) {
    if (!(await exists(join(kept, name)))) continue;
    const to = join(target, ".tools/test-images", name);
    await mkdir(dirname(to), { recursive: true });
    await exec(["cp", "--archive", "--link", join(kept, name), to], { timeoutMs: 120_000, signal });
  }
}

/** Returns the digests of the default version's layers, topmost first. */
export function layersOf(language: Language): string[] {
  const [source] = findRecipe(language, defaultVersions[language], "x64")?.sources ?? [];
  if (source?.kind !== "debian") throw new Error(`${language} is not made of layers any more`);
  return source.layers.reduceRight<string[]>(
    (below, layer) => [layerDigest(layer, "x64", below), ...below],
    [],
  );
}

/** Fills the cache with the agent's host tools, which it fetches from Debian. */
async function fillTestCache({ repository, testCache }: WorkDiskRequest): Promise<void> {
  await Tools.create({
    dataDirectory: testCache,
    initScript: join(repository, "agent/src/runtime/nspawn/init.sh"),
  });
}

async function writeOrders(directory: string, request: WorkDiskRequest): Promise<void> {
  await mkdir(directory, { recursive: true });
  await writeFile(
    join(directory, "arguments"),
    request.testArguments.map((argument) => `${argument}\n`).join(""),
  );
  if (!request.hasNetwork) return;
  await writeFile(join(directory, "network"), "");
  const authorities = process.env.NODE_EXTRA_CA_CERTS;
  if (authorities !== undefined && authorities !== "")
    await copyFile(authorities, join(directory, "authorities.pem"));
}

async function exists(path: string): Promise<boolean> {
  return lstat(path).then(
    () => true,
    () => false,
  );
}
