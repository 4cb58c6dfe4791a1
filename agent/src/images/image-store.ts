/** Keeps the images of this host: builds each layer once, by its recipe's digest, and removes the ones out of use. */

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Language } from "@tijolo/protocol";
import type { Logger } from "pino";
import { defaultDebianMirror } from "./bootstrap-layer.ts";
import { buildLayer } from "./build-layer.ts";
import * as disk from "./layer-directory.ts";
import { findHostNpmRegistry } from "./npm-package.ts";
import { architectures, layerDigest, type Architecture, type LayerRecipe, type Recipe } from "./recipe.ts";
import { findRecipe } from "./recipes.ts";
import { SharedBuilds, type Waiter } from "./shared-build.ts";

export interface ImageStoreOptions {
  /** Made if missing, readable by root only. Several processes may share it, but then none may prune. */
  imagesDirectory: string;
  logger: Pick<Logger, "info" | "warn">;
  /** Base address of the npm registry. Default: the one npm on this host is set to. */
  npmRegistry?: string;
  /** Base address of Debian's archive. */
  debianMirror?: string;
  findRecipe?: typeof findRecipe;
  /** A layer that was asked for this recently is not pruned: its user may not be known yet. Default 10 min. */
  keepMs?: number;
  now?: () => Date;
  randomName?: () => string;
}

export interface EnsureOptions {
  /** Short sentences with the seconds so far. */
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
}

export interface ImageStore {
  /**
   * The directories of the image's read-only root file system, topmost layer first; builds what is missing.
   * `static` has none. Throws {@link UnknownImageError} where there is no recipe.
   */
  ensure(language: Language, version: string, options?: EnsureOptions): Promise<{ layers: string[] }>;
  /** Every finished layer. */
  list(): Promise<StoredLayer[]>;
  /** Removes the layers whose directory (as `ensure` gave it) is not named and was not asked for lately, and answers with their digests. */
  prune(layersInUse: Iterable<string>): Promise<string[]>;
  /** Aborts builds under way. */
  close(): Promise<void>;
}

export interface StoredLayer extends disk.LayerManifest {
  /** As in the `layers` of `ensure`. */
  directory: string;
}

/** There is no recipe for this language version on this architecture. */
export class UnknownImageError extends Error {
  override name = "UnknownImageError";
}

/** Opens the images directory and clears it of what killed builds have left. */
export async function createImageStore(options: ImageStoreOptions): Promise<ImageStore> {
  const { imagesDirectory, logger } = options;
  const now = options.now ?? (() => new Date());
  const randomName = options.randomName ?? (() => randomBytes(4).toString("hex"));
  const keepMs = options.keepMs ?? 600_000;
  const builds = new SharedBuilds<void>();
  const askedForAtMs = new Map<string, number>();
  const architecture = hostArchitecture();
  await mkdir(imagesDirectory, { recursive: true, mode: 0o700 });
  const collected = await disk.collectLeftovers(imagesDirectory);
  if (collected.length > 0) logger.info({ collected }, "removed unfinished images");

  async function build(layer: LayerRecipe, digest: string, { signal, progress }: BuildHandle): Promise<void> {
    if (await disk.hasLayer(imagesDirectory, digest)) return;
    const startedAt = now();
    const elapsedMs = () => now().getTime() - startedAt.getTime();
    const tell = (sentence: string) => progress(`${sentence} (${(elapsedMs() / 1000).toFixed(0)} s)`);
    const directory = await disk.makeBuildDirectory(imagesDirectory, digest, randomName);
    try {
      const root = join(directory, "root");
      await buildLayer(layer, {
        directory: root,
        scratch: join(directory, "scratch"),
        debianMirror: options.debianMirror ?? defaultDebianMirror,
        npmRegistry: async () => options.npmRegistry ?? findHostNpmRegistry(),
        progress: tell,
        signal,
      });
      const sizeBytes = await disk.sizeOfTree(root);
      signal.throwIfAborted();
      const manifest = { digest, title: layer.title, builtAt: now().toISOString(), buildMs: elapsedMs(), sizeBytes, recipe: layer };
      await disk.publishBuild(directory, imagesDirectory, manifest);
      tell(`${layer.title} is ready, ${Math.round(sizeBytes / 1e6)} MB`);
      logger.info({ digest, title: layer.title, buildMs: manifest.buildMs, sizeBytes }, "built an image layer");
    } catch (error) {
      await disk.removeTree(directory);
      throw error;
    }
  }

  async function ensureLayers(layers: readonly LayerRecipe[], waiter: EnsureOptions): Promise<string[]> {
    const failed = new AbortController();
    const signal = waiter.signal === undefined ? failed.signal : AbortSignal.any([waiter.signal, failed.signal]);
    const outcomes = await Promise.allSettled(
      layers.map(async (layer) => {
        const digest = layerDigest(layer, architecture);
        askedForAtMs.set(digest, now().getTime());
        try {
          if (!(await disk.hasLayer(imagesDirectory, digest))) {
            const shared: Waiter = { onProgress: waiter.onProgress, signal };
            await builds.run(digest, shared, (handle) => build(layer, digest, handle));
          }
          return disk.layerRoot(imagesDirectory, digest);
        } catch (error) {
          if (!failed.signal.aborted) failed.abort(error);
          throw error;
        }
      }),
    );
    waiter.signal?.throwIfAborted();
    failed.signal.throwIfAborted();
    return outcomes.map((outcome) => {
      if (outcome.status === "rejected") throw outcome.reason;
      return outcome.value;
    });
  }

  return {
    async ensure(language, version, waiter = {}) {
      const recipe = (options.findRecipe ?? findRecipe)(language, version, architecture);
      if (recipe === undefined) throw new UnknownImageError(`There is no image recipe for ${language} ${version} on ${architecture}`);
      if (language === "static") return { layers: [] };
      return { layers: await firstThatWorks(recipe, (source) => ensureLayers(source.layers, waiter), waiter.signal) };
    },

    async list() {
      const stored: StoredLayer[] = [];
      for (const digest of await disk.listDigests(imagesDirectory)) {
        const manifest = await disk.findManifest(imagesDirectory, digest);
        if (manifest !== undefined) stored.push({ ...manifest, directory: disk.layerRoot(imagesDirectory, digest) });
      }
      return stored;
    },

    async prune(layersInUse) {
      const inUse = new Set(layersInUse);
      const askedForSinceMs = now().getTime() - keepMs;
      const unused = (await disk.listDigests(imagesDirectory)).filter(
        (digest) => !inUse.has(disk.layerRoot(imagesDirectory, digest)) && (askedForAtMs.get(digest) ?? -Infinity) <= askedForSinceMs,
      );
      for (const digest of unused) await disk.removeLayer(imagesDirectory, digest, randomName);
      if (unused.length > 0) logger.info({ digests: unused }, "removed unused image layers");
      return unused;
    },

    close: () => builds.abortAll(new Error("The image store was closed")),
  };
}

interface BuildHandle {
  signal: AbortSignal;
  progress: (line: string) => void;
}

async function firstThatWorks(
  recipe: Recipe,
  attempt: (source: Recipe["sources"][number]) => Promise<string[]>,
  signal: AbortSignal | undefined,
): Promise<string[]> {
  const errors: unknown[] = [];
  for (const source of recipe.sources) {
    try {
      return await attempt(source);
    } catch (error) {
      signal?.throwIfAborted();
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  throw new AggregateError(errors, `No source of ${recipe.language} ${recipe.version} could be built`);
}

function hostArchitecture(): Architecture {
  const architecture = architectures.find((known) => known === process.arch);
  if (architecture === undefined) throw new Error(`Images can be made on ${architectures.join(" and ")}, not on ${process.arch}`);
  return architecture;
}
