/** The program inside the browser's network: listens on ports of its `localhost`, ends with its parent. */

import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:net";
import { until } from "../../support/until.ts";
import type { CarriedPort } from "./browser-network.ts";
import { joinSockets } from "./join-sockets.ts";

const ip = (...args: string[]) => execFileSync("ip", args, { encoding: "utf8" });
ip("link", "set", "lo", "up");
ip("link", "add", "outside", "type", "veth", "peer", "name", "beyond");
for (const link of ["beyond", "outside"]) {
  // Addresses that the kernel makes itself come seconds later, and are a change of the network.
  ip("link", "set", link, "addrgenmode", "none");
  ip("link", "set", link, "up");
}
ip("address", "add", "192.0.2.1/24", "dev", "outside");
await until(() => ip("link", "show", "outside").includes("state UP"));

process.on("disconnect", () => process.exit());
process.on("message", ({ port, path }: CarriedPort) => {
  void listen(port, path);
});
process.send?.("ready");

async function listen(port: number, path: string): Promise<void> {
  for (const host of ["127.0.0.1", "::1"]) {
    const server = createServer({ allowHalfOpen: true }, (socket) => joinSockets(socket, { path }));
    server.listen(port, host);
    await once(server, "listening");
  }
  process.send?.("listening");
}
