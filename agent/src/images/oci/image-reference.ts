/** Reads references to images as Docker and the OCI distribution specification write them. */

import { OciError } from "./oci-error.ts";

export interface ImageReference {
  /** Host, with a port where one is named; Docker's public registry is `docker.io`. */
  registry: string;
  /** Path of the repository within the registry: `library/node`. */
  repository: string;
  /** `latest` where neither tag nor digest is named; null where only a digest is. */
  tag: string | null;
  /** Digest `sha256:…`; it decides, whatever the tag says. */
  digest: string | null;
}

const maxNameLength = 255;
const registryPattern = /^(?:[a-zA-Z0-9](?:[a-zA-Z0-9.-]*[a-zA-Z0-9])?|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?$/;
const repositoryPattern =
  /^[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*(?:\/[a-z0-9]+(?:(?:[._]|__|-+)[a-z0-9]+)*)*$/;
const tagPattern = /^[A-Za-z0-9_][A-Za-z0-9_.-]{0,127}$/;
const digestPattern = /^sha256:[0-9a-f]{64}$/;
const dockerHub = "docker.io";

/**
 * Parses `node`, `node:24` or `registry.example:5000/team/app:v2@sha256:…`. Throws {@link OciError} of kind
 * `reference`.
 */
export function parseImageReference(text: string): ImageReference {
  const refuse = (why: string): never => {
    throw new OciError("reference", `${JSON.stringify(text)} is not a reference to an image: ${why}`);
  };
  const [named = "", digest = null, ...more] = text.split("@");
  if (more.length > 0) refuse("there is more than one @");
  if (digest !== null && !isDigest(digest)) refuse("a digest is sha256: and 64 hexadecimal digits");

  const colon = named.lastIndexOf(":");
  const hasTag = colon > named.lastIndexOf("/");
  const tag = hasTag ? named.slice(colon + 1) : digest === null ? "latest" : null;
  if (tag !== null && !tagPattern.test(tag)) refuse("the tag is malformed");

  const { registry, repository } = splitName(hasTag ? named.slice(0, colon) : named);
  if (!registryPattern.test(registry)) refuse("the registry is malformed");
  if (!repositoryPattern.test(repository)) refuse("the name is malformed (it is in lower case)");
  if (registry.length + 1 + repository.length > maxNameLength)
    refuse(`the name is longer than ${maxNameLength} characters`);
  return { registry, repository, tag, digest };
}

/** Formats a reference without defaults; the same text for all ways to write it. */
export function formatImageReference({ registry, repository, tag, digest }: ImageReference): string {
  return `${registry}/${repository}${tag === null ? "" : `:${tag}`}${digest === null ? "" : `@${digest}`}`;
}

export function isDigest(text: string): boolean {
  return digestPattern.test(text);
}

/**
 * Splits off the registry: the text before the first slash is one only when it cannot be part of a name on
 * Docker's registry.
 */
function splitName(name: string): { registry: string; repository: string } {
  const slash = name.indexOf("/");
  const first = name.slice(0, Math.max(slash, 0));
  const namesRegistry = slash > 0 && (/[.:[A-Z]/.test(first) || first === "localhost");
  const registry = namesRegistry ? first.toLowerCase() : dockerHub;
  const repository = namesRegistry ? name.slice(slash + 1) : name;
  if (registry !== dockerHub && registry !== `index.${dockerHub}`) return { registry, repository };
  return { registry: dockerHub, repository: repository.includes("/") ? repository : `library/${repository}` };
}
