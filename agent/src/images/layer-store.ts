/** Builds layers, each once, by its recipe's digest, and removes the unused ones. */

import { join } from "node:path";
import { poll, Slots } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { removeTree, sizeOfTree } from "../host/files/trees.ts";
import { buildLayer } from "./build-layer.ts";
import type { BuildContext } from "./build-context.ts";
import { LayerDemand } from "./layer-demand.ts";
import type { DebianArchive } from "./host-archive.ts";
import * as disk from "./layer-directory.ts";
import { layerDigest, type Architecture, type LayerRecipe } from "./recipe.ts";
import { SharedBuilds, type Waiter } from "./shared-build.ts";

export interface LayerStoreOptions {
  imagesDirectory: string;
  architecture: Architecture;
  logger: Pick<Logger, "info">;
  debianArchive: () => Promise<DebianArchive>;
  debianIndexAgeDays: number | null;
  npmRegistry: () => Promise<string>;
  keepMs: number;
  now: () => Date;
  randomName: () => string;
}

/** The layers that the lowest layer of a stack is built on. */
export interface Foundation {
  /** Roots, topmost first. */
  roots: readonly string[];
  /** Digests of the roots' contents. */
  digests: readonly string[];
}

/** Most builds at once, because each occupies a core for a while. */
const buildsAtOnce = 3;
const longestBuildMs = 20 * 60_000;
/** Milliseconds between two checks for a layer that another process makes. */
const lookEveryMs = 200;
const nothing: Foundation = { roots: [], digests: [] };

export class LayerStore {
  readonly #options: LayerStoreOptions;
  readonly #builds = new SharedBuilds<void>();
  readonly #slots = new Slots(buildsAtOnce);
  readonly #demand: LayerDemand;

  constructor(options: LayerStoreOptions) {
    this.#options = options;
    this.#demand = new LayerDemand(() => options.now().getTime());
  }

  /**
   * Returns the roots of the layers, in their order; builds what is missing, in parallel where one does not
   * stand on another.
   */
  async ensure(
    layers: readonly LayerRecipe[],
    waiter: Waiter,
    foundation: Foundation = nothing,
  ): Promise<string[]> {
    const digests = digestsOf(layers, this.#options.architecture, foundation);
    const failed = new AbortController();
    const signal =
      waiter.signal === undefined ? failed.signal : AbortSignal.any([waiter.signal, failed.signal]);
    const roots: Promise<string>[] = [];
    const release = this.#demand.hold(digests);
    try {
      for (const [index, layer] of [...layers.entries()].reverse()) {
        const below = Promise.all(roots.slice(index + 1)).then((built) => [...built, ...foundation.roots]);
        below.catch(() => {}); // each layer tells of its own failure
        roots[index] = this.#ensureLayer(
          { layer, digest: digests[index] ?? "", below },
          { ...waiter, signal },
        ).catch((error: unknown) => {
          if (!failed.signal.aborted) failed.abort(error);
          throw error;
        });
      }
      const outcomes = await Promise.allSettled(roots);
      waiter.signal?.throwIfAborted();
      failed.signal.throwIfAborted();
      return outcomes.map((outcome) => {
        if (outcome.status === "rejected") throw outcome.reason;
        return outcome.value;
      });
    } finally {
      release();
    }
  }

  /** Removes what is not in use, not waited for and was not requested lately. Returns the digests. */
  async prune(
    rootsInUse: ReadonlySet<string>,
    { keepMs = this.#options.keepMs }: { keepMs?: number } = {},
  ): Promise<string[]> {
    const { imagesDirectory, now, randomName, logger } = this.#options;
    const askedForSinceMs = now().getTime() - keepMs;
    const removed: string[] = [];
    for (const digest of await disk.listDigests(imagesDirectory)) {
      if (rootsInUse.has(disk.layerRoot(imagesDirectory, digest))) continue;
      // Looked at one by one: the removal of one takes seconds, in which another may be asked for.
      if (this.#demand.isWanted(digest, askedForSinceMs)) continue;
      await disk.removeLayer(imagesDirectory, digest, randomName);
      removed.push(digest);
    }
    this.#demand.forget(now().getTime() - this.#options.keepMs);
    if (removed.length > 0) logger.info({ digests: removed }, "removed unused image layers");
    return removed;
  }

  /** Aborts builds under way. */
  close(): Promise<void> {
    return this.#builds.abortAll(new Error("The image store was closed"));
  }

  async #ensureLayer({ layer, digest, below }: PlacedLayer, waiter: Waiter): Promise<string> {
    const { imagesDirectory } = this.#options;
    if (!(await disk.hasLayer(imagesDirectory, digest))) {
      const roots = layer.kind === "apt" ? await below : [];
      await this.#builds.run(digest, waiter, async (handle) => {
        await this.#untilBuiltElsewhere(layer, digest, handle);
        await this.#slots.run(() => this.#build(layer, { ...handle, digest, below: roots }), handle.signal);
      });
    }
    return disk.layerRoot(imagesDirectory, digest);
  }

  /**
   * Resolves when no other process makes the layer any more, whether it succeeded or not; waits as long as
   * any build may take.
   */
  async #untilBuiltElsewhere(
    layer: LayerRecipe,
    digest: string,
    { progress, signal }: Pick<BuildHandle, "progress" | "signal">,
  ): Promise<void> {
    const { imagesDirectory } = this.#options;
    const isFree = async () => !(await disk.isBuiltElsewhere(imagesDirectory, digest));
    if (await isFree()) return;
    progress(`Another process is making ${layer.title}`);
    await poll(isFree, { timeoutMs: longestBuildMs, everyMs: lookEveryMs, signal });
  }

  async #build(layer: LayerRecipe, { digest, below, progress, signal }: BuildHandle): Promise<void> {
    const { imagesDirectory, debianArchive, debianIndexAgeDays, npmRegistry, logger, now, randomName } =
      this.#options;
    if (await disk.hasLayer(imagesDirectory, digest)) return;
    const startedAt = now();
    const elapsedMs = () => now().getTime() - startedAt.getTime();
    const tell = (sentence: string) => progress(`${sentence} (${(elapsedMs() / 1000).toFixed(0)} s)`);
    const directory = await disk.makeBuildDirectory(imagesDirectory, digest, randomName);
    try {
      const root = join(directory, "root");
      const scratch = join(directory, "scratch");
      await buildLayer(layer, {
        directory: root,
        below,
        scratch,
        debianArchive,
        debianIndexAgeDays,
        npmRegistry,
        progress: tell,
        signal,
      });
      const sizeBytes = await sizeOfTree(root);
      signal.throwIfAborted();
      const manifest = {
        digest,
        title: layer.title,
        builtAt: now().toISOString(),
        buildMs: elapsedMs(),
        sizeBytes,
        recipe: layer,
      };
      await disk.publishBuild(directory, { imagesDirectory, manifest, signal });
      tell(`${layer.title} is ready, ${Math.round(sizeBytes / 1e6)} MB`);
      logger.info(
        { digest, title: layer.title, buildMs: manifest.buildMs, sizeBytes },
        "built an image layer",
      );
    } catch (error) {
      await removeTree(directory);
      throw error;
    }
  }
}

interface PlacedLayer {
  layer: LayerRecipe;
  digest: string;
  below: Promise<string[]>;
}

interface BuildHandle extends Pick<BuildContext, "below" | "progress" | "signal"> {
  digest: string;
}

function digestsOf(
  layers: readonly LayerRecipe[],
  architecture: Architecture,
  foundation: Foundation,
): string[] {
  return layers.reduceRight<string[]>(
    (below, layer) => [layerDigest(layer, architecture, [...below, ...foundation.digests]), ...below],
    [],
  );
}
