/** Limits how many of one thing each account has open at once. In memory: they end with the process. */

import { AppError, type Words } from "@tijolo/protocol";
import { Shares } from "@tijolo/protocol/kit";

/** Seconds until a retry makes sense; it is not known when a slot becomes free. */
const retryAfterSeconds = 5;

export class AccountSlots {
  readonly #shares: Shares;
  readonly #detail: Words;

  /** `detail` is the message for a refused account. */
  constructor(atOnce: number, detail: Words) {
    this.#shares = new Shares({ inAll: Number.POSITIVE_INFINITY, perKey: atOnce });
    this.#detail = detail;
  }

  /** Takes a slot until it is disposed of. Throws `too_many_requests`. */
  take(accountId: string): Disposable {
    const leave = this.#shares.take(accountId);
    if (leave === undefined)
      throw new AppError("too_many_requests", { retryAfterSeconds, detail: this.#detail });
    return { [Symbol.dispose]: leave };
  }
}
