/** Tells whether something listens at an address, by a connection that is closed at once. */

import { connect } from "node:net";

const timeoutMs = 1_000;

export function canConnect(address: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port, noDelay: true });
    const end = (isOpen: boolean) => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.setTimeout(timeoutMs, () => end(false));
    socket.once("connect", () => end(true)).on("error", () => end(false));
  });
}
