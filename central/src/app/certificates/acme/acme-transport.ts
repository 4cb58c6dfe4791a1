/** Carries requests to ACME servers: bounded in time and size, no redirects, over TLS only. */

import { rootCertificates } from "node:tls";
import { Agent, request } from "undici";
import type { Clock } from "../../clock.ts";
import { AcmeError } from "./acme-error.ts";
import { problem, type Problem } from "./acme-schemas.ts";

export interface AcmeResponse {
  status: number;
  text: string;
  location: string | null;
  /** Nonce for the next request. */
  nonce: string | null;
  /** Time before which the same is not to be asked again. */
  retryAt: number | null;
}

const requestMs = 30_000;
const maxBytes = 512 * 1024;
/** Longest time that a server may put off a client by `Retry-After`. */
const maxPutOffMs = 7 * 24 * 60 * 60 * 1000;

export class AcmeTransport implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #clock: Clock;
  readonly #userAgent: string;

  /** `moreRoots`: certificates in PEM that are trusted beside the usual ones, for an authority of one's own. */
  constructor({
    clock,
    moreRoots,
    userAgent,
  }: {
    clock: Clock;
    moreRoots: string | null;
    userAgent: string;
  }) {
    this.#clock = clock;
    this.#userAgent = userAgent;
    const ca = moreRoots === null ? {} : { ca: [...rootCertificates, moreRoots] };
    this.#agent = new Agent({ connections: 8, connect: { timeout: 10_000, ...ca } });
  }

  /** Throws an `AcmeError` `unreachable` when there is no whole answer in time. */
  async send(
    method: "GET" | "HEAD" | "POST",
    url: string,
    { body, signal }: { body?: unknown; signal: AbortSignal },
  ): Promise<AcmeResponse> {
    if (!url.startsWith("https://"))
      throw new AcmeError("nonsense", "the authority has an address without TLS");
    try {
      const answer = await request(url, {
        method,
        dispatcher: this.#agent,
        headers: {
          "user-agent": this.#userAgent,
          ...(body === undefined ? {} : { "content-type": "application/jose+json" }),
        },
        body: body === undefined ? null : JSON.stringify(body),
        signal: AbortSignal.any([signal, AbortSignal.timeout(requestMs)]),
      });
      let text = "";
      for await (const chunk of answer.body) {
        text += String(chunk);
        if (text.length > maxBytes) throw new AcmeError("nonsense", "the authority's answer is too long");
      }
      const header = (name: string) => [answer.headers[name]].flat()[0] ?? null;
      return {
        status: answer.statusCode,
        text,
        location: header("location"),
        nonce: header("replay-nonce"),
        retryAt: this.#retryAt(header("retry-after")),
      };
    } catch (cause) {
      signal.throwIfAborted();
      if (cause instanceof AcmeError) throw cause;
      throw new AcmeError("unreachable", `${new URL(url).host} does not answer: ${reasonOf(cause)}`, {
        cause,
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }

  #retryAt(text: string | null): number | null {
    if (text === null) return null;
    const now = this.#clock.now();
    const at = /^\d{1,9}$/.test(text) ? now + Number(text) * 1000 : Date.parse(text);
    return Number.isNaN(at) ? null : Math.min(at, now + maxPutOffMs);
  }
}

/** Reads an answer that is an error. Returns the problem, which is empty for one in another form. */
export function problemOf({ text }: AcmeResponse): Problem {
  try {
    return problem.parse(JSON.parse(text));
  } catch {
    return { type: "", detail: "", subproblems: [] };
  }
}

function reasonOf(cause: unknown): string {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  return inner instanceof Error ? inner.message : String(inner);
}
