/** Makes one connection of two: what either side sends reaches the other, with back-pressure, until both have ended or one breaks. */

import type { Duplex } from "node:stream";

/** An end is passed on as an end; a broken side breaks the other through its `cut`. */
export function joinStreams(left: JoinedEnd, right: JoinedEnd): void {
  carry(left, right);
  carry(right, left);
}

export interface JoinedEnd {
  stream: Duplex;
  /** Breaks this side off; harmless when it is over already. */
  cut: () => void;
  /** Whether its `end` was a real end and not a broken stream. */
  endedWell: () => boolean;
}

function carry(from: JoinedEnd, to: JoinedEnd): void {
  from.stream.pipe(to.stream, { end: false });
  from.stream.once("end", () => (from.endedWell() ? to.stream.end() : to.cut()));
  from.stream.on("error", () => to.cut());
  from.stream.once("close", () => {
    if (!to.stream.writableEnded) to.cut();
  });
}
