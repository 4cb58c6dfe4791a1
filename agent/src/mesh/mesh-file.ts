/**
 * Remembers what this host is in the mesh, and what central told of the others: a host that boots while
 * central is away reaches the others as before.
 */

import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { meshKey, meshRange, meshUpdate, type MeshUpdate } from "@tijolo/protocol";
import { z } from "zod";
import { writeDurably } from "../host/files/durable-file.ts";

const contents = z.object({
  key: meshKey,
  port: z.int().min(1).max(65_535),
  /** Range that central gave this host; null before. */
  range: meshRange.nullable(),
  /** The update that central sent last; null before. */
  update: meshUpdate.nullable().catch(null),
});
type Contents = z.infer<typeof contents>;

/** Bytes that stand before the 32 of a Curve25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b656e04220420", "hex");

export interface MeshFileOptions {
  dataDirectory: string;
  /** Port that is taken where it is free at the first start. */
  preferredPort: number;
  /** Range that central gave just now, when this host joined. */
  joinedRange?: string | undefined;
}

export class MeshFile {
  /** Private key, base64, and the file that holds it. */
  readonly privateKey: { text: string; file: string };
  readonly #path: string;
  #contents: Contents;

  private constructor(path: string, privateKey: { text: string; file: string }, read: Contents) {
    this.#path = path;
    this.privateKey = privateKey;
    this.#contents = read;
  }

  /** Opens the file; a new key is made where there is none, or none that can be read. */
  static async open({ dataDirectory, preferredPort, joinedRange }: MeshFileOptions): Promise<MeshFile> {
    const path = join(dataDirectory, "mesh.json");
    const privateKey = await keepKey(join(dataDirectory, "mesh.key"));
    const key = publicKeyOf(privateKey.text);
    const earlier = await readContents(path);
    const read = earlier ?? { port: await freeUdpPort(preferredPort), range: null, update: null };
    const file = new MeshFile(path, privateKey, { ...read, key, range: joinedRange ?? read.range });
    if (JSON.stringify(file.#contents) !== JSON.stringify(earlier)) await file.#write();
    return file;
  }

  get key(): string {
    return this.#contents.key;
  }

  get port(): number {
    return this.#contents.port;
  }

  get range(): string | null {
    return this.#contents.range;
  }

  get update(): MeshUpdate | null {
    return this.#contents.update;
  }

  async save(update: MeshUpdate): Promise<void> {
    this.#contents = { ...this.#contents, update, range: update.range ?? this.#contents.range };
    await this.#write();
  }

  /** Takes another port, because another program has this one. Central learns of it with the next connection. */
  async takeAnotherPort(): Promise<number> {
    this.#contents = { ...this.#contents, port: await freeUdpPort(0) };
    await this.#write();
    return this.port;
  }

  #write(): Promise<void> {
    return writeDurably(this.#path, JSON.stringify(this.#contents));
  }
}

async function readContents(path: string): Promise<Contents | undefined> {
  try {
    return contents.parse(JSON.parse(await readFile(path, "utf8")));
  } catch {
    return undefined;
  }
}

/** Returns the key in the file; makes one where there is none, or none that can be read. */
async function keepKey(file: string): Promise<{ text: string; file: string }> {
  const earlier = meshKey.safeParse((await readFile(file, "utf8").catch(() => "")).trim());
  if (earlier.success) return { text: earlier.data, file };
  const { d = "" } = generateKeyPairSync("x25519").privateKey.export({ format: "jwk" });
  const text = Buffer.from(d, "base64url").toString("base64");
  await writeDurably(file, `${text}\n`);
  return { text, file };
}

function publicKeyOf(privateKey: string): string {
  const key = Buffer.concat([pkcs8Head, Buffer.from(privateKey, "base64")]);
  const pair = createPublicKey(createPrivateKey({ key, format: "der", type: "pkcs8" }));
  const { x = "" } = pair.export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("base64");
}

/** Returns the port where it is free, otherwise one that is. */
async function freeUdpPort(preferred: number): Promise<number> {
  const socket = createSocket("udp4");
  try {
    socket.bind(preferred);
    await once(socket, "listening");
    return socket.address().port;
  } catch (error) {
    if (preferred === 0) throw error;
    return await freeUdpPort(0);
  } finally {
    socket.close();
  }
}
