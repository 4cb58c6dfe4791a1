/**
 * Keeps this host's private keys of the mesh, each in a file of its own that nobody else reads: the one that is
 * used, and the next one while others learn of it.
 */

import { createPrivateKey, createPublicKey, generateKeyPairSync } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { meshKey } from "@tijolo/protocol";
import { writeDurably } from "../host/files/durable-file.ts";

/** Bytes that stand before the 32 of a Curve25519 key in PKCS #8 (RFC 8410). */
const pkcs8Head = Buffer.from("302e020100300506032b656e04220420", "hex");

/** Private key, base64, and the file that holds it. */
export interface PrivateKey {
  text: string;
  file: string;
}

export class OwnKeys {
  readonly #files: { current: string; next: string };
  #current: string;
  #next: string | undefined;

  private constructor(files: { current: string; next: string }, current: string, next: string | undefined) {
    this.#files = files;
    this.#current = current;
    this.#next = next;
  }

  /** Opens the keys of a directory; a new one is made where there is none, or none that can be read. */
  static async open(directory: string): Promise<OwnKeys> {
    const files = { current: join(directory, "mesh.key"), next: join(directory, "mesh-next.key") };
    const [earlier, next] = [await readKey(files.current), await readKey(files.next)];
    const current = earlier ?? newKey();
    if (earlier === undefined) await writeDurably(files.current, `${current}\n`);
    // An agent that ended in `useNext` has left the same key in both files.
    const isUsed = next === current;
    if (isUsed) await rm(files.next);
    return new OwnKeys(files, current, isUsed ? undefined : next);
  }

  get privateKey(): PrivateKey {
    return { text: this.#current, file: this.#files.current };
  }

  get publicKey(): string {
    return publicKeyOf(this.#current);
  }

  /** Public half of the next key; undefined while none is planned. */
  get nextPublicKey(): string | undefined {
    return this.#next && publicKeyOf(this.#next);
  }

  async makeNext(): Promise<void> {
    const next = newKey();
    await writeDurably(this.#files.next, `${next}\n`);
    this.#next = next;
  }

  /** Replaces the key by the next one, in one step on the disk. */
  async useNext(): Promise<void> {
    if (this.#next === undefined) return;
    await writeDurably(this.#files.current, `${this.#next}\n`);
    [this.#current, this.#next] = [this.#next, undefined];
    await rm(this.#files.next, { force: true });
  }
}

async function readKey(file: string): Promise<string | undefined> {
  return meshKey.safeParse((await readFile(file, "utf8").catch(() => "")).trim()).data;
}

function newKey(): string {
  const { d = "" } = generateKeyPairSync("x25519").privateKey.export({ format: "jwk" });
  return Buffer.from(d, "base64url").toString("base64");
}

function publicKeyOf(privateKey: string): string {
  const key = Buffer.concat([pkcs8Head, Buffer.from(privateKey, "base64")]);
  const pair = createPublicKey(createPrivateKey({ key, format: "der", type: "pkcs8" }));
  const { x = "" } = pair.export({ format: "jwk" });
  return Buffer.from(x, "base64url").toString("base64");
}
