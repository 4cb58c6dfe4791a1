/** Pulls images of registries to this host, and provides them from then on without a network. */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { LayerDemand } from "../layer-demand.ts";
import * as disk from "../layer-directory.ts";
import type { Architecture } from "../recipe.ts";
import { SharedBuilds, type Waiter } from "../shared-build.ts";
import type { ImageConfig } from "./image-config.ts";
import { ImageRecords, type ImageRecord } from "./image-records.ts";
import { formatImageReference, parseImageReference, type ImageReference } from "./image-reference.ts";
import { findImpliedLooks } from "./implied-directories.ts";
import { OciError } from "./oci-error.ts";
import { ociLayerDigest, OciLayers, type LayerLimits } from "./oci-layers.ts";
import { PartialBlobs } from "./partial-blobs.ts";
import { RegistryClient } from "./registry-client.ts";
import { readRegistryCredentials, type RegistryCredentials } from "./registry-credentials.ts";
import { endpointsOf, type RegistryEndpoint, type RegistrySettings } from "./registry-endpoint.ts";
import { resolveImage, type ResolvedImage } from "./resolve-image.ts";

export interface OciImagesOptions extends RegistrySettings {
  /** Directory of the images; created if missing. The layers lie beside those made on this host. */
  imagesDirectory: string;
  architecture: Architecture;
  logger: Pick<Logger, "info">;
  /** Path of a file as `docker login` writes it; read at each pull. Null: anonymous. */
  authFile: string | null;
  limits?: Partial<ImageLimits>;
  /** Deadline of the whole pull of an image. Default: 30 min. */
  pullTimeoutMs?: number;
  /** Milliseconds of silence after which a connection is ended. Default: 30 s. */
  inactivityMs?: number;
  /** Milliseconds since the last request for which an image counts as in use. Default: 10 min. */
  keepMs?: number;
  now: () => Date;
  /** Returns a number from 0 to below 1. */
  random: () => number;
  randomName: () => string;
}

export interface ImageLimits extends LayerLimits {
  /** Most layers: overlayfs takes its layers in one option of 256 bytes; the container's own come on top. */
  maxLayers: number;
}

export interface OciImage {
  /** `sha256:…` of the manifest for this machine: names everything that the image consists of. */
  digest: string;
  /**
   * Layers, topmost first. `diffId` is null for a layer that was made here to give directories their owners
   * and modes.
   */
  layers: { diffId: string | null; directory: string }[];
  config: ImageConfig;
}

const defaultLimits: ImageLimits = {
  maxLayers: 60,
  maxBlobBytes: 4 * 1024 ** 3,
  maxUnpackedBytes: 8 * 1024 ** 3,
  maxEntries: 400_000,
};
const defaultKeepMs = 600_000;
const parallelLayers = 3;

export class OciImages {
  readonly #options: OciImagesOptions;
  readonly #limits: ImageLimits;
  readonly #records: ImageRecords;
  readonly #partials: PartialBlobs;
  readonly #client: RegistryClient;
  readonly #layers: OciLayers;
  readonly #pulls = new SharedBuilds<OciImage>();
  readonly #demand: LayerDemand;
  /** Time of the last request, by reference. */
  readonly #askedForAtMs = new Map<string, number>();
  #findCredentials: (host: string, repository: string) => RegistryCredentials | undefined = () => undefined;

  private constructor(options: OciImagesOptions) {
    const directory = join(options.imagesDirectory, "oci");
    this.#options = options;
    this.#limits = { ...defaultLimits, ...options.limits };
    this.#demand = new LayerDemand(() => options.now().getTime());
    this.#records = new ImageRecords(join(directory, "records"));
    this.#partials = new PartialBlobs({ ...options, directory: join(directory, "partial") });
    this.#client = new RegistryClient({
      ...options,
      findCredentials: (host, repository) => this.#findCredentials(host, repository),
    });
    this.#layers = new OciLayers({
      ...options,
      partials: this.#partials,
      client: this.#client,
      limits: this.#limits,
    });
  }

  /** Opens the store and removes what killed pulls left a long time ago. */
  static async create(options: OciImagesOptions): Promise<OciImages> {
    await mkdir(options.imagesDirectory, { recursive: true, mode: 0o700 });
    const images = new OciImages(options);
    const collected = await images.#partials.collect();
    if (collected.length > 0)
      options.logger.info({ collected }, "removed parts of blobs that nobody went on with");
    return images;
  }

  /**
   * Returns the image as it was when it was last pulled; pulls it when it is missing. Throws {@link OciError}
   * or the waiter's reason.
   */
  async ensure(reference: string, waiter: Waiter = {}): Promise<OciImage> {
    const parsed = parseImageReference(reference);
    return (await this.#find(formatImageReference(parsed))) ?? this.#pullOnce(parsed, false, waiter);
  }

  /**
   * Asks the registry what the reference is now, and keeps that image until {@link forget}. Throws as {@link
   * ensure} does.
   */
  async pull(reference: string, waiter: Waiter = {}): Promise<OciImage> {
    return this.#pullOnce(parseImageReference(reference), true, waiter);
  }

  /** Returns what has been pulled, whole or with layers removed since. */
  list(): Promise<ImageRecord[]> {
    return this.#records.list();
  }

  /** Removes the record of an image; its layers are no longer kept for its sake. */
  forget(reference: string): Promise<void> {
    return this.#records.remove(formatImageReference(parseImageReference(reference)));
  }

  /**
   * Forgets the images whose layers are not all in use, are not being pulled, and were not asked for lately.
   * Then their layers may go.
   */
  async forgetUnused(
    rootsInUse: ReadonlySet<string>,
    { keepMs = this.#options.keepMs ?? defaultKeepMs }: { keepMs?: number },
  ): Promise<void> {
    const { imagesDirectory, now } = this.#options;
    const sinceMs = now().getTime() - keepMs;
    for (const { reference, layers } of await this.#records.list()) {
      const isUsed = layers.every(({ layer }) => rootsInUse.has(disk.layerRoot(imagesDirectory, layer)));
      const isWanted =
        layers.some(({ layer }) => this.#demand.isWaitedFor(layer)) ||
        (this.#askedForAtMs.get(reference) ?? -Infinity) > sinceMs;
      if (!isUsed && !isWanted) await this.#records.remove(reference);
    }
  }

  /**
   * Returns the directories of layers that no pruning may remove: those of images that an operator pulled,
   * that were requested lately, also when their reference has become another image since, or that are being
   * pulled.
   */
  async rootsInUse({
    keepMs = this.#options.keepMs ?? defaultKeepMs,
  }: { keepMs?: number | undefined } = {}): Promise<string[]> {
    const { imagesDirectory, now, keepMs: ownKeepMs = defaultKeepMs } = this.#options;
    const pinned = (await this.#records.list()).filter(({ isPinned }) => isPinned);
    const nowMs = now().getTime();
    const digests = [
      ...pinned.flatMap(({ layers }) => layers.map(({ layer }) => layer)),
      ...this.#demand.listWanted(nowMs - keepMs),
    ];
    this.#demand.forget(nowMs - ownKeepMs);
    return [...new Set(digests)].map((digest) => disk.layerRoot(imagesDirectory, digest));
  }

  /** Aborts what is under way and waits for its end. */
  async close(): Promise<void> {
    await this.#pulls.abortAll(new Error("The image store was closed"));
    await this.#layers.close();
  }

  async #find(reference: string): Promise<OciImage | undefined> {
    this.#askedForAtMs.set(reference, this.#options.now().getTime());
    const record = await this.#records.find(reference);
    if (record === undefined) return undefined;
    this.#demand.note(record.layers.map(({ layer }) => layer)); // before they are looked for: no pruning comes between
    const present = await Promise.all(
      record.layers.map(({ layer }) => disk.hasLayer(this.#options.imagesDirectory, layer)),
    );
    return present.every(Boolean) ? this.#imageOf(record) : undefined;
  }

  #imageOf({ digest, layers, config }: ImageRecord): OciImage {
    const { imagesDirectory } = this.#options;
    return {
      digest,
      config,
      layers: layers.map(({ layer, diffId }) => ({
        diffId,
        directory: disk.layerRoot(imagesDirectory, layer),
      })),
    };
  }

  async #pullOnce(reference: ImageReference, isPinned: boolean, waiter: Waiter): Promise<OciImage> {
    const name = formatImageReference(reference);
    this.#askedForAtMs.set(name, this.#options.now().getTime());
    return this.#pulls.run(`${isPinned} ${name}`, waiter, async ({ signal, progress }) => {
      const { pullTimeoutMs = 30 * 60_000 } = this.#options;
      const deadline = AbortSignal.timeout(pullTimeoutMs);
      try {
        return await this.#pull(reference, isPinned, {
          signal: AbortSignal.any([signal, deadline]),
          onProgress: progress,
        });
      } catch (error) {
        signal.throwIfAborted();
        if (!deadline.aborted) throw error;
        throw new OciError(
          "unreachable",
          `${name} could not be pulled within ${pullTimeoutMs / 60_000} minutes`,
          error,
        );
      }
    });
  }

  async #pull(reference: ImageReference, isPinned: boolean, waiter: PullWaiter): Promise<OciImage> {
    const { authFile, logger, now } = this.#options;
    const name = formatImageReference(reference);
    const startedAtMs = now().getTime();
    if (authFile !== null) this.#findCredentials = await readRegistryCredentials(authFile);
    this.#client.forgetAuthorizations();
    waiter.onProgress(`Asking for ${name}`);
    const { resolved, endpoints } = await this.#resolve(reference, waiter);
    this.#checkLimits(resolved, name);
    const layers = withoutRepeated(resolved.layers);
    const release = this.#demand.hold(layers.map(({ diffId }) => ociLayerDigest(diffId)));
    try {
      await inParallel(
        layers,
        (layer, signal) => {
          const wanted = { ...layer, repository: reference.repository, endpoints, title: name };
          return this.#layers.ensure(wanted, { signal, onProgress: waiter.onProgress });
        },
        waiter.signal,
      );
      const record = await this.#record(name, { ...resolved, layers }, { isPinned, signal: waiter.signal });
      this.#demand.note(record.layers.map(({ layer }) => layer));
      logger.info(
        {
          reference: name,
          digest: resolved.digest,
          layers: layers.length,
          pullMs: now().getTime() - startedAtMs,
        },
        "pulled an image",
      );
      return this.#imageOf(record);
    } finally {
      release();
    }
  }

  /** Resolves the reference at the first endpoint that has it. Its layers are then requested there first. */
  async #resolve(
    reference: ImageReference,
    { signal }: PullWaiter,
  ): Promise<{ resolved: ResolvedImage; endpoints: RegistryEndpoint[] }> {
    const { architecture, random } = this.#options;
    const endpoints = endpointsOf(reference.registry, this.#options);
    for (const [position, endpoint] of endpoints.entries()) {
      const isLast = position === endpoints.length - 1;
      try {
        const options = {
          client: this.#client,
          endpoint,
          architecture,
          signal,
          random,
          ...(isLast ? {} : { maxAttempts: 2 }),
        };
        return { resolved: await resolveImage(reference, options), endpoints: endpoints.slice(position) };
      } catch (error) {
        signal.throwIfAborted();
        if (isLast) throw error;
      }
    }
    throw new OciError("unreachable", `there is nowhere to ask for ${formatImageReference(reference)}`);
  }

  #checkLimits({ layers }: ResolvedImage, name: string): void {
    const { maxLayers, maxBlobBytes } = this.#limits;
    if (layers.length === 0) throw new OciError("unsupported", `${name} has no layers`);
    if (layers.length > maxLayers)
      throw new OciError(
        "unsafe",
        `${name} has ${layers.length} layers; at most ${maxLayers} can be stacked`,
      );
    const large = layers.find(({ descriptor }) => descriptor.size > maxBlobBytes);
    if (large !== undefined)
      throw new OciError(
        "unsafe",
        `${name} has a layer of ${large.descriptor.size} bytes; at most ${maxBlobBytes} are taken`,
      );
  }

  async #record(
    reference: string,
    { digest, config, layers }: ResolvedImage,
    { isPinned, signal }: { isPinned: boolean; signal: AbortSignal },
  ): Promise<ImageRecord> {
    const stack: ImageRecord["layers"] = [];
    const unpacked = [];
    for (const { diffId } of layers) {
      const layer = await this.#layers.find(diffId);
      if (layer === undefined)
        throw new OciError("unreachable", `a layer of ${reference} was removed while the image was pulled`);
      stack.push({ layer: ociLayerDigest(diffId), diffId });
      unpacked.push(layer);
      if (layer.opaqueDirectories.has("")) break; // it hides all that is below
    }
    const looks = await findImpliedLooks(unpacked, signal);
    if (looks.length > 0) stack.unshift({ layer: await this.#layers.ensureLooks(looks), diffId: null });
    const earlier = await this.#records.find(reference);
    const pinned = isPinned || earlier?.isPinned === true;
    const record = {
      reference,
      digest,
      config,
      layers: stack,
      isPinned: pinned,
      pulledAt: this.#options.now().toISOString(),
    };
    await this.#records.save(record);
    return record;
  }
}

interface PullWaiter {
  signal: AbortSignal;
  onProgress: (line: string) => void;
}

/**
 * Removes repetitions of a layer: overlayfs takes no directory twice, and below its own repetition a layer
 * changes nothing.
 */
function withoutRepeated(layers: ResolvedImage["layers"]): ResolvedImage["layers"] {
  return layers.filter(
    ({ diffId }, position) => layers.findIndex((layer) => layer.diffId === diffId) === position,
  );
}

/** Runs a few at a time; the first failure aborts the others, which are waited for. */
async function inParallel<Item>(
  items: readonly Item[],
  work: (item: Item, signal: AbortSignal) => Promise<void>,
  outer: AbortSignal,
): Promise<void> {
  const failed = new AbortController();
  const signal = AbortSignal.any([outer, failed.signal]);
  const queue = [...items];
  const worker = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) await work(item, signal);
  };
  await Promise.allSettled(
    Array.from({ length: Math.min(parallelLayers, items.length) }, () =>
      worker().catch((error: unknown) => {
        if (!failed.signal.aborted) failed.abort(error);
      }),
    ),
  );
  outer.throwIfAborted();
  failed.signal.throwIfAborted();
}
