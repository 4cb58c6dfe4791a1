/**
 * Simulates an authenticator together with its browser: it makes a passkey and signs with it, in the JSON
 * forms that browsers send (WebAuthn).
 */

import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from "node:crypto";
import type { Passkey, SignedIn } from "@tijolo/protocol";
import { PanelSession } from "./panel.ts";

/** What an answer may have wrong, and what the authenticator is like. */
export interface SoftPasskeyOptions {
  /** Origin that the browser states. Default: that of the options' host, at the panel's port. */
  origin?: string;
  isUserVerified?: boolean;
  isSynced?: boolean;
  /** Count of uses that is reported; default: one more than before. */
  counter?: number;
  userHandle?: string;
  challenge?: string;
}

/** Options as central writes them for `navigator.credentials`. */
type BrowserOptions = Readonly<Record<string, unknown>>;

const flag = { userPresent: 0x01, userVerified: 0x04, mayBeSynced: 0x08, isSynced: 0x10, hasKey: 0x40 };

export class SoftPasskey {
  readonly id = randomBytes(16);
  readonly #privateKey: KeyObject;
  readonly #coseKey: Buffer;
  counter = 0;
  userHandle = "";

  constructor(algorithm: keyof typeof makers = "ES256") {
    const { privateKey, coseKey } = makers[algorithm]();
    this.#privateKey = privateKey;
    this.#coseKey = cbor(coseKey);
  }

  /** Has the person add this passkey. */
  async add(panel: PanelSession, name = "Phone"): Promise<Passkey> {
    const { options } = await panel.client.beginPasskey({ body: { password: panel.password } });
    const credential = this.create(options, { origin: panel.centralUrl });
    return (await panel.client.addPasskey({ body: { name, credential } })).passkey;
  }

  /** Signs the browser in by this passkey. */
  async signIn(panel: PanelSession, more: SoftPasskeyOptions = {}): Promise<SignedIn> {
    const { options } = await panel.client.beginPasskeySignIn();
    const credential = this.use(options, { origin: panel.centralUrl, ...more });
    return panel.client.signInPasskey({ body: { credential } });
  }

  /** Confirms the browser's session by this passkey. */
  async confirm(panel: PanelSession, more: SoftPasskeyOptions = {}): Promise<void> {
    const { options } = await panel.client.beginPasskeyConfirmation();
    const credential = this.use(options, { origin: panel.centralUrl, ...more });
    await panel.client.confirmSessionByPasskey({ body: { credential } });
  }

  /** Answers `navigator.credentials.create`. */
  create(options: BrowserOptions, more: SoftPasskeyOptions = {}) {
    const { rp, user } = options as { rp: { id: string }; user: { id: string } };
    this.userHandle = user.id;
    const length = Buffer.alloc(2);
    length.writeUInt16BE(this.id.length);
    const authData = Buffer.concat([
      this.#dataOf(rp.id, flag.hasKey, more),
      Buffer.alloc(16),
      length,
      this.id,
      this.#coseKey,
    ]);
    const attestation = new Map<string, Cbor>([
      ["fmt", "none"],
      ["attStmt", new Map()],
      ["authData", authData],
    ]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: clientData("webauthn.create", options, more).toString("base64url"),
        attestationObject: cbor(attestation).toString("base64url"),
        transports: ["internal"],
      },
    };
  }

  /** Answers `navigator.credentials.get`. */
  use(options: BrowserOptions, more: SoftPasskeyOptions = {}) {
    this.counter = more.counter ?? this.counter + 1;
    const authenticatorData = this.#dataOf(String(options["rpId"]), 0, more);
    const client = clientData("webauthn.get", options, more);
    const isHashedBefore = this.#privateKey.asymmetricKeyType !== "ed25519";
    const signed = Buffer.concat([authenticatorData, createHash("sha256").update(client).digest()]);
    return {
      ...this.#named(),
      response: {
        clientDataJSON: client.toString("base64url"),
        authenticatorData: authenticatorData.toString("base64url"),
        signature: sign(isHashedBefore ? "sha256" : null, signed, this.#privateKey).toString("base64url"),
        userHandle: more.userHandle ?? this.userHandle,
      },
    };
  }

  #named() {
    const id = this.id.toString("base64url");
    return { id, rawId: id, type: "public-key" as const };
  }

  #dataOf(
    rpId: string,
    flags: number,
    { isUserVerified = true, isSynced = false }: SoftPasskeyOptions,
  ): Buffer {
    const all =
      flags |
      flag.userPresent |
      (isUserVerified ? flag.userVerified : 0) |
      (isSynced ? flag.mayBeSynced | flag.isSynced : 0);
    const tail = Buffer.alloc(5);
    tail.writeUInt8(all);
    tail.writeUInt32BE(this.counter, 1);
    return Buffer.concat([createHash("sha256").update(rpId).digest(), tail]);
  }
}

/** Makes the keys of each algorithm, with the public one as a COSE key (RFC 9053). */
const makers = {
  ES256() {
    const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const { x, y } = publicKey.export({ format: "jwk" });
    return { privateKey, coseKey: coseKeyOf([1, 2], [3, -7], [-1, 1], [-2, bytesOf(x)], [-3, bytesOf(y)]) };
  },
  EdDSA() {
    const { privateKey, publicKey } = generateKeyPairSync("ed25519");
    const { x } = publicKey.export({ format: "jwk" });
    return { privateKey, coseKey: coseKeyOf([1, 1], [3, -8], [-1, 6], [-2, bytesOf(x)]) };
  },
  RS256() {
    const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const { n, e } = publicKey.export({ format: "jwk" });
    return { privateKey, coseKey: coseKeyOf([1, 3], [3, -257], [-1, bytesOf(n)], [-2, bytesOf(e)]) };
  },
};

function coseKeyOf(...entries: [number, Cbor][]): Map<number, Cbor> {
  return new Map(entries);
}

function bytesOf(text = ""): Buffer {
  return Buffer.from(text, "base64url");
}

/** Returns the person's browser at `localhost`, where passkeys work without TLS. */
export function atLocalhost(panel: PanelSession, cookies = panel.cookies): PanelSession {
  const { port } = new URL(panel.centralUrl);
  const there = new PanelSession(`http://localhost:${port}`, panel.headers);
  for (const [name, value] of cookies) there.cookies.set(name, value);
  return Object.assign(there, { accountId: panel.accountId, email: panel.email, password: panel.password });
}

function clientData(
  type: string,
  options: BrowserOptions,
  { origin, challenge }: SoftPasskeyOptions,
): Buffer {
  const signed = challenge ?? options["challenge"];
  return Buffer.from(JSON.stringify({ type, challenge: signed, origin, crossOrigin: false }));
}

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** Encodes what authenticators send, in CBOR (RFC 8949): whole numbers, texts, bytes and maps. */
function cbor(value: Cbor): Buffer {
  if (typeof value === "number") return value < 0 ? cborHead(1, -1 - value) : cborHead(0, value);
  if (typeof value === "string")
    return Buffer.concat([cborHead(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([cborHead(2, value.length), value]);
  const entries = Array.from(value, ([key, inner]) => Buffer.concat([cbor(key), cbor(inner)]));
  return Buffer.concat([cborHead(5, value.size), ...entries]);
}

function cborHead(major: number, amount: number): Buffer {
  if (amount < 24) return Buffer.from([(major << 5) | amount]);
  if (amount < 256) return Buffer.from([(major << 5) | 24, amount]);
  return Buffer.from([(major << 5) | 25, amount >> 8, amount & 255]);
}
