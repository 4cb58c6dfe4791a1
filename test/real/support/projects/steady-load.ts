/** Visits a site at a steady rate, whatever becomes of the visits, and counts those that fail. */

import type { TestContext } from "node:test";
import { Pool } from "undici";

export interface LoadReport {
  requests: number;
  /** Number of visits by failure: a status that is not 200 with its page, or the code of an error. */
  failures: Map<string, number>;
  longestMs: number;
  /** Holds every different text that was answered with 200. */
  texts: Set<string>;
}

/** Milliseconds after which a visit hangs: longer than the gateway holds any. */
const giveUpMs = 30_000;

export class SteadyLoad implements AsyncDisposable {
  readonly #pool: Pool;
  readonly #host: string;
  readonly #timer: NodeJS.Timeout;
  readonly #visits = new Set<Promise<void>>();
  readonly #report: LoadReport = { requests: 0, failures: new Map(), longestMs: 0, texts: new Set() };
  readonly #startedAt = performance.now();

  constructor(gatewayPort: number, subdomain: string, { perSecond = 100 } = {}) {
    this.#pool = new Pool(`http://127.0.0.1:${gatewayPort}`, {
      connections: null,
      headersTimeout: giveUpMs,
      bodyTimeout: giveUpMs,
    });
    this.#host = `${subdomain}.localhost:${gatewayPort}`;
    // A timer that is late makes up for it: the rate holds on a busy machine, too.
    this.#timer = setInterval(() => {
      const due = Math.floor(((performance.now() - this.#startedAt) / 1_000) * perSecond);
      while (this.#report.requests < due) this.#begin();
    }, 5);
  }

  /** Number of visits that have been answered with this text. */
  hasRead(text: string): boolean {
    return this.#report.texts.has(text);
  }

  /** Ends when every visit that was begun has ended. */
  async end(): Promise<LoadReport> {
    clearInterval(this.#timer);
    await Promise.all(this.#visits);
    await this.#pool.close();
    return this.#report;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    clearInterval(this.#timer);
    await this.#pool.destroy();
    await Promise.allSettled(this.#visits);
  }

  #begin(): void {
    this.#report.requests += 1;
    const visit = this.#visit().finally(() => this.#visits.delete(visit));
    this.#visits.add(visit);
  }

  async #visit(): Promise<void> {
    const report = this.#report;
    const begunAt = performance.now();
    try {
      const { statusCode, body } = await this.#pool.request({
        path: "/",
        method: "GET",
        headers: { host: this.#host, accept: "application/json" },
      });
      const text = await body.text();
      if (statusCode === 200) report.texts.add(text);
      else this.#fail(`${statusCode} ${codeOf(text)}`);
    } catch (error) {
      this.#fail(error instanceof Error && "code" in error ? String(error.code) : String(error));
    }
    report.longestMs = Math.max(report.longestMs, performance.now() - begunAt);
  }

  #fail(failure: string): void {
    const { failures } = this.#report;
    failures.set(failure, (failures.get(failure) ?? 0) + 1);
  }
}

/** Returns the code of the gateway's page. */
function codeOf(text: string): string {
  return /"code":"(\w+)"/.exec(text)?.[1] ?? "";
}

/** Says in the test's output how the visits went. */
export function tellLoad(
  context: Pick<TestContext, "diagnostic">,
  { requests, failures, longestMs }: LoadReport,
): void {
  const failed = [...failures].map(([failure, count]) => `${count} × ${failure}`).join(", ") || "none";
  context.diagnostic(`${requests} requests, failed: ${failed}; longest wait ${Math.round(longestMs)} ms`);
}
