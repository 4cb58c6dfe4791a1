/** Keeps how far HAProxy's rings have been reported, for the next program. */

import { rename, writeFile } from "node:fs/promises";
import { z } from "zod";
import { readSaved } from "../files/read-saved.ts";
import type { RingPositions } from "./visit-ring.ts";

const saved = z.record(z.string(), z.number());

/** Returns what was saved; nothing where nothing is, or nothing readable: the whole ring counts then. */
export async function readPositions(path: string): Promise<RingPositions> {
  return (await readSaved(path, saved)) ?? {};
}

/** Replaces the file as a whole. It is not synced: a machine that goes down takes the rings with it. */
export async function savePositions(path: string, positions: RingPositions): Promise<void> {
  await writeFile(`${path}.new`, JSON.stringify(positions), { mode: 0o600 });
  await rename(`${path}.new`, path);
}
