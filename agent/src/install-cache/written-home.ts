/** Tells whether an install step has put more into its HOME than package managers' caches. */

import { join } from "node:path";
import { entriesOf } from "../host/files/directory-entries.ts";

/** Directories of package managers; without them the same install gives the same result, only slower. */
const managersOwn = new Set([
  ".bun",
  ".bundle",
  ".cache/bun",
  ".cache/composer",
  ".cache/node",
  ".cache/node-gyp",
  ".cache/pip",
  ".cache/pnpm",
  ".cache/pypoetry",
  ".cache/uv",
  ".cache/yarn",
  ".composer",
  ".config/configstore",
  ".config/pnpm",
  ".config/yarn",
  ".gem",
  ".local/share/gem",
  ".local/share/pnpm",
  ".local/share/poetry",
  ".local/share/uv",
  ".local/share/virtualenv",
  ".local/state/pnpm",
  ".npm",
  ".yarn",
]);

/** Checks a HOME that was empty before, and in which nothing runs any more. */
export async function hasWrittenHome(home: string): Promise<boolean> {
  return hasOthers(home, "");
}

async function hasOthers(home: string, folder: string): Promise<boolean> {
  for await (const entry of entriesOf(join(home, folder))) {
    const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
    if (managersOwn.has(path)) continue;
    const mayHold = entry.isDirectory() && [...managersOwn].some((own) => own.startsWith(`${path}/`));
    if (!mayHold || (await hasOthers(home, path))) return true;
  }
  return false;
}
