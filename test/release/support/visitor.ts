/** Somebody whose browser trusts an authority and visits sites by their names. */

import type { LookupFunction } from "node:net";
import { Agent, request } from "undici";
import { until } from "../../support/until.ts";

const userAgent = "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0";

export interface Answer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

export class Visitor implements AsyncDisposable {
  readonly #agent: Agent;
  readonly #timeoutMs: number;

  /** `timeoutMs` is how long `answers` waits. With an `address` every name leads there. */
  constructor(authority: string, timeoutMs: number, address?: string) {
    const lookup: LookupFunction = (_name, { all }, done) =>
      all === true ? done(null, [{ address: address ?? "", family: 4 }]) : done(null, address ?? "", 4);
    this.#agent = new Agent({ connect: { ca: authority, ...(address !== undefined && { lookup }) } });
    this.#timeoutMs = timeoutMs;
  }

  async visit(url: string): Promise<Answer> {
    const { statusCode, headers, body } = await request(url, {
      dispatcher: this.#agent,
      headers: { "user-agent": userAgent },
    });
    return { status: statusCode, headers, text: await body.text() };
  }

  /** Resolves with the first answer that is 200 and contains the text. */
  answers(url: string, text: string): Promise<Answer> {
    return until(
      async () => {
        const answer = await this.visit(url);
        return answer.status === 200 && answer.text.includes(text) ? answer : undefined;
      },
      { timeoutMs: this.#timeoutMs, everyMs: 50 },
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#agent.destroy();
  }
}
