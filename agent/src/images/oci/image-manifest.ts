/**
 * Validates the documents of an image, OCI's and Docker's alike, and selects the image of an index that fits
 * this machine.
 */

import { z } from "zod";
import { isDigest } from "./image-reference.ts";
import { OciError } from "./oci-error.ts";
import type { Architecture } from "../recipe.ts";

const digest = z.string().refine(isDigest, "a digest is sha256: and 64 hexadecimal digits");

const descriptorSchema = z.object({
  mediaType: z.string(),
  digest,
  size: z.number().int().nonnegative(),
});
export type Descriptor = z.infer<typeof descriptorSchema>;

const platformSchema = z.object({ os: z.string(), architecture: z.string(), variant: z.string().optional() });
export type Platform = z.infer<typeof platformSchema>;

const indexSchema = z.object({
  schemaVersion: z.literal(2),
  manifests: z.array(descriptorSchema.extend({ platform: platformSchema.optional() })).max(1000),
});
export type ImageIndex = z.infer<typeof indexSchema>;

const manifestSchema = z.object({
  schemaVersion: z.literal(2),
  config: descriptorSchema,
  layers: z.array(descriptorSchema).max(1000),
});
export type ImageManifest = z.infer<typeof manifestSchema>;

const indexTypes = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
];
const manifestTypes = [
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.v2+json",
];
const layerTypes = [
  "application/vnd.oci.image.layer.v1.tar",
  "application/vnd.oci.image.layer.v1.tar+gzip",
  "application/vnd.oci.image.layer.v1.tar+zstd",
  "application/vnd.docker.image.rootfs.diff.tar",
  "application/vnd.docker.image.rootfs.diff.tar.gzip",
  "application/vnd.docker.image.rootfs.diff.tar.zstd",
];

/** Media types for the `Accept` header. */
export const manifestMediaTypes: readonly string[] = [...indexTypes, ...manifestTypes];

/** Reads the body of a `manifests/…` answer. Throws {@link OciError} of kind `unsupported`. */
export function parseManifest(
  body: Buffer,
  contentType: string,
): { index: ImageIndex } | { manifest: ImageManifest } {
  const document = parseDocument(
    body,
    z.looseObject({ schemaVersion: z.number().optional(), mediaType: z.string().optional() }),
    "manifest",
  );
  const mediaType = document.mediaType ?? contentType.split(";")[0]?.trim() ?? "";
  if (
    document.schemaVersion === 1 ||
    mediaType.startsWith("application/vnd.docker.distribution.manifest.v1+")
  ) {
    throw new OciError(
      "unsupported",
      "the image is in Docker's schema 1, which is no more in use; have it pushed again by a current tool",
    );
  }
  if (indexTypes.includes(mediaType) || (!manifestTypes.includes(mediaType) && "manifests" in document)) {
    return { index: parseDocument(body, indexSchema, "index") };
  }
  const manifest = parseDocument(body, manifestSchema, "manifest");
  const unknown = manifest.layers.find((layer) => !layerTypes.includes(layer.mediaType));
  if (unknown !== undefined)
    throw new OciError(
      "unsupported",
      `the image has a layer of the type ${JSON.stringify(unknown.mediaType)}`,
    );
  return { manifest };
}

/** Reads a document by its schema; the error says what is wrong where. */
export function parseDocument<Schema extends z.ZodType>(
  body: Buffer,
  schema: Schema,
  what: string,
): z.infer<Schema> {
  let value: unknown;
  try {
    value = JSON.parse(body.toString("utf8"));
  } catch (cause) {
    throw new OciError("unsupported", `the image's ${what} is no JSON`, cause);
  }
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  throw new OciError(
    "unsupported",
    `the image's ${what} is malformed: ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/**
 * Returns the image of an index that this machine runs. Throws {@link OciError} that names the platforms that
 * the index has.
 */
export function selectPlatform(index: ImageIndex, architecture: Architecture): Descriptor {
  const fitting = index.manifests
    .map((entry) => ({ entry, rank: rankOf(entry.platform, architecture) }))
    .filter(({ rank }) => rank !== null)
    .sort((one, other) => (one.rank ?? 0) - (other.rank ?? 0));
  const [best] = fitting;
  if (best !== undefined) return best.entry;
  const offered = index.manifests.flatMap(({ platform }) =>
    platform === undefined || platform.os === "unknown" ? [] : [platformName(platform)],
  );
  throw new OciError(
    "unsupported",
    `the image is not made for linux/${ociArchitecture(architecture)}, only for ${offered.join(", ") || "nothing"}`,
  );
}

/** Translates the architecture into OCI's terms, which are Go's. */
function ociArchitecture(architecture: Architecture): string {
  return { x64: "amd64", arm64: "arm64" }[architecture];
}

/** Throws when an image that came without an index is for another machine. */
export function checkPlatform(platform: Platform, architecture: Architecture): void {
  if (rankOf(platform, architecture) !== null) return;
  throw new OciError(
    "unsupported",
    `the image is made for ${platformName(platform)}, not for linux/${ociArchitecture(architecture)}`,
  );
}

/**
 * Returns the rank of a platform: 0 is best; null does not run here. Variants above the first of each
 * architecture need processors that not every host has.
 */
function rankOf(platform: Platform | undefined, architecture: Architecture): number | null {
  if (
    platform === undefined ||
    platform.os !== "linux" ||
    platform.architecture !== ociArchitecture(architecture)
  )
    return null;
  const rank = { x64: ["", "v1"], arm64: ["v8", ""] }[architecture].indexOf(platform.variant ?? "");
  return rank === -1 ? null : rank;
}

function platformName({ os, architecture, variant }: Platform): string {
  return [os, architecture, ...(variant === undefined || variant === "" ? [] : [variant])].join("/");
}
