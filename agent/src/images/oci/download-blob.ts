/** Downloads a blob of a registry to the disk, checked against its digest. */

import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { download, type RetryOptions } from "@tijolo/protocol/kit";
import type { Descriptor } from "./image-manifest.ts";
import { toOciError } from "./oci-error.ts";
import type { RegistryClient } from "./registry-client.ts";
import type { RegistryEndpoint } from "./registry-endpoint.ts";

export interface BlobSource {
  descriptor: Descriptor;
  repository: string;
  endpoint: RegistryEndpoint;
}

/**
 * Downloads the whole blob into `file`. Throws {@link OciError} or the signal's reason; the file then holds
 * what was read, for the next attempt: of what came just before a cut, up to a stream's buffer (64 KB) is
 * lost.
 */
export async function downloadBlob(
  { descriptor: { size, digest }, repository, endpoint }: BlobSource,
  file: string,
  { client, ...options }: RetryOptions & { client: RegistryClient },
): Promise<void> {
  const { signal } = options;
  await using handle = await open(file, constants.O_RDWR | constants.O_CREAT | constants.O_NOFOLLOW, 0o600);
  const source = {
    sizeBytes: size,
    sha256: digest.slice("sha256:".length),
    origin: endpoint.origin,
    // Without `if-range`: a digest names its bytes, while each server behind a registry may have tags of its own.
    request: ({ range }: Record<string, string>) =>
      client.get(endpoint, {
        repository,
        path: `blobs/${digest}`,
        headers: range === undefined ? {} : { range },
        signal,
      }),
  };
  await download(source, handle, options).catch((error: unknown) => {
    throw toOciError(error);
  });
}
