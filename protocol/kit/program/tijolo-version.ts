/** Reads the version of this copy of Tijolo: of the release, or of the sources. */

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const root = join(import.meta.dirname, "../../..");

/** Returns the version in the `package.json` at the root of the release or of the sources. */
export function tijoloVersion(): string {
  const text = readFileSync(join(root, "package.json"), "utf8");
  return z.object({ version: z.string().max(100) }).parse(JSON.parse(text)).version;
}
