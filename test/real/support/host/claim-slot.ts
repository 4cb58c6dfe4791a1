/**
 * Claims numbers that tell the hosts of all tests on this machine apart, in whatever processes and
 * repositories they run.
 */

import { once } from "node:events";
import { createServer, type Server } from "node:net";

/** Each is a network of its own and a range of user ids. */
const slotCount = 448;

/**
 * Claims a number from 0 to 447 that no other process has. It is free again when this process has ended,
 * however it ends.
 */
export function claimSlot(): Promise<number> {
  return claimNumber("slot", slotCount);
}

/** Claims likewise a number below `count` of another kind, of those that `isFit`. */
export async function claimNumber(
  kind: string,
  count: number,
  isFit: (number: number) => boolean = () => true,
): Promise<number> {
  for (let attempt = 0; attempt < count; attempt++) {
    const number = (process.pid + attempt) % count;
    if (isFit(number) && (await tryClaim(kind, number)) !== undefined) return number;
  }
  throw new Error(`all ${count} numbers of the kind "${kind}" are taken`);
}

/**
 * Claims one number until it is closed, or this process ends; undefined where another process has it, or this
 * one already.
 */
export async function tryClaim(kind: string, number: number): Promise<Server | undefined> {
  // An abstract socket: the kernel gives a name to one process only, and forgets it with the process.
  const server = createServer().listen(`\0tijolo-test-${kind}-${number}`);
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") return undefined;
    throw error;
  }
  return server.unref();
}
