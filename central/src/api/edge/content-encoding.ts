/** Refuses encoded bodies: none is decompressed. */

import type { IncomingMessage } from "node:http";

export function isEncoded({ headers }: IncomingMessage): boolean {
  return (headers["content-encoding"] ?? "identity").trim().toLowerCase() !== "identity";
}
