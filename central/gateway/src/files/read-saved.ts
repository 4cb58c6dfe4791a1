/** Reads files of JSON that an earlier program of this gateway has saved. */

import { readFile } from "node:fs/promises";
import type { z } from "zod";

/** Returns what the file holds; undefined where there is none, and where its contents do not fit the schema. */
export async function readSaved<Saved>(path: string, schema: z.ZodType<Saved>): Promise<Saved | undefined> {
  try {
    return schema.safeParse(JSON.parse(await readFile(path, "utf8"))).data;
  } catch {
    return undefined;
  }
}
