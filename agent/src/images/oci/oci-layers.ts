/**
 * Keeps the unpacked layers of OCI images beside the layers made on this host: each complete or not there,
 * each once for all images.
 */

import { createHash } from "node:crypto";
import { chmod, chown, mkdir, rm, utimes } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { removeTree, sizeOfTree } from "../../host/files/trees.ts";
import * as disk from "../layer-directory.ts";
import { SharedBuilds, type Waiter } from "../shared-build.ts";
import { downloadBlob, type BlobSource } from "./download-blob.ts";
import type { DirectoryLook, UnpackedLayer } from "./implied-directories.ts";
import type { PartialBlobs } from "./partial-blobs.ts";
import type { RegistryClient } from "./registry-client.ts";
import type { RegistryEndpoint } from "./registry-endpoint.ts";
import { unpackLayer } from "./unpack-layer.ts";

/** Upper limits of a layer. */
export interface LayerLimits {
  /** Bytes of the blob as it is transferred. */
  maxBlobBytes: number;
  /** Bytes of the archive in the blob, without compression. */
  maxUnpackedBytes: number;
  maxEntries: number;
}

export interface OciLayersOptions {
  imagesDirectory: string;
  partials: PartialBlobs;
  client: RegistryClient;
  limits: LayerLimits;
  now: () => Date;
  random: () => number;
  randomName: () => string;
}

export interface WantedLayer extends Omit<BlobSource, "endpoint"> {
  diffId: string;
  /** Registries and mirrors, tried in this order. */
  endpoints: readonly RegistryEndpoint[];
  /** Title for people: the image that the layer is first pulled for. */
  title: string;
}

/** Revision of the unpacking; raised when the same archive unpacks to something else. */
const revision = 1;
const recipeSchema = z.object({
  kind: z.literal("oci"),
  diffId: z.string(),
  impliedDirectories: z.array(z.string()),
  opaqueDirectories: z.array(z.string()),
});

/** Returns the name of a layer among all layers of the host. */
export function ociLayerDigest(diffId: string): string {
  return shortDigest(["oci", revision, diffId]);
}

export class OciLayers {
  readonly #options: OciLayersOptions;
  readonly #builds = new SharedBuilds<void>();

  constructor(options: OciLayersOptions) {
    this.#options = options;
  }

  /**
   * Brings the layer to this host unless it is here; callers of one layer share the work. Throws OciError or
   * the waiter's reason.
   */
  async ensure(wanted: WantedLayer, waiter: Waiter): Promise<void> {
    const digest = ociLayerDigest(wanted.diffId);
    if (await disk.hasLayer(this.#options.imagesDirectory, digest)) return;
    await this.#builds.run(digest, waiter, (work) => this.#pull(wanted, work));
  }

  /** Makes a layer of nothing but directories; returns its digest. */
  async ensureLooks(looks: readonly DirectoryLook[]): Promise<string> {
    const digest = shortDigest(["oci-directories", revision, looks]);
    const signal = new AbortController().signal;
    await this.#builds.run(digest, {}, async () => {
      if (await disk.hasLayer(this.#options.imagesDirectory, digest)) return;
      const recipe = { kind: "oci-directories" };
      await this.#publish({ digest, title: "directories that layers imply", signal }, async (root) => {
        for (const look of looks) await makeDirectory(root, look);
        for (const { path, mtimeMs } of looks.toReversed())
          await utimes(below(root, path), mtimeMs / 1000, mtimeMs / 1000);
        return recipe;
      });
    });
    return digest;
  }

  /** Returns the layer; undefined when it is not here, or not readable. */
  async find(diffId: string): Promise<UnpackedLayer | undefined> {
    const { imagesDirectory } = this.#options;
    const digest = ociLayerDigest(diffId);
    const recipe = recipeSchema.safeParse((await disk.findManifest(imagesDirectory, digest))?.recipe);
    if (!recipe.success) return undefined;
    const { impliedDirectories, opaqueDirectories } = recipe.data;
    return {
      root: disk.layerRoot(imagesDirectory, digest),
      impliedDirectories: new Set(impliedDirectories),
      opaqueDirectories: new Set(opaqueDirectories),
    };
  }

  async close(): Promise<void> {
    await this.#builds.abortAll(new Error("The image store was closed"));
  }

  async #pull(
    wanted: WantedLayer,
    { signal, progress }: { signal: AbortSignal; progress: (line: string) => void },
  ): Promise<void> {
    const { imagesDirectory, partials, limits } = this.#options;
    const { diffId, title, descriptor } = wanted;
    const digest = ociLayerDigest(diffId);
    if (await disk.hasLayer(imagesDirectory, digest)) return;
    const blob = await partials.claim(descriptor.digest);
    progress(`Downloading a layer of ${megabytes(descriptor.size)} for ${title}`);
    await this.#download(wanted, blob, signal);
    progress(`Unpacking a layer for ${title}`);
    try {
      await this.#publish({ digest, title: `Layer of ${title}`, signal }, async (directory, scratch) => {
        const { maxUnpackedBytes: maxBytes, maxEntries } = limits;
        const facts = await unpackLayer({
          file: blob,
          diffId,
          directory,
          scratch,
          maxBytes,
          maxEntries,
          signal,
        });
        return { kind: "oci", diffId, ...facts };
      });
    } finally {
      // Its hash was right: what could not be unpacked now cannot be unpacked the next time either.
      if (!signal.aborted) await rm(blob, { force: true });
    }
  }

  async #download(
    { endpoints, descriptor, repository }: WantedLayer,
    file: string,
    signal: AbortSignal,
  ): Promise<void> {
    const { client, random } = this.#options;
    for (const [position, endpoint] of endpoints.entries()) {
      const isLast = position === endpoints.length - 1;
      try {
        return await downloadBlob({ descriptor, repository, endpoint }, file, {
          client,
          signal,
          random,
          ...(isLast ? {} : { maxAttempts: 2 }),
        });
      } catch (error) {
        signal.throwIfAborted();
        if (isLast) throw error;
      }
    }
  }

  /** Publishes a layer. `fill` returns the recipe that the manifest is to show. */
  async #publish(
    { digest, title, signal }: { digest: string; title: string; signal: AbortSignal },
    fill: (root: string, scratch: string) => Promise<unknown>,
  ): Promise<void> {
    const { imagesDirectory, now, randomName } = this.#options;
    const startedAtMs = now().getTime();
    const directory = await disk.makeBuildDirectory(imagesDirectory, digest, randomName);
    try {
      const root = join(directory, "root");
      const recipe = await fill(root, join(directory, "scratch"));
      const sizeBytes = await sizeOfTree(root);
      signal.throwIfAborted();
      const builtAt = now();
      const buildMs = builtAt.getTime() - startedAtMs;
      const manifest = { digest, title, builtAt: builtAt.toISOString(), buildMs, sizeBytes, recipe };
      await disk.publishBuild(directory, { imagesDirectory, manifest, signal });
    } catch (error) {
      await removeTree(directory);
      throw error;
    }
  }
}

async function makeDirectory(root: string, { path, mode, uid, gid }: DirectoryLook): Promise<void> {
  const directory = below(root, path);
  await mkdir(directory);
  await chown(directory, uid, gid);
  await chmod(directory, mode);
}

/** Returns a path below a directory; names are bytes, written as latin1. */
function below(root: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(`${root}/`), Buffer.from(path, "latin1")]);
}

function shortDigest(content: unknown): string {
  return createHash("sha256").update(JSON.stringify(content)).digest("hex").slice(0, 32);
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
