/**
 * Joins two connections: what either side sends reaches the other, with back-pressure, until both have ended
 * or one breaks.
 */

import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { endSocket } from "./end-socket.ts";

/** Milliseconds that a socket whose other side is gone may take to send what it still holds. */
const unsentMs = 60_000;

/** Joins the sides. An end is passed on as an end; a broken side breaks the other through its `cut`. */
export function joinStreams(left: JoinedEnd, right: JoinedEnd): void {
  carry(left, right);
  carry(right, left);
}

export interface JoinedEnd {
  stream: Duplex;
  /** Breaks this side off; does nothing when it is over already. */
  cut: () => void;
  /** Returns true when its `end` was a real end and not a broken stream. */
  endedWell: () => boolean;
}

function carry(from: JoinedEnd, to: JoinedEnd): void {
  from.stream.pipe(to.stream, { end: false });
  from.stream.once("end", () => (from.endedWell() ? to.stream.end() : to.cut()));
  from.stream.on("error", () => to.cut());
  from.stream.once("close", () => {
    if (to.stream.writableEnded) letGo(to.stream);
    else to.cut();
  });
}

/**
 * Ends a side whose other side is gone, so that nobody reads it any more: once it has sent its rest it is
 * ended, and cut after a while in any case. A stream of a tunnel is left to its own timeouts: to reset it
 * would lose for its reader what is still in transit.
 */
function letGo(stream: Duplex): void {
  if (!(stream instanceof Socket) || stream.destroyed) return;
  const timer = setTimeout(() => stream.destroy(), unsentMs);
  stream.once("close", () => clearTimeout(timer));
  stream.unpipe().resume();
  if (stream.writableFinished) endSocket(stream);
  else stream.once("finish", () => endSocket(stream));
}
