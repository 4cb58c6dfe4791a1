/**
 * Limits how often a project's log stream is opened, and how many streams an account has open at once (spec:
 * Limits).
 */

import type { ServiceLimits } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import type { SteadyClock } from "../clock.ts";
import { AccountSlots } from "./account-slots.ts";
import { Pace } from "./pace.ts";

export interface LogStreamSlot extends Disposable {
  /** Must be called when the stream did not open: the project's next may be opened at once. */
  fail(): void;
}

export class LogStreamSlots {
  readonly #pace: Pace;
  readonly #slots: AccountSlots;

  constructor(
    clock: SteadyClock,
    { logOpenEveryMs, logStreamsAtOnce }: Pick<ServiceLimits, "logOpenEveryMs" | "logStreamsAtOnce">,
  ) {
    this.#pace = new Pace(clock, logOpenEveryMs);
    this.#slots = new AccountSlots(logStreamsAtOnce, refusalDetails.logsAtOnce(logStreamsAtOnce));
  }

  /** Takes a slot for a download, which has no pace. Throws `too_many_requests`. */
  openDownload(accountId: string): Disposable {
    return this.#slots.take(accountId);
  }

  /** Takes a slot until it is disposed of. Throws `too_many_requests`; a refused opening does not count. */
  open(accountId: string, projectId: string): LogStreamSlot {
    this.#pace.assertFree(projectId);
    const slot = this.#slots.take(accountId);
    const fail = this.#pace.begin(projectId);
    return { fail, [Symbol.dispose]: () => slot[Symbol.dispose]() };
  }
}
