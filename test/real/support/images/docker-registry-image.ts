/**
 * Makes images and pushes them: layers from folders by GNU tar, or byte by byte where a tool would refuse;
 * good ones and bad ones.
 */

import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { gzipSync, zstdCompressSync } from "node:zlib";
import { exec } from "../../../../agent/src/host/exec.ts";

export type Compression = "gzip" | "zstd" | "none";

export interface ImageLayer {
  archive: Buffer;
  compression: Compression;
  /** In place of the archive's own. */
  diffId?: string;
}

export interface PushedImage {
  manifestDigest: string;
  /** Lowest first. */
  layers: { digest: string; size: number; diffId: string }[];
}

export interface ImageSettings {
  architecture?: string;
  variant?: string;
  config?: Record<string, unknown>;
}

const manifestType = "application/vnd.oci.image.manifest.v1+json";
const layerType: Record<Compression, string> = {
  gzip: "application/vnd.oci.image.layer.v1.tar+gzip",
  zstd: "application/vnd.oci.image.layer.v1.tar+zstd",
  none: "application/vnd.oci.image.layer.v1.tar",
};

/** Pushes to `http://host/v2/<name>`, with `authorization` where the registry wants one. */
export class ImagePusher {
  readonly #base: string;
  readonly #headers: Record<string, string>;

  constructor(host: string, name: string, authorization?: string) {
    this.#base = `http://${host}/v2/${name}`;
    this.#headers = authorization === undefined ? {} : { authorization };
  }

  async push(
    tag: string,
    layers: ImageLayer[],
    { architecture = hostArchitecture, variant, config = {} }: ImageSettings = {},
  ): Promise<PushedImage> {
    const pushed = [];
    for (const { archive, compression, diffId = digestOf(archive) } of layers) {
      const blob = compress(archive, compression);
      pushed.push({ ...(await this.#blob(blob)), mediaType: layerType[compression], diffId });
    }
    const rootfs = { type: "layers", diff_ids: pushed.map(({ diffId }) => diffId) };
    const document = {
      os: "linux",
      architecture,
      ...(variant === undefined ? {} : { variant }),
      rootfs,
      config,
    };
    const configBlob = await this.#blob(Buffer.from(JSON.stringify(document)));
    const manifest = {
      schemaVersion: 2,
      mediaType: manifestType,
      config: { mediaType: "application/vnd.oci.image.config.v1+json", ...configBlob },
      layers: pushed.map(({ mediaType, digest, size }) => ({ mediaType, digest, size })),
    };
    return { manifestDigest: await this.manifest(tag, manifest, manifestType), layers: pushed };
  }

  async pushIndex(
    tag: string,
    images: { digest: string; architecture: string; variant?: string }[],
  ): Promise<string> {
    const manifests = [];
    for (const { digest, ...platform } of images) {
      const body = await this.#send("GET", `${this.#base}/manifests/${digest}`, null, {
        accept: manifestType,
      });
      manifests.push({
        mediaType: manifestType,
        digest,
        size: body.length,
        platform: { os: "linux", ...platform },
      });
    }
    const mediaType = "application/vnd.oci.image.index.v1+json";
    return this.manifest(tag, { schemaVersion: 2, mediaType, manifests }, mediaType);
  }

  /** Any document under a tag; answers with its digest. */
  async manifest(tag: string, document: unknown, mediaType: string): Promise<string> {
    const body = Buffer.from(JSON.stringify(document));
    await this.#send("PUT", `${this.#base}/manifests/${tag}`, body, { "content-type": mediaType });
    return digestOf(body);
  }

  async #blob(bytes: Buffer): Promise<{ digest: string; size: number }> {
    const digest = digestOf(bytes);
    const started = await fetch(`${this.#base}/blobs/uploads/`, { method: "POST", headers: this.#headers });
    if (started.status !== 202)
      throw new Error(`an upload could not begin: ${started.status} ${await started.text()}`);
    const url = new URL(started.headers.get("location") ?? "", this.#base);
    url.searchParams.set("digest", digest);
    await this.#send("PUT", url.href, bytes, { "content-type": "application/octet-stream" });
    return { digest, size: bytes.length };
  }

  async #send(
    method: string,
    url: string,
    body: Buffer | null,
    headers: Record<string, string>,
  ): Promise<Buffer> {
    const answer = await fetch(url, {
      method,
      body: body === null ? null : new Uint8Array(body),
      headers: { ...this.#headers, ...headers },
    });
    if (!answer.ok) throw new Error(`${method} ${url}: ${answer.status} ${await answer.text()}`);
    return Buffer.from(await answer.arrayBuffer());
  }
}

export const hostArchitecture = process.arch === "x64" ? "amd64" : process.arch;

/** A folder as an archive; `names` instead of all of it leaves out the directories above them. */
export async function archiveOf(folder: string, names?: string[]): Promise<Buffer> {
  const file = `${folder}.tar`;
  const what = names === undefined ? ["."] : ["--no-recursion", ...names];
  await exec(
    [
      "tar",
      "--create",
      "--format=pax",
      "--numeric-owner",
      `--file=${file}`,
      `--directory=${folder}`,
      ...what,
    ],
    {
      timeoutMs: 120_000,
    },
  );
  return readFile(file);
}

export interface RawEntry {
  name: string;
  type?: "0" | "1" | "2" | "3" | "4" | "5" | "6" | "S";
  linkName?: string;
  mode?: number;
  content?: string;
}

/** Makes an archive of exactly these entries, whatever they contain. */
export function rawArchive(entries: RawEntry[]): Buffer {
  return Buffer.concat([...entries.map(rawEntry), Buffer.alloc(1024)]);
}

function rawEntry({ name, type = "0", linkName = "", mode = 0o644, content = "" }: RawEntry): Buffer {
  const body = Buffer.from(content);
  const header = Buffer.alloc(512);
  const fields: [text: string, offset: number][] = [
    [name, 0],
    [mode.toString(8).padStart(7, "0"), 100],
    ["0000000", 108],
    ["0000000", 116],
    [body.length.toString(8).padStart(11, "0"), 124],
    ["00000000000", 136],
    ["        ", 148],
    [type, 156],
    [linkName, 157],
    ["ustar", 257],
    ["00", 263],
    ["0000001", 329],
    ["0000003", 337],
  ];
  for (const [text, offset] of fields) header.write(text, offset, "latin1");
  header.write(
    header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, "0") + "\0",
    148,
    "latin1",
  );
  return Buffer.concat([header, body, Buffer.alloc((512 - (body.length % 512)) % 512)]);
}

function compress(archive: Buffer, compression: Compression): Buffer {
  if (compression === "none") return archive;
  if (compression === "gzip") return gzipSync(archive);
  // Several frames and one to skip, as zstd:chunked has them.
  const middle = Math.floor(archive.length / 2);
  const skipped = Buffer.from([0x50, 0x2a, 0x4d, 0x18, 4, 0, 0, 0, 1, 2, 3, 4]);
  return Buffer.concat([
    zstdCompressSync(archive.subarray(0, middle)),
    skipped,
    zstdCompressSync(archive.subarray(middle)),
  ]);
}

export function digestOf(bytes: Buffer): string {
  return `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
}
