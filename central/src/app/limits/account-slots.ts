/** How many of one thing each account has open at once. In memory: they end with the process. */

import { AppError, type Words } from "@tijolo/protocol";

/** The earliest that another one may have ended is not known. */
const retryAfterSeconds = 5;

export class AccountSlots {
  readonly #atOnce: number;
  readonly #detail: Words;
  readonly #taken = new Map<string, number>();

  /** `detail`: what a refused account is told. */
  constructor(atOnce: number, detail: Words) {
    this.#atOnce = atOnce;
    this.#detail = detail;
  }

  /** A slot until it is disposed of. Throws `too_many_requests`. */
  take(accountId: string): Disposable {
    const count = this.#taken.get(accountId) ?? 0;
    if (count >= this.#atOnce)
      throw new AppError("too_many_requests", { retryAfterSeconds, detail: this.#detail });
    this.#taken.set(accountId, count + 1);
    let isFree = false;
    return {
      [Symbol.dispose]: () => {
        if (!isFree) this.#free(accountId);
        isFree = true;
      },
    };
  }

  #free(accountId: string): void {
    const left = (this.#taken.get(accountId) ?? 1) - 1;
    if (left > 0) this.#taken.set(accountId, left);
    else this.#taken.delete(accountId);
  }
}
