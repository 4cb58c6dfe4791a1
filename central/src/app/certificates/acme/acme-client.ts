/** Speaks with one ACME server as one account (RFC 8555): nonces, signatures, errors. */

import type { KeyObject } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { z } from "zod";
import type { Clock } from "../../clock.ts";
import { AcmeError } from "./acme-error.ts";
import { account, authorization, directory, order, renewalInfo } from "./acme-schemas.ts";
import type { Authorization, Directory, Order } from "./acme-schemas.ts";
import { problemOf, type AcmeResponse, type AcmeTransport } from "./acme-transport.ts";
import { bindAccount, signMessage, thumbprintOf } from "./jws.ts";

export interface AcmeServer {
  directoryUrl: string;
  /** Account that the operator has with the authority, to which ours is bound; null: none is needed. */
  binding: { keyId: string; hmacKey: string } | null;
}

export interface AcmeClientOptions {
  server: AcmeServer;
  accountKey: KeyObject;
  /** Mail address that the authority may write to. */
  contact: string | null;
  transport: AcmeTransport;
  clock: Clock;
  signal: AbortSignal;
}

/** Times that a message is signed anew because the server refused its nonce. */
const nonceTries = 12;
const firstPollMs = 250;
const maxPollMs = 10_000;
/** Milliseconds for which an order or an authorization may be in the works. */
const pollMs = 120_000;

interface Answer<Body> {
  body: Body;
  /** The resource's own address, of one that was made. */
  url: string;
}

export class AcmeClient {
  readonly #options: AcmeClientOptions;
  readonly #nonces: string[] = [];
  #directory: Directory | null = null;
  #accountUrl: string | null = null;

  constructor(options: AcmeClientOptions) {
    this.#options = options;
  }

  get thumbprint(): string {
    return thumbprintOf(this.#options.accountKey);
  }

  async directory(): Promise<Directory> {
    const { transport, server, signal } = this.#options;
    this.#directory ??= await (async () => {
      const answer = await transport.send("GET", server.directoryUrl, { signal });
      if (answer.status !== 200) throw errorOf(answer, "the authority shows no directory");
      return parsed(directory, answer);
    })();
    return this.#directory;
  }

  /** Makes the account, or finds it: the server knows it by its key. */
  async openAccount(): Promise<void> {
    if (this.#accountUrl !== null) return;
    const { newAccount, meta } = await this.directory();
    const { server, accountKey, contact } = this.#options;
    const { binding } = server;
    if (meta?.externalAccountRequired === true && binding === null)
      throw new AcmeError("refused", "the authority accepts only accounts that are bound to one of its own");
    const { url } = await this.#post(newAccount, account, {
      termsOfServiceAgreed: true,
      ...(contact === null ? {} : { contact: [`mailto:${contact}`] }),
      ...(binding === null
        ? {}
        : { externalAccountBinding: bindAccount(accountKey, { url: newAccount, ...binding }) }),
    });
    this.#accountUrl = url;
  }

  /** Orders a certificate of these names; `replaces` is the renewed one by its ARI id (RFC 9773, 5). */
  async newOrder(names: readonly string[], replaces: string | null): Promise<Answer<Order>> {
    await this.openAccount();
    const { newOrder } = await this.directory();
    const identifiers = names.map((value) => ({ type: "dns", value }));
    return this.#post(newOrder, order, { identifiers, ...(replaces === null ? {} : { replaces }) });
  }

  async authorization(url: string): Promise<Authorization> {
    return (await this.#post(url, authorization)).body;
  }

  /** Says that a challenge can be looked at. */
  async beginChallenge(url: string): Promise<void> {
    await this.#send(url, {});
  }

  /** Sends the request for the certificate. */
  async finalize({ finalize }: Order, request: Buffer): Promise<void> {
    await this.#send(finalize, { csr: request.toString("base64url") });
  }

  /** Resolves with the order once it is no longer in one of these states. */
  untilOrderLeft(url: string, states: readonly string[]): Promise<Order> {
    return this.#untilLeft(url, order, states);
  }

  /** Resolves with the authorization once it is no longer pending. */
  untilJudged(url: string): Promise<Authorization> {
    return this.#untilLeft(url, authorization, ["pending"]);
  }

  /** Returns the chain in PEM. */
  async download(url: string): Promise<string> {
    return (await this.#send(url)).text;
  }

  /**
   * Returns the window in which the authority wants a certificate renewed, and when to ask again; null where
   * it says nothing of that, or the certificate has no id for it.
   */
  async renewalWindow(
    certificateId: string | null,
  ): Promise<{ beginsAt: number; endsAt: number; askAt: number | null } | null> {
    const { renewalInfo: base } = await this.directory();
    if (base === undefined || certificateId === null) return null;
    const { transport, signal } = this.#options;
    const url = `${base.replace(/\/$/, "")}/${certificateId}`;
    const answer = await transport.send("GET", url, { signal });
    if (answer.status === 404) return null;
    if (answer.status !== 200) throw errorOf(answer, "the authority says nothing of the renewal");
    const { beginsAt, endsAt } = parsed(renewalInfo, answer);
    if (endsAt <= beginsAt)
      throw new AcmeError("nonsense", "the authority's window of renewal has no length");
    return { beginsAt, endsAt, askAt: answer.retryAt };
  }

  async #untilLeft<Schema extends z.ZodType<{ status: string }>>(
    url: string,
    schema: Schema,
    states: readonly string[],
  ): Promise<z.output<Schema>> {
    const { clock, signal } = this.#options;
    const deadline = performance.now() + pollMs;
    for (let pauseMs = firstPollMs; ; pauseMs = Math.min(pauseMs * 2, maxPollMs)) {
      const answer = await this.#send(url);
      const body = parsed(schema, answer);
      if (!states.includes(body.status)) return body;
      if (performance.now() > deadline)
        throw new AcmeError("unreachable", `the authority has left it "${body.status}" for two minutes`);
      const wantedMs = answer.retryAt === null ? pauseMs : answer.retryAt - clock.now();
      await delay(Math.min(Math.max(wantedMs, firstPollMs), maxPollMs), undefined, { signal });
    }
  }

  async #post<Schema extends z.ZodType>(
    url: string,
    schema: Schema,
    payload?: unknown,
  ): Promise<Answer<z.output<Schema>>> {
    const answer = await this.#send(url, payload);
    const body = parsed(schema, answer);
    if (payload !== undefined && answer.location === null)
      throw new AcmeError("nonsense", "the authority made something and did not say where");
    return { body, url: answer.location ?? url };
  }

  async #send(url: string, payload?: unknown): Promise<AcmeResponse> {
    const { transport, accountKey, signal } = this.#options;
    for (let left = nonceTries; ; left--) {
      const nonce = this.#nonces.pop() ?? (await this.#newNonce());
      const body = signMessage(accountKey, { url, nonce, accountUrl: this.#accountUrl, payload });
      const answer = await transport.send("POST", url, { body, signal });
      this.#keepNonce(answer);
      if (answer.status >= 200 && answer.status < 300) return answer;
      const error = errorOf(answer, "the authority refuses");
      if (error.type !== "badNonce" || left === 0) throw error;
    }
  }

  async #newNonce(): Promise<string> {
    const { transport, signal } = this.#options;
    const { newNonce } = await this.directory();
    const { nonce } = await transport.send("HEAD", newNonce, { signal });
    if (nonce === null) throw new AcmeError("nonsense", "the authority gives no nonce");
    return nonce;
  }

  #keepNonce({ nonce }: AcmeResponse): void {
    if (nonce !== null && /^[\w-]{1,1000}$/.test(nonce) && this.#nonces.length < 8) this.#nonces.push(nonce);
  }
}

function parsed<Schema extends z.ZodType>(schema: Schema, { text, status }: AcmeResponse): z.output<Schema> {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new AcmeError("nonsense", `the authority's answer (${status}) is none of the protocol's`, {
      cause,
    });
  }
}

/** Turns an answer that is an error into ours. */
function errorOf(answer: AcmeResponse, otherwise: string): AcmeError {
  const { type, detail, subproblems } = problemOf(answer);
  const name = /^urn:ietf:params:acme:error:(\w{1,60})$/.exec(type)?.[1] ?? null;
  const details = [detail, ...subproblems.map((each) => each.detail)].filter((each) => each !== "");
  const text = details.join("; ") || `${otherwise} (${answer.status})`;
  const options = { type: name, retryAt: answer.retryAt };
  if (name === "rateLimited" || answer.status === 429) return new AcmeError("rate_limited", text, options);
  if (name === "caa") return new AcmeError("caa", text, options);
  if (answer.status >= 500 && name === null) return new AcmeError("unreachable", text, options);
  return new AcmeError(name === null ? "nonsense" : "refused", text, options);
}
