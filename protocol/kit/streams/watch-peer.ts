/** Detects that the other end of a tunnel is gone: pings with a deadline. */

import type { Http2Session } from "node:http2";
import type { Duplex } from "node:stream";

/**
 * Pings until the session closes. Calls `onSilent` once when a ping is not answered in time and nothing else
 * came either: on a line that is full of data an answer may be late, and then the data is the sign of life.
 */
export function watchPeer(
  session: Http2Session,
  socket: Duplex & { readonly bytesRead?: number },
  { pingMs, pongMs, onSilent }: { pingMs: number; pongMs: number; onSilent: () => void },
): void {
  let deadline: NodeJS.Timeout | undefined;
  const beat = setInterval(() => {
    if (deadline !== undefined || session.destroyed || session.closed) return;
    let bytesRead = socket.bytesRead;
    deadline = setInterval(() => {
      // After a pause of this process the answer may lie unread: what has arrived is read before the verdict.
      setImmediate(() => {
        if (deadline !== undefined && socket.bytesRead === bytesRead) onSilent();
        bytesRead = socket.bytesRead;
      });
    }, pongMs);
    session.ping((error) => {
      clearInterval(deadline);
      deadline = undefined;
      if (error !== null && !session.destroyed) onSilent();
    });
  }, pingMs);
  session.once("close", () => {
    clearInterval(beat);
    clearInterval(deadline);
    deadline = undefined;
  });
}
