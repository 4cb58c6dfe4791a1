/**
 * Keeps unidentified clients from filling the log: of their refusals, the first of each network is a line,
 * and the rest one line a minute.
 */

import type { LinkLogger } from "./link-options.ts";

const everyMs = 60_000;
/** Most lines a minute, however many networks there are. */
const maxLines = 20;

export class RefusalLog {
  readonly #logger: LinkLogger;
  readonly #networks = new Set<string>();
  #timer: NodeJS.Timeout | undefined;
  #unwritten = 0;

  constructor(logger: LinkLogger) {
    this.#logger = logger;
  }

  note(network: string, fields: object, message: string): void {
    this.#timer ??= setTimeout(() => this.flush(), everyMs).unref();
    if (this.#networks.has(network) || this.#networks.size >= maxLines) this.#unwritten += 1;
    else {
      this.#networks.add(network);
      this.#logger.warn({ network, ...fields }, message);
    }
  }

  /** Writes how many were refused without a line of their own, and begins anew. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#unwritten > 0) {
      this.#logger.warn(
        { refused: this.#unwritten, networks: [...this.#networks] },
        "link: more strangers were refused",
      );
    }
    this.#unwritten = 0;
    this.#networks.clear();
  }
}
