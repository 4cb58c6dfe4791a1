/** Names the resolver program's files as they are now: a running one of another revision is replaced. */

import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

export async function programRevision(directory: string = import.meta.dirname): Promise<string> {
  const hash = createHash("sha256").update(process.version);
  for (const name of (await readdir(directory)).filter((name) => !name.endsWith(".test.ts")).sort()) {
    hash.update(name).update(await readFile(join(directory, name)));
  }
  return hash.digest("hex").slice(0, 16);
}
