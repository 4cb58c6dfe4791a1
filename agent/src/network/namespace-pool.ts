/** Keeps some namespaces ready, so that a claim does not wait for one to be made. */

import type { Logger } from "pino";
import type { Namespace } from "./namespace.ts";

export interface NamespacePoolOptions {
  size: number;
  /** Makes that many namespaces. */
  make(count: number): Promise<Namespace[]>;
  logger: Pick<Logger, "warn">;
}

/** Milliseconds without a claim after which the pool is refilled: starting projects need it more. */
const refillDelayMs = 200;
const retryDelayMs = 5_000;

export class NamespacePool {
  readonly #options: NamespacePoolOptions;
  #ready: Namespace[] = [];
  #timer: NodeJS.Timeout | undefined;
  #refill: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(options: NamespacePoolOptions) {
    this.#options = options;
  }

  /** Returns a namespace that is ready, or one made for this call. */
  async take(): Promise<Namespace> {
    const namespace = this.#ready.shift();
    this.#schedule(refillDelayMs);
    if (namespace !== undefined) return namespace;
    const [made] = await this.#options.make(1);
    if (made === undefined) throw new Error("No network namespace was made");
    return made;
  }

  /** Makes the missing namespaces now. */
  fill(): Promise<void> {
    this.#refill = this.#refill.then(() => this.#makeMissing());
    return this.#refill;
  }

  /** Ends refilling and hands over what was ready. */
  async close(): Promise<Namespace[]> {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    await this.#refill;
    return this.#ready.splice(0);
  }

  async #makeMissing(): Promise<void> {
    const missing = this.#options.size - this.#ready.length;
    if (missing <= 0 || this.#isClosed) return;
    try {
      this.#ready.push(...(await this.#options.make(missing)));
    } catch (error) {
      this.#options.logger.warn({ err: error }, "no network namespaces could be made ahead");
      this.#schedule(retryDelayMs);
    }
  }

  #schedule(delayMs: number): void {
    if (this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.fill(), delayMs);
    this.#timer.unref();
  }
}
