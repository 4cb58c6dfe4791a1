/** Provides a ledger that records the parts of desired states that it is given. */

import type { Ledger } from "../../agent/src/ledger/ledger.ts";

export interface GivenPart {
  part: number;
  isFull: boolean;
  /** Number of upserts. */
  upserts: number;
  /** Number of deletes, including those that come with a reason. */
  deletes: number;
  isLast: boolean;
  bytes: number;
}

export function watchParts(ledger: Ledger): { parts: GivenPart[]; watched: Ledger } {
  const parts: GivenPart[] = [];
  const watched: Ledger = {
    ...ledger,
    applyDesired(update) {
      const { part, isFull, upserts, deletes, departures = [], setHash } = update;
      const bytes = Buffer.byteLength(JSON.stringify(update));
      parts.push({
        part,
        isFull,
        upserts: upserts.length,
        deletes: deletes.length + departures.length,
        isLast: setHash !== null,
        bytes,
      });
      return ledger.applyDesired(update);
    },
  };
  return { parts, watched };
}
