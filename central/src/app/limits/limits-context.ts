/** Defines the context of rules that count, bound and queue what callers do. */

import type { KeyedQueue } from "@tijolo/protocol/kit";
import type { BaseContext } from "../base-context.ts";
import type { AccountSlots } from "./account-slots.ts";
import type { Attempts } from "./attempts.ts";
import type { LogStreamSlots } from "./log-stream-slots.ts";
import type { RequestRates } from "./request-rates.ts";
import type { SessionRates } from "./session-rates.ts";
import type { UploadSlots } from "./upload-slots.ts";

export interface LimitsContext extends BaseContext {
  requestRates: RequestRates;
  sessionRates: SessionRates;
  uploadSlots: UploadSlots;
  downloadSlots: AccountSlots;
  logStreamSlots: LogStreamSlots;
  /** Queues requests by idempotency key: those with the same key are handled one at a time. */
  idempotencyQueues: KeyedQueue;
  /** Counts wrong attempts at passwords, codes, links and keys. */
  attempts: Attempts;
}
