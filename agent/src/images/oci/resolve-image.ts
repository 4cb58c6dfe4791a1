/** Resolves a reference at a registry to the layers and the configuration for this machine. */

import { createHash } from "node:crypto";
import { firstOf, PassingError, retry, type RetryOptions } from "@tijolo/protocol/kit";
import type { Architecture } from "../recipe.ts";
import { parseImageConfig, type ImageConfig } from "./image-config.ts";
import {
  manifestMediaTypes,
  parseManifest,
  selectPlatform,
  type Descriptor,
  type ImageManifest,
} from "./image-manifest.ts";
import { formatImageReference, isDigest, type ImageReference } from "./image-reference.ts";
import { OciError, toOciError } from "./oci-error.ts";
import { readBody } from "./registry-answer.ts";
import type { RegistryClient } from "./registry-client.ts";
import type { RegistryEndpoint } from "./registry-endpoint.ts";

export interface ResolvedImage {
  /** Digest of the manifest for this machine: it names everything that the image consists of. */
  digest: string;
  config: ImageConfig;
  /** Layers, topmost first, unlike in the image's own documents. */
  layers: { descriptor: Descriptor; diffId: string }[];
}

export interface ResolveOptions extends RetryOptions {
  client: RegistryClient;
  endpoint: RegistryEndpoint;
  architecture: Architecture;
}

const maxDocumentBytes = 8 * 1024 * 1024;
const requestTimeoutMs = 60_000;

/** Resolves the image. Throws {@link OciError} or the signal's reason. */
export async function resolveImage(
  reference: ImageReference,
  options: ResolveOptions,
): Promise<ResolvedImage> {
  const { digest, manifest } = await findManifest(reference, options);
  const { config: descriptor } = manifest;
  if (descriptor.size > maxDocumentBytes)
    throw new OciError("unsafe", `the image's configuration is larger than ${maxDocumentBytes} bytes`);
  const { body } = await fetchDocument(reference.repository, `blobs/${descriptor.digest}`, options);
  expectDigest(body, descriptor.digest, "configuration");
  const { diffIds, config } = parseImageConfig(body, options.architecture);
  if (diffIds.length !== manifest.layers.length) {
    throw new OciError(
      "mismatch",
      `the image's manifest has ${manifest.layers.length} layers, its configuration ${diffIds.length}`,
    );
  }
  const layers = manifest.layers.map((layer, position) => ({
    descriptor: layer,
    diffId: diffIds[position] ?? "",
  }));
  return { digest, config, layers: layers.reverse() };
}

async function findManifest(
  reference: ImageReference,
  options: ResolveOptions,
): Promise<{ digest: string; manifest: ImageManifest }> {
  const named = await fetchManifest(reference, reference.digest ?? reference.tag ?? "", options);
  if ("manifest" in named) return named;
  const { digest } = selectPlatform(named.index, options.architecture);
  const chosen = await fetchManifest(reference, digest, options);
  if ("manifest" in chosen) return chosen;
  throw new OciError("unsupported", `${formatImageReference(reference)} is an index of indexes`);
}

async function fetchManifest({ repository }: ImageReference, name: string, options: ResolveOptions) {
  const { body, contentType, statedDigest } = await fetchDocument(repository, `manifests/${name}`, options);
  const digest = digestOf(body);
  const expected = isDigest(name) ? name : statedDigest;
  if (expected !== undefined && isDigest(expected)) expectDigest(body, expected, "manifest");
  return { ...parseManifest(body, contentType), digest };
}

async function fetchDocument(
  repository: string,
  path: string,
  { client, endpoint, ...retrying }: ResolveOptions,
) {
  return retry(retrying, async () => {
    const deadline = AbortSignal.timeout(requestTimeoutMs);
    const headers: Record<string, string> = path.startsWith("manifests/")
      ? { accept: manifestMediaTypes.join(", ") }
      : {};
    try {
      const response = await client.get(endpoint, {
        repository,
        path,
        headers,
        signal: AbortSignal.any([retrying.signal, deadline]),
      });
      return {
        body: await readBody(response, maxDocumentBytes),
        contentType: firstOf(response.headers["content-type"]) ?? "",
        statedDigest: firstOf(response.headers["docker-content-digest"]),
      };
    } catch (error) {
      if (deadline.aborted)
        throw new PassingError(`${endpoint.origin} took longer than ${requestTimeoutMs} ms to answer`, {
          cause: error,
        });
      throw error;
    }
  }).catch((error: unknown) => {
    throw toOciError(error);
  });
}

function expectDigest(body: Buffer, expected: string, what: string): void {
  const found = digestOf(body);
  if (found !== expected)
    throw new OciError("mismatch", `the image's ${what} has the hash ${found}, expected was ${expected}`);
}

function digestOf(body: Buffer): string {
  return `sha256:${createHash("sha256").update(body).digest("hex")}`;
}
