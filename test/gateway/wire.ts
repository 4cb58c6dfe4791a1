/** Holds up the connection between agent and central, for tests of what happens when it stalls. */

import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** Stands between agent and central, and can go silent without closing anything. `port`: central's. */
export async function createWire(port: number) {
  const wires = new Set<Socket>();
  const fromCentral = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(port, "127.0.0.1");
    near.pipe(far).pipe(near);
    fromCentral.add(far);
    for (const socket of [near, far]) {
      wires.add(socket);
      socket.on("error", () => {});
      socket.once("close", () => {
        wires.delete(socket);
        fromCentral.delete(far);
        near.destroy();
        far.destroy();
      });
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    blackHole() {
      for (const socket of wires) socket.unpipe().pause();
    },
    /** Stops data from central to the agent, but not the other way, until the returned function is called. */
    holdCentral(): () => void {
      const held = [...fromCentral];
      for (const socket of held) socket.pause();
      return () => {
        for (const socket of held) socket.resume();
      };
    },
    [Symbol.dispose]() {
      server.close();
      for (const socket of wires) socket.destroy();
    },
  };
}
