/** Asks a program for its health path, as a visitor of its site would. */

import { get } from "node:http";
import type { Assignment } from "@tijolo/protocol";

export type SiteHealth = NonNullable<Assignment["health"]>;

/** Milliseconds in which the program must have sent the head of its response. */
const timeoutMs = 5_000;
const maxHeaderBytes = 16 * 1024;

/**
 * Resolves with the status of the response; null when none arrives in time, or none that HTTP allows. Follows
 * no redirect and reads no body. Never rejects.
 */
export function askHealth(
  address: string,
  port: number,
  { path, host }: SiteHealth,
  withinMs: number = timeoutMs,
): Promise<number | null> {
  return new Promise((resolve) => {
    const asked = get({
      host: address,
      port,
      path,
      agent: false,
      headers: { host, "user-agent": "Tijolo-Health/1.0", accept: "*/*" },
      maxHeaderSize: maxHeaderBytes,
      signal: AbortSignal.timeout(withinMs),
    });
    const end = (status: number | null) => {
      resolve(status);
      asked.destroy();
    };
    asked.on("response", ({ statusCode = null }) => end(statusCode));
    asked.on("upgrade", (_response, socket) => {
      socket.destroy();
      end(null);
    });
    asked.on("error", () => end(null));
    asked.on("close", () => end(null));
  });
}

/** True for the statuses of a program that is ready: success, and redirects, such as to a login. */
export function isHealthy(status: number | null): boolean {
  return status !== null && status >= 200 && status <= 399;
}
