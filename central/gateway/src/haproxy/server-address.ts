/** Writes the address of a server as HAProxy reads it. */

import type { ServerAddress } from "@tijolo/protocol";

export function textOf({ host, port }: ServerAddress): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}
