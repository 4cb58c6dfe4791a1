/**
 * Remembers what this host is in the mesh, and what central told of the others: a host that boots while
 * central is away reaches the others as before.
 */

import { createSocket } from "node:dgram";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { meshKey, meshRange, meshUpdate, type MeshUpdate } from "@tijolo/protocol";
import { z } from "zod";
import { writeDurably } from "../host/files/durable-file.ts";
import { OwnKeys, type PrivateKey } from "./own-keys.ts";

const contents = z.object({
  key: meshKey,
  port: z.int().min(1).max(65_535),
  /** Range that central gave this host; null before. */
  range: meshRange.nullable(),
  /** The update that central sent last; null before. */
  update: meshUpdate.nullable().catch(null),
  /** When the key is to give way to another one; null: not decided yet. */
  changeAtMs: z.int().nullable().catch(null).default(null),
});
type Contents = z.infer<typeof contents>;

export interface MeshFileOptions {
  dataDirectory: string;
  /** Port that is taken where it is free at the first start. */
  preferredPort: number;
  /** Range that central gave just now, when this host joined. */
  joinedRange?: string | undefined;
}

export class MeshFile {
  readonly #path: string;
  readonly #keys: OwnKeys;
  #contents: Contents;

  private constructor(path: string, keys: OwnKeys, read: Contents) {
    this.#path = path;
    this.#keys = keys;
    this.#contents = read;
  }

  /** Opens the file; a new key is made where there is none, or none that can be read. */
  static async open({ dataDirectory, preferredPort, joinedRange }: MeshFileOptions): Promise<MeshFile> {
    const path = join(dataDirectory, "mesh.json");
    const keys = await OwnKeys.open(dataDirectory);
    const { publicKey: key } = keys;
    const earlier = await readContents(path);
    const read = earlier ?? { port: await freeUdpPort(preferredPort), range: null, update: null };
    const range = joinedRange ?? read.range;
    const changeAtMs = earlier?.key === key ? earlier.changeAtMs : null;
    const file = new MeshFile(path, keys, { ...read, key, range, changeAtMs });
    if (JSON.stringify(file.#contents) !== JSON.stringify(earlier)) await file.#write();
    return file;
  }

  get privateKey(): PrivateKey {
    return this.#keys.privateKey;
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

  /** Key that this host is going to use; undefined while none is planned. */
  get nextKey(): string | undefined {
    return this.#keys.nextPublicKey;
  }

  get changeAtMs(): number | null {
    return this.#contents.changeAtMs;
  }

  async setChangeAtMs(changeAtMs: number): Promise<void> {
    this.#contents = { ...this.#contents, changeAtMs };
    await this.#write();
  }

  makeNextKey(): Promise<void> {
    return this.#keys.makeNext();
  }

  /** Replaces the key by the next one, which lasts as long as a new one. */
  async useNextKey(): Promise<void> {
    await this.#keys.useNext();
    this.#contents = { ...this.#contents, key: this.#keys.publicKey, changeAtMs: null };
    await this.#write();
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
