/** Manages the images of this host: finds the recipe of a requested image, and finds or builds its layers. */

import { randomBytes } from "node:crypto";
import { mkdir } from "node:fs/promises";
import type { Logger } from "pino";
import { AptError } from "./apt-layer.ts";
import { archiveBelow, findHostArchive } from "./host-archive.ts";
import { SystemPackagesError, type Image, type ImageRequest } from "./image.ts";
import * as disk from "./layer-directory.ts";
import { LayerStore } from "./layer-store.ts";
import { findHostNpmRegistry } from "./npm-package.ts";
import {
  architectures,
  type AptLayer,
  type Architecture,
  type ImageSource,
  type OciSource,
  type Recipe,
} from "./recipe.ts";
import { findRecipe } from "./recipes/find-recipe.ts";
import { suitesOf, systemPackagesError, systemPackagesLayer, withSystemPackages } from "./system-packages.ts";

export interface ImageStoreOptions {
  /**
   * Directory of the images; created if missing, readable by root only. Several processes may share it, but
   * then none may prune.
   */
  imagesDirectory: string;
  logger: Pick<Logger, "info" | "warn">;
  /** Base address of the npm registry, ending in a slash. Default: the one npm on this host is set to. */
  npmRegistry?: string;
  /**
   * An address that ends in a slash, with `debian` and `debian-security` below it. Default: the archive of
   * this host's apt.
   */
  debianMirror?: string;
  /**
   * Lets the archive's index be this old, for a mirror that is behind. Default: as old as the index itself
   * allows.
   */
  debianIndexAgeDays?: number;
  /** Pulls an image of a registry to this host. Without it there are only the images that are made here. */
  pullImage?: (reference: string, options: EnsureOptions) => Promise<PulledImage>;
  /** Returns the directories of layers that stay whether they are used or not. */
  findKeptLayers?: (options: PruneOptions) => Promise<string[]>;
  findRecipe?: typeof findRecipe;
  /**
   * Milliseconds since the last request for which a layer is not pruned: its user may not be known yet.
   * Default: 10 min.
   */
  keepMs?: number;
  now?: () => Date;
  randomName?: () => string;
}

export interface PulledImage extends Image {
  /** Digest of the content of all its layers. */
  digest: string;
}

export interface EnsureOptions {
  /** Called with short sentences that include the seconds so far. */
  onProgress?: (line: string) => void;
  signal?: AbortSignal;
  /**
   * True to ask registries what a reference is now; by default an image of theirs stays what it was when it
   * was pulled.
   */
  isRefresh?: boolean;
}

export interface PruneOptions {
  /** Milliseconds in place of the store's own. */
  keepMs?: number;
}

export interface ImageStore {
  /**
   * Returns the image's read-only root file system; builds what is missing. `static` has none. Throws {@link
   * UnknownImageError} where there is no recipe, and {@link SystemPackagesError} where only the system
   * packages fail.
   */
  ensure(image: ImageRequest, options?: EnsureOptions): Promise<Image>;
  /** Returns every finished layer. */
  list(): Promise<StoredLayer[]>;
  /**
   * Removes the layers whose directory (as `ensure` returned it) is not named and was not requested lately,
   * and returns their digests.
   */
  prune(layersInUse: Iterable<string>, options?: PruneOptions): Promise<string[]>;
  /** Aborts builds under way. */
  close(): Promise<void>;
}

export interface StoredLayer extends disk.LayerManifest {
  /** Path as in the `layers` of `ensure`. */
  directory: string;
}

/** Thrown when there is no recipe for this language version on this architecture. */
export class UnknownImageError extends Error {
  override name = "UnknownImageError";
}

/** Opens the images directory and clears it of what killed builds have left. */
export async function createImageStore(options: ImageStoreOptions): Promise<ImageStore> {
  const architecture = hostArchitecture();
  const layers = await openLayers(options, architecture);

  async function pull(source: OciSource, request: ImageRequest, waiter: EnsureOptions): Promise<Image> {
    if (options.pullImage === undefined)
      throw new UnknownImageError(`${source.reference} is on a registry, and this store pulls none`);
    const { environment, digest, layers: roots } = await options.pullImage(source.reference, waiter);
    const above = [systemPackagesLayer(request.systemPackages, null), languagePackages(source)].filter(
      (layer) => layer !== null,
    );
    const made = await layers.ensure(above, waiter, { roots, digests: [digest] });
    return { layers: [...made, ...roots], environment };
  }

  async function make(source: ImageSource, request: ImageRequest, waiter: EnsureOptions): Promise<Image> {
    if (source.kind === "oci") return pull(source, request, waiter);
    const system = systemPackagesLayer(request.systemPackages, suitesOf(source.layers));
    return {
      layers: await layers.ensure(withSystemPackages(source.layers, system), waiter),
      environment: {},
    };
  }

  return {
    async ensure(request, waiter = {}) {
      const { language, version } = request;
      const recipe = (options.findRecipe ?? findRecipe)(language, version, architecture);
      if (recipe === undefined)
        throw new UnknownImageError(`There is no image recipe for ${language} ${version} on ${architecture}`);
      if (language === "static") return { layers: [], environment: {} };
      return firstThatWorks(recipe, (source) => told(request, make(source, request, waiter)), waiter.signal);
    },

    list: () => listLayers(options.imagesDirectory),
    prune: async (layersInUse, pruneOptions = {}) =>
      layers.prune(
        new Set([...layersInUse, ...((await options.findKeptLayers?.(pruneOptions)) ?? [])]),
        pruneOptions,
      ),
    close: () => layers.close(),
  };
}

/** Makes the directory, removes what killed builds have left there, and opens the layers in it. */
async function openLayers(options: ImageStoreOptions, architecture: Architecture): Promise<LayerStore> {
  const { imagesDirectory, logger, randomName = () => randomBytes(4).toString("hex") } = options;
  await mkdir(imagesDirectory, { recursive: true, mode: 0o700 });
  const collected = await disk.collectLeftovers(imagesDirectory, randomName);
  if (collected.length > 0) logger.info({ collected }, "removed unfinished images");
  return new LayerStore({
    imagesDirectory,
    architecture,
    logger,
    debianArchive: async () =>
      options.debianMirror === undefined ? findHostArchive() : archiveBelow(options.debianMirror),
    debianIndexAgeDays: options.debianIndexAgeDays ?? null,
    npmRegistry: async () => options.npmRegistry ?? findHostNpmRegistry(),
    keepMs: options.keepMs ?? 600_000,
    now: options.now ?? (() => new Date()),
    randomName,
  });
}

async function listLayers(imagesDirectory: string): Promise<StoredLayer[]> {
  const stored: StoredLayer[] = [];
  for (const digest of await disk.listDigests(imagesDirectory)) {
    const manifest = await disk.findManifest(imagesDirectory, digest);
    if (manifest !== undefined)
      stored.push({ ...manifest, directory: disk.layerRoot(imagesDirectory, digest) });
  }
  return stored;
}

/**
 * Returns a layer of the packages that the image itself lacks and that its users need to install their
 * dependencies.
 */
function languagePackages({ reference, packages }: OciSource): AptLayer | null {
  if (packages.length === 0) return null;
  return {
    kind: "apt",
    revision: 1,
    suites: null,
    packages: [...packages].sort(),
    links: [],
    title: `packages for ${reference}`,
  };
}

/** Turns an error of the system packages' own layer into one that their owner is told. */
async function told({ systemPackages }: ImageRequest, image: Promise<Image>): Promise<Image> {
  try {
    return await image;
  } catch (error) {
    const wanted = systemPackagesLayer(systemPackages, null)?.packages;
    if (!(error instanceof AptError) || error.packages.join() !== wanted?.join()) throw error;
    throw systemPackagesError(systemPackages, error);
  }
}

async function firstThatWorks(
  { language, version, sources }: Recipe,
  attempt: (source: ImageSource) => Promise<Image>,
  signal: AbortSignal | undefined,
): Promise<Image> {
  const errors: unknown[] = [];
  for (const source of sources) {
    try {
      return await attempt(source);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof SystemPackagesError) throw error;
      errors.push(error);
    }
  }
  if (errors.length === 1) throw errors[0];
  throw new AggregateError(errors, `No source of ${language} ${version} could be built`);
}

/** Returns this machine's architecture. Throws on machines that no image is made for. */
export function hostArchitecture(): Architecture {
  const architecture = architectures.find((known) => known === process.arch);
  if (architecture === undefined)
    throw new Error(`Images can be made on ${architectures.join(" and ")}, not on ${process.arch}`);
  return architecture;
}
