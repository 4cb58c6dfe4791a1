/** Somebody whose browser trusts an authority and visits sites by their names. */

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

  /** `timeoutMs` is how long `answers` waits. */
  constructor(authority: string, timeoutMs: number) {
    this.#agent = new Agent({ connect: { ca: authority } });
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
