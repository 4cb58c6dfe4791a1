/**
 * Finds out whether the authority would reach our gateways by a name: each of its addresses is asked, over
 * plain HTTP, for the answer to a challenge that nobody has made.
 */

import { isIPv6 } from "node:net";
import { Agent, request } from "undici";
import { challengePath } from "./challenges.ts";
import { askMs, untilAnswered } from "./gateway-patience.ts";
import { OrderError } from "./order-error.ts";

export interface ReachOptions {
  /** Port of plain HTTP. */
  port: number;
  signal: AbortSignal;
}

/** Addresses of a name that are asked before an order: its owner chooses them, and how many there are. */
export const maxAskedAddresses = 8;
const maxBytes = 4_096;
const tokenBytes = 16;

/**
 * Throws an `OrderError` when one of the name's addresses answers as somebody else. An address that does not
 * answer at all is no fault: a machine behind a router may not reach its own public address.
 */
export async function checkReach(
  name: string,
  {
    addresses,
    thumbprint,
    random,
  }: { addresses: readonly string[]; thumbprint: string; random: (bytes: number) => Uint8Array },
  options: ReachOptions,
): Promise<void> {
  const token = Buffer.from(random(tokenBytes)).toString("base64url");
  const wrong: string[] = [];
  await Promise.all(
    addresses.map(async (address) => {
      const ask = () => answerOf(name, address, { token, ...options });
      const text = await untilAnswered(ask, options.signal);
      if (text !== null && text !== undefined && text.trim() !== `${token}.${thumbprint}`)
        wrong.push(address);
    }),
  );
  if (wrong.length > 0)
    throw new OrderError(
      "wrong_address",
      `${name} leads to ${wrong.sort().join(", ")}, which is not this cluster`,
    );
}

/** Returns what is answered; null when nothing is, and undefined when the connection is refused. */
async function answerOf(
  name: string,
  address: string,
  { token, port, signal }: ReachOptions & { token: string },
): Promise<string | null | undefined> {
  const dispatcher = new Agent({ connections: 1, connect: { timeout: askMs } });
  try {
    const host = isIPv6(address) ? `[${address}]` : address;
    const answer = await request(`http://${host}:${port}${challengePath}${token}`, {
      dispatcher,
      headers: { host: name, "user-agent": "Tijolo" },
      signal: AbortSignal.any([signal, AbortSignal.timeout(askMs)]),
    });
    let text = "";
    for await (const chunk of answer.body) {
      text += String(chunk);
      if (text.length > maxBytes) break;
    }
    return text;
  } catch (error) {
    signal.throwIfAborted();
    return (error as NodeJS.ErrnoException).code === "ECONNREFUSED" ? undefined : null;
  } finally {
    dispatcher.destroy().catch(() => {});
  }
}
