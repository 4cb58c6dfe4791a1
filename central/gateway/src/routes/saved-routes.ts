/** Keeps the routes on this machine's disk, so that a gateway serves after a boot without central. */

import { centralServers, siteRoute, type CentralServers, type SiteRoute } from "@tijolo/protocol";
import { z } from "zod";
import { readSaved } from "../files/read-saved.ts";
import { replaceFile } from "../files/replace-file.ts";

const saved = z.object({
  setHash: z.string(),
  central: centralServers,
  routes: z.array(siteRoute),
});

export interface SavedRoutes {
  /** Hash of the set, by which central knows what to send. */
  setHash: string;
  central: CentralServers;
  routes: SiteRoute[];
}

/** Returns what was saved; undefined where nothing is, or nothing readable: central sends all of it anew. */
export function readSavedRoutes(path: string): Promise<SavedRoutes | undefined> {
  return readSaved(path, saved);
}

export async function saveRoutes(path: string, routes: SavedRoutes): Promise<void> {
  await replaceFile(path, JSON.stringify(routes));
}
