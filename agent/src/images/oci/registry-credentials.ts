/** Reads the credentials of registries from a file as `docker login` writes it. */

import { open } from "node:fs/promises";
import { z } from "zod";
import { OciError } from "./oci-error.ts";

/** A name and password, or the token that some registries give in their place. Never to be logged. */
export type RegistryCredentials = { username: string; password: string } | { identityToken: string };

/** Finds the credentials for a host and a repository on it; undefined for an anonymous visit. */
export type FindCredentials = (host: string, repository: string) => RegistryCredentials | undefined;

const maxFileBytes = 1024 * 1024;
const authFile = z.object({
  auths: z
    .record(
      z.string(),
      z.object({
        auth: z.string().optional(),
        username: z.string().optional(),
        password: z.string().optional(),
        identitytoken: z.string().optional(),
      }),
    )
    .default({}),
  credHelpers: z.record(z.string(), z.string()).default({}),
  credsStore: z.string().optional(),
});
type AuthFile = z.infer<typeof authFile>;

/**
 * Reads the file of `docker login` (`~/.docker/config.json`) and `podman login`. Keys are hosts, hosts with
 * the start of a repository's path, or addresses; the longest that fits wins. Throws {@link OciError} when
 * the file cannot be read.
 */
export async function readRegistryCredentials(path: string): Promise<FindCredentials> {
  return credentialsOf(parseAuthFile(await readBounded(path), path), path);
}

function parseAuthFile(text: string, path: string): AuthFile {
  try {
    return authFile.parse(JSON.parse(text));
  } catch {
    // The cause could quote a password.
    throw new OciError(
      "unsupported",
      `${path} is not a file of registry credentials as docker login writes it`,
    );
  }
}

function credentialsOf(file: AuthFile, path: string): FindCredentials {
  const entries = Object.entries(file.auths).map(([key, entry]) => [placeOf(key), entry] as const);
  const helpers = new Set(Object.keys(file.credHelpers).map(placeOf));
  return (host, repository) => {
    for (const place of placesOf(host, repository)) {
      const entry = entries.find(([known]) => known === place)?.[1];
      const found = entry === undefined ? undefined : readEntry(entry, place, path);
      if (found !== undefined) return found;
      if (helpers.has(place) || (entry !== undefined && file.credsStore !== undefined)) {
        throw new OciError(
          "unsupported",
          `${path} leaves the credentials of ${place} to a helper program; write them into the file itself`,
        );
      }
    }
    return undefined;
  };
}

function readEntry(
  entry: AuthFile["auths"][string],
  place: string,
  path: string,
): RegistryCredentials | undefined {
  if (entry.identitytoken !== undefined && entry.identitytoken !== "")
    return { identityToken: entry.identitytoken };
  if (entry.auth !== undefined && entry.auth !== "") {
    const pair = Buffer.from(entry.auth, "base64").toString("utf8");
    const colon = pair.indexOf(":");
    if (colon <= 0) throw new OciError("unsupported", `${path} has a malformed auth for ${place}`);
    return { username: pair.slice(0, colon), password: pair.slice(colon + 1).replace(/\0+$/, "") };
  }
  if (entry.username === undefined || entry.password === undefined) return undefined;
  return { username: entry.username, password: entry.password };
}

/**
 * Returns a key without scheme, version and trailing slash: `https://index.docker.io/v1/` is how Docker calls
 * its public registry.
 */
function placeOf(key: string): string {
  const place = key
    .replace(/^https?:\/\//, "")
    .replace(/\/(v1|v2)?\/?$/, "")
    .toLowerCase();
  return ["index.docker.io", "registry-1.docker.io"].includes(place) ? "docker.io" : place;
}

/** Returns the keys to look up, from the most to the least exact. */
function placesOf(host: string, repository: string): string[] {
  const parts = repository.split("/");
  const known = placeOf(host);
  return [...parts.map((_, dropped) => [known, ...parts.slice(0, parts.length - dropped)].join("/")), known];
}

async function readBounded(path: string): Promise<string> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size > maxFileBytes)
      throw new OciError("unsupported", `${path} is larger than ${maxFileBytes} bytes`);
    return await file.readFile("utf8");
  } finally {
    await file.close();
  }
}
