/** Makes apt work with sources, indexes and downloads in a directory, beside those of the machine. */

import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns the options of apt-get and apt-cache. `sources` are lines of sources.list(5). */
export async function aptOptions(directory: string, sources: readonly string[]): Promise<string[]> {
  for (const part of ["lists/partial", "cache/archives/partial"])
    await mkdir(join(directory, part), { recursive: true });
  const list = join(directory, "sources.list");
  await writeFile(list, sources.map((line) => `${line}\n`).join(""));
  return optionsOf({
    "Dir::Etc::sourcelist": list,
    "Dir::Etc::sourceparts": "/dev/null",
    "Dir::Etc::preferences": "/dev/null",
    "Dir::Etc::preferencesparts": "/dev/null",
    "Dir::State::lists": join(directory, "lists"),
    "Dir::Cache": join(directory, "cache"),
    "APT::Install-Recommends": "false",
    // The directory may be one that only root enters.
    "APT::Sandbox::User": "root",
    "Acquire::Languages": "none",
  });
}

/** Returns these settings as arguments of apt. */
export function optionsOf(settings: Readonly<Record<string, string>>): string[] {
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}
