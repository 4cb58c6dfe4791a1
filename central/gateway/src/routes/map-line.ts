/** Writes a route as the value of HAProxy's map: fields of strict patterns, so that none can add another. */

import { siteRoute, type SiteRoute } from "@tijolo/protocol";

/**
 * Returns the value: `near|project|address|port|run`, `redirect|project|hostname` or `pages|project`. A held
 * route gets no visits of its run. Throws for a route that breaks its schema.
 */
export function mapValue(unchecked: SiteRoute, { isHeld }: { isHeld: boolean }): string {
  const { projectId, near, redirectTo } = siteRoute.parse(unchecked);
  if (redirectTo !== null) return `redirect|${projectId}|${redirectTo}`;
  if (near === null || isHeld) return `pages|${projectId}`;
  return `near|${projectId}|${near.address}|${near.port}|${near.runNumber}`;
}

/** Returns the text of the map's file. */
export function mapText(values: ReadonlyMap<string, string>): string {
  return [...values].map(([hostname, value]) => `${hostname} ${value}\n`).join("");
}

/** Reads what `show map` answers: an address in memory, the hostname and the value on each line. */
export function readShownMap(text: string): Map<string, string> {
  const values = new Map<string, string>();
  for (const line of text.split("\n")) {
    const [, hostname, value] = /^0x[0-9a-f]+ (\S+) (\S+)$/.exec(line) ?? [];
    if (hostname !== undefined && value !== undefined) values.set(hostname, value);
  }
  return values;
}
