/** Keeps the routes on this machine's disk, so that a gateway serves after a boot without central. */

import { readFile } from "node:fs/promises";
import { centralServers, siteRoute, type CentralServers, type SiteRoute } from "@tijolo/protocol";
import { z } from "zod";
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
export async function readSavedRoutes(path: string): Promise<SavedRoutes | undefined> {
  const text = await readFile(path, "utf8").catch(() => "null");
  try {
    return saved.safeParse(JSON.parse(text)).data;
  } catch {
    return undefined;
  }
}

export async function saveRoutes(path: string, routes: SavedRoutes): Promise<void> {
  await replaceFile(path, JSON.stringify(routes));
}
