/** Asks central, by its pinned authority, what time it is. */

import { request } from "node:https";
import { linkServerName } from "@tijolo/protocol/kit";

const timeoutMs = 10_000;

/**
 * Resolves with how far this machine's clock is ahead of central's, in milliseconds; it is whole seconds that
 * central states. Rejects when central is not reached, or is another one than the authority's.
 */
export function clockAhead(centralUrl: string, authority: string): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const asking = request(new URL("/install/", centralUrl), {
    method: "HEAD",
    ca: authority,
    servername: linkServerName,
    timeout: timeoutMs,
    agent: false,
  });
  asking.once("response", (response) => {
    const at = Date.parse(response.headers.date ?? "");
    response.resume();
    if (Number.isNaN(at)) reject(new Error(`${centralUrl}: Date`));
    else resolve(Date.now() - at);
  });
  asking.once("timeout", () => asking.destroy(new Error(`${centralUrl}: ${timeoutMs / 1000} s`)));
  asking.once("error", reject);
  asking.end();
  return promise;
}
