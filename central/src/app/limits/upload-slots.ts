/**
 * Limits how often an account begins a .zip upload (spec: Limits), and how many of its uploads are under way
 * at once.
 */

import type { ServiceLimits } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { SteadyClock } from "../clock.ts";
import { AccountSlots } from "./account-slots.ts";
import { Pace } from "./pace.ts";

/**
 * Milliseconds in which an account's uploads wait as any upload does, after a request that passed as a retry
 * and was none.
 */
const retryForfeitMs = 60_000;

export interface UploadSlot extends Disposable {
  /**
   * Must be called once it is known whether the upload is a replay: only a retry that does nothing anew
   * leaves the account's pace unchanged.
   */
  settle(isReplay: boolean): void;
  /** Called when the upload was refused before a file came: the account's pace is as if it had not been. */
  withdraw(): void;
}

export class UploadSlots {
  readonly #pace: Pace;
  /** Accounts that sent a retry which was none. */
  readonly #forfeits: Pace;
  readonly #slots: AccountSlots;

  constructor(
    clock: SteadyClock,
    { uploadEveryMs, uploadsAtOnce }: Pick<ServiceLimits, "uploadEveryMs" | "uploadsAtOnce">,
  ) {
    this.#pace = new Pace(clock, uploadEveryMs);
    this.#forfeits = new Pace(clock, retryForfeitMs);
    this.#slots = new AccountSlots(uploadsAtOnce, refusalDetails.uploadsAtOnce(uploadsAtOnce));
  }

  /**
   * Takes a slot until it is disposed of. Throws `too_many_requests`; a refused upload does not count.
   * `isRetry`: it brings an idempotency key that has an answer. Whether it is the same upload is known only
   * when all of it has come, so it may come at once; then it must be {@link UploadSlot.settle settled}.
   */
  begin(accountId: string, isRetry: boolean): UploadSlot {
    const passes = isRetry && this.#forfeits.isFree(accountId);
    if (!passes) this.#pace.assertFree(accountId);
    const slot = this.#slots.take(accountId);
    const takeBack = passes ? null : this.#pace.count(accountId);
    let isSettled = !passes;
    return {
      settle: (isReplay) => {
        if (!isSettled && !isReplay) {
          this.#pace.count(accountId);
          this.#forfeits.count(accountId);
        }
        isSettled = true;
      },
      withdraw: () => {
        takeBack?.();
        isSettled = true;
      },
      [Symbol.dispose]: () => slot[Symbol.dispose](),
    };
  }
}
