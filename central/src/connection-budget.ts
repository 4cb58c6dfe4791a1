/**
 * Divides the process's descriptors: how many connections unidentified clients may hold at the API and at the
 * pages server, and how much stays free.
 */

import { readFileSync } from "node:fs";
import type { ShareBounds } from "@tijolo/protocol/kit";

/** The key is a network. */
export interface ConnectionBudget {
  api: ShareBounds;
  visitors: ShareBounds;
}

/** Upper bounds whatever the descriptor limit is, because each connection costs memory. */
const most = { api: 10_000, visitors: 20_000 };
/** Number of descriptors assumed where the system does not tell its limit. */
const assumedDescriptors = 1_024;

/**
 * Divides the descriptors: half for visitors, a quarter for the API and for agents that have not identified
 * themselves. The last quarter is a reserve: for agents that have, archives, the database and mail. One
 * network gets a quarter of a server's connections.
 */
export function connectionBudget(descriptors: number): ConnectionBudget {
  return {
    api: boundsOf(Math.min(most.api, descriptors / 4)),
    visitors: boundsOf(Math.min(most.visitors, descriptors / 2)),
  };
}

/**
 * Returns how many descriptors this process may have. Node raises its soft limit to the hard one when it
 * starts.
 */
export function descriptorLimit(limitsFile = "/proc/self/limits"): number {
  let text = "";
  try {
    text = readFileSync(limitsFile, "utf8");
  } catch {
    // Not a Linux.
  }
  const soft = /^Max open files\s+(\S+)/m.exec(text)?.[1];
  if (soft === undefined) return assumedDescriptors;
  return soft === "unlimited" ? Number.POSITIVE_INFINITY : Number(soft);
}

function boundsOf(inAll: number): ShareBounds {
  return { inAll: Math.floor(inAll), perKey: Math.max(1, Math.floor(inAll / 4)) };
}
