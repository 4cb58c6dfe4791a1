/** Keeps images between test runs, because they take minutes to make. */

import { existsSync } from "node:fs";
import { mkdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { defaultVersions, type Language } from "@tijolo/protocol";
import { privateUmask } from "@tijolo/protocol/kit";
import { exec } from "../../../../agent/src/host/exec.ts";
import { findRecipe } from "../../../../agent/src/images/recipes/find-recipe.ts";
import {
  createImageStore,
  hostArchitecture,
  type ImageStore,
  type ImageStoreOptions,
} from "../../../../agent/src/images/image-store.ts";

/** Images are made, and containers prepared, as the agent's program does it. */
process.umask(privateUmask);

/** Directory for what takes long to make or to fetch: images, and the tools of agents. */
export const testCache = join(import.meta.dirname, "../../../../.tools/test-images");
/** Directory of the images of the agents of all test clusters. */
export const keptImagesDirectory = join(testCache, "images");

/** Opens a store of these images for one test process; it waits for images of another process. */
export function openKeptImages(options: Partial<ImageStoreOptions> = {}): Promise<ImageStore> {
  return createImageStore({
    imagesDirectory: keptImagesDirectory,
    logger: { info() {}, warn() {} },
    debianIndexAgeDays: testIndexAgeDays,
    ...options,
  });
}

/** True when the image is made on the host; otherwise it comes from a registry, or none is needed. */
export function isMadeHere(language: Language, version: string): boolean {
  return findRecipe(language, version, hostArchitecture())?.sources[0]?.kind === "debian";
}

const ensured = new Map<string, Promise<void>>();

/**
 * Has an image made where it is not kept, once per process, however long that takes: waits for a project have
 * deadlines, which the first run on a machine would not keep. Without a version, of the default one.
 */
export function ensureImage(language: Language, version: string = defaultVersions[language]): Promise<void> {
  const name = `${language} ${version}`;
  const promise =
    ensured.get(name) ?? (isMadeHere(language, version) ? makeImage(language, version) : Promise.resolve());
  ensured.set(name, promise);
  return promise;
}

async function makeImage(language: Language, version: string): Promise<void> {
  const store = await openKeptImages();
  try {
    await store.ensure({ language, version, systemPackages: [] });
  } finally {
    await store.close();
  }
}

/** Takes what a store has built along with what is kept, so that nothing is built twice in a run. */
export async function keepImages(store: Pick<ImageStore, "list">): Promise<void> {
  await mkdir(keptImagesDirectory, { recursive: true, mode: 0o700 });
  for (const { digest, directory } of await store.list()) {
    const kept = join(keptImagesDirectory, digest);
    if (existsSync(kept)) continue;
    const partial = join(testCache, `${digest}.${process.pid}`);
    await exec(["cp", "--archive", "--reflink=auto", join(directory, ".."), partial], { timeoutMs: 120_000 });
    // Where another process was faster, the layer that is there is as good.
    await rename(partial, kept).catch(() =>
      exec(["rm", "--recursive", "--force", "--", partial], { timeoutMs: 120_000 }),
    );
  }
}

/** The mirror that tests use may be some weeks behind Debian's suites that move on. */
export const testIndexAgeDays = 60;
