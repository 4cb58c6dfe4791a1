/** Carries the bytes of one connection over another. */

import { connect, type NetConnectOpts, type Socket } from "node:net";
import { pipeline } from "node:stream";

/** Connects to `target` and carries both ways, each until its end. What breaks one breaks the other. */
export function joinSockets(socket: Socket, target: NetConnectOpts): void {
  const other = connect({ ...target, allowHalfOpen: true });
  // Whoever broke it sees so at its own end; there is nobody to tell here.
  pipeline(socket, other, socket, () => {});
}
