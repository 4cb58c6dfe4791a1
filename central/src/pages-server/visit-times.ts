/** Milliseconds that a visit may take in each of its stages. */

import { linkTimes } from "@tijolo/protocol";

export interface VisitTimes {
  /** Silence that a visit may have before its answer begins; the ingress gives up earlier, with a reason. */
  headMs: number;
  /** Milliseconds of silence in an answer or a WebSocket. */
  idleMs: number;
  /** Time that a visit waits for a host that is not connected at this moment. */
  hostMs: number;
  /** Time after central's start in which every host tries again; visits wait for theirs until it is over. */
  returnMs: number;
  /** Time in which a visitor must have sent its whole header block. */
  visitorHeadMs: number;
  /** Time in which a visitor must send its next request on an open connection. */
  keepAliveMs: number;
}

export const visitTimes: VisitTimes = {
  headMs: 125_000,
  idleMs: 600_000,
  hostMs: 3_000,
  returnMs: linkTimes.backOffMaxMs,
  visitorHeadMs: 20_000,
  keepAliveMs: 15_000,
};
