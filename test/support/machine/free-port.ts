/** Reserves ports that stay a test's own while what listens there is stopped. */

import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { tryClaim } from "../../real/support/host/claim-slot.ts";

/**
 * The range ends below the ports that the kernel gives to a program that names none: such a port could be
 * taken while nobody listens on it. It begins above the last "bad port" of the Fetch standard, 10080, which
 * `fetch` refuses (https://fetch.spec.whatwg.org/#port-blocking).
 */
const [firstPort, endPort] = [10_081, 32_000];

/**
 * Returns a port of 127.0.0.1 on which nobody listens, and which no other test on this machine is given while
 * this process lives.
 */
export async function freePort(): Promise<number> {
  const count = endPort - firstPort;
  const start = randomInt(count);
  for (let attempt = 0; attempt < count; attempt++) {
    const port = firstPort + ((start + attempt) % count);
    const claim = await tryClaim("port", port);
    if (claim === undefined) continue;
    if (await isFree(port)) return port;
    claim.close();
  }
  throw new Error("no port is free");
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, "127.0.0.1");
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return false;
    throw error;
  }
  server.close();
  await once(server, "close");
  return true;
}
