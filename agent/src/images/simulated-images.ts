/**
 * Simulates the images of a machine: each is one layer, available as soon as it is requested, unless the test
 * makes it fail.
 */

import type { Recipe } from "./recipe.ts";
import type { findRecipe } from "./recipes/find-recipe.ts";
import type { MachineImages } from "./machine-images.ts";
import type { EnsureOptions, StoredLayer } from "./image-store.ts";
import type { Image, ImageRequest } from "./image.ts";
import { hostArchitecture, UnknownImageError } from "./image-store.ts";
import { originOfSource } from "./layer-origin.ts";

const simulatedLayerBytes = 50_000_000;

export interface SimulatedImagesOptions {
  findRecipe: typeof findRecipe;
  now: () => Date;
}

export class SimulatedImages {
  /** Layers by what they are made from. */
  readonly layers = new Map<string, StoredLayer>();
  /** Reason why something cannot be fetched now, by what it is made from. */
  readonly failures = new Map<string, string>();
  /** Number of requests to the source, by what was requested. */
  readonly fetches = new Map<string, number>();
  /** Fetches that have not ended. */
  underWay = 0;
  /** Gate that pulls wait for. */
  gate: Promise<void> = Promise.resolve();

  open({ findRecipe, now }: SimulatedImagesOptions): MachineImages {
    const recipeOf = (language: Recipe["language"], version: string) =>
      findRecipe(language, version, hostArchitecture());
    return {
      isShared: false,
      findRecipe: recipeOf,
      ensure: (request, options) =>
        this.#ensure(request, recipeOf(request.language, request.version), { ...options, now }),
      list: async () => [...this.layers.values()],
      prune: async () => [],
      pruneAll: async (inUse) => {
        const removed = [...this.layers].filter(([, { directory }]) => !inUse.has(directory));
        for (const [origin] of removed) this.layers.delete(origin);
        return removed.map(([, { digest }]) => digest);
      },
    };
  }

  async #ensure(
    request: ImageRequest,
    recipe: Recipe | undefined,
    options: EnsureOptions & { now: () => Date },
  ): Promise<Image> {
    const { language, version } = request;
    if (recipe === undefined)
      throw new UnknownImageError(`There is no image recipe for ${language} ${version}`);
    const [source] = recipe.sources;
    if (source === undefined) return { layers: [], environment: {} };
    const { origin } = originOfSource(source);
    const name = `${language} ${version} from ${origin}`;
    if (!this.layers.has(name) || options.isRefresh === true) {
      this.underWay++;
      await this.#fetch({ name, origin, source, recipe }, options).finally(() => this.underWay--);
    }
    const layer = this.layers.get(name);
    return { layers: layer === undefined ? [] : [layer.directory], environment: {} };
  }

  async #fetch(
    {
      name,
      origin,
      source,
      recipe,
    }: { name: string; origin: string; source: Recipe["sources"][number]; recipe: Recipe },
    { onProgress, signal, isRefresh, now }: EnsureOptions & { now: () => Date },
  ): Promise<void> {
    onProgress?.(`Asking for ${origin} (0 s)`);
    if (isRefresh === true) await Promise.race([this.gate, aborted(signal)]);
    this.fetches.set(origin, (this.fetches.get(origin) ?? 0) + 1);
    const failure = this.failures.get(origin);
    if (failure !== undefined) throw new Error(failure);
    const title = source.kind === "oci" ? origin : `${recipe.language} ${recipe.version}`;
    const digest = Buffer.from(name).toString("hex");
    const made = source.kind === "oci" ? { kind: "oci" } : source.layers[0];
    const builtAt = now().toISOString();
    const directory = `/simulated/images/${digest}`;
    this.layers.set(name, {
      digest,
      title,
      builtAt,
      buildMs: 0,
      sizeBytes: simulatedLayerBytes,
      recipe: made,
      directory,
    });
    onProgress?.(`${title} is ready (0 s)`);
  }
}

function aborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.throwIfAborted();
    signal?.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
  });
}
