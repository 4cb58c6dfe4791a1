/** Downloads one package of the npm registry, and unpacks it after its hash has been verified. */

import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdir, rm } from "node:fs/promises";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { ReadableStream } from "node:stream/web";
import registryUrl from "registry-url";
import { exec, hostEnvironment } from "../host/exec.ts";
import type { NpmPackage } from "./recipe.ts";

const metadataTimeoutMs = 30_000;
const downloadTimeoutMs = 10 * 60_000;
const tarballLimitBytes = 300 * 1024 * 1024;

/** Thrown when the package that the registry delivered is not the one that the recipe names. */
export class IntegrityError extends Error {
  override name = "IntegrityError";
}

export interface FetchNpmPackageOptions {
  /** Address of the registry; ends in a slash. */
  registry: string;
  /** Directory to make, which gets the package's files without their leading `package/`. */
  into: string;
  progress(sentence: string): void;
  signal: AbortSignal;
}

/**
 * Throws {@link IntegrityError} before anything is unpacked when registry or tarball do not match the recipe.
 */
export async function fetchNpmPackage(
  npmPackage: NpmPackage,
  options: FetchNpmPackageOptions,
): Promise<void> {
  const label = `${npmPackage.name} ${npmPackage.version}`;
  options.progress(`Downloading ${label}`);
  const published = await fetchMetadata(npmPackage, options);
  refuseUnlike(label, "The registry's entry", published.integrity, npmPackage.integrity);

  const tarball = `${options.into}.tgz`;
  try {
    const hash = await download(published.tarball, tarball, options.signal);
    refuseUnlike(label, "The tarball", hash, npmPackage.integrity);
    options.progress(`Unpacking ${label}`);
    await unpack(tarball, options.into, options.signal);
  } finally {
    await rm(tarball, { force: true });
  }
}

/**
 * Asks the npm of `environment`'s PATH for the registry that it is set to, by its files and by variables of
 * `environment`. Where there is no npm, as on hosts that a release made, it is the one that npm would use by
 * itself. Throws, with what to set, where an npm does not answer.
 */
export async function findHostNpmRegistry(
  environment: Readonly<Record<string, string | undefined>> = process.env,
): Promise<string> {
  const env = { ...hostEnvironment };
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && (/^npm_config_/i.test(name) || name === "PATH")) env[name] = value;
  }
  const answer = await exec(["npm", "config", "get", "registry"], { env, timeoutMs: 15_000 }).catch(
    (cause: unknown) => {
      if (isNotFound(cause)) return { stdout: registryUrl() };
      throw unknownRegistry(cause);
    },
  );
  const address = answer.stdout.trim();
  if (!URL.canParse(address)) throw unknownRegistry();
  return address.endsWith("/") ? address : `${address}/`;
}

function isNotFound(failure: unknown): boolean {
  const { cause } = failure as { cause?: { code?: unknown } };
  return cause?.code === "ENOENT";
}

function unknownRegistry(cause?: unknown): Error {
  return new Error(
    "npm on this host does not say which registry it uses. Mend npm, or set TIJOLO_NPM_REGISTRY to the registry's address.",
    { cause },
  );
}

async function fetchMetadata(
  { name, version }: NpmPackage,
  { registry, signal }: FetchNpmPackageOptions,
): Promise<{ tarball: string; integrity: string }> {
  const address = new URL(`${encodeURIComponent(name)}/${encodeURIComponent(version)}`, registry);
  const response = await fetch(address, {
    signal: AbortSignal.any([signal, AbortSignal.timeout(metadataTimeoutMs)]),
  });
  if (!response.ok) throw new Error(`${address} answered ${response.status}`);
  const { dist } = (await response.json()) as { dist?: { tarball?: unknown; integrity?: unknown } };
  if (typeof dist?.tarball !== "string" || typeof dist.integrity !== "string") {
    throw new IntegrityError(`${address} names no tarball with an integrity`);
  }
  return { tarball: dist.tarball, integrity: dist.integrity };
}

/** Downloads the file and returns its hash in the form of `dist.integrity`. */
async function download(address: string, file: string, signal: AbortSignal): Promise<string> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(downloadTimeoutMs)]);
  const response = await fetch(address, { signal: deadline });
  if (!response.ok || response.body === null) throw new Error(`${address} answered ${response.status}`);
  const hash = createHash("sha512");
  let sizeBytes = 0;
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk);
      sizeBytes += chunk.length;
      done(
        sizeBytes > tarballLimitBytes
          ? new IntegrityError(`${address} is larger than ${tarballLimitBytes} bytes`)
          : null,
        chunk,
      );
    },
  });
  const body = Readable.fromWeb(response.body as ReadableStream<Uint8Array>);
  await pipeline(body, measure, createWriteStream(file, { mode: 0o600 }), { signal: deadline });
  return `sha512-${hash.digest("base64")}`;
}

function refuseUnlike(label: string, what: string, found: string, expected: string): void {
  if (found !== expected)
    throw new IntegrityError(`${what} of ${label} has the hash ${found}, expected was ${expected}`);
}

async function unpack(tarball: string, into: string, signal: AbortSignal): Promise<void> {
  const names = await exec(["tar", "--list", "--gzip", `--file=${tarball}`], { signal, timeoutMs: 120_000 });
  const unsafe = names.stdout
    .split("\n")
    .find((name) => name.startsWith("/") || name.split("/").includes(".."));
  if (unsafe !== undefined)
    throw new IntegrityError(`The tarball names a path outside: ${JSON.stringify(unsafe)}`);
  await mkdir(into);
  await exec(
    [
      "tar",
      "--extract",
      "--gzip",
      `--file=${tarball}`,
      `--directory=${into}`,
      "--strip-components=1",
      "--no-same-owner",
    ],
    {
      signal,
      timeoutMs: 120_000,
      endsWithAgent: true,
    },
  );
}
