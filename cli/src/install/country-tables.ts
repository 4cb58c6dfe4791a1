/**
 * Brings the tables of countries that the analytics of sites use: the files of Debian's package tor-geoipdb, which
 * is unpacked and not installed, as it would bring Tor along. Sites are counted without them too, so nothing fails
 * where they cannot be had.
 */

import { chmod, cp, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { optionsOf } from "./apt-options.ts";
import { unpackOwnPackage } from "./package-source.ts";
import { places } from "./places.ts";
import { runProgram } from "./run-program.ts";
import type { StepContext, Undo } from "./steps.ts";

/** The package and where it has its files. */
export const countryPackage = "tor-geoipdb";
const installed = "/usr/share/tor";
const table = "geoip";
const scratchPrefix = "/var/tmp/tijolo-countries-";
/** Milliseconds for which tables count as current. */
const keptMs = 30 * 24 * 60 * 60_000;
const fetchTimeoutMs = 60_000;
const quick = optionsOf({
  "APT::Sandbox::User": "root",
  "Acquire::Retries": "0",
  "Acquire::http::Timeout": "10",
});

/** Resolves with null where there are current ones, and where none can be had, which it tells. */
export async function bringCountryTables({ output, messages }: StepContext): Promise<Undo | null> {
  if ((await ageMs(join(places.countries, table))) < keptMs) return null;
  const scratch = await mkdtemp(scratchPrefix);
  try {
    const found = await findTables(scratch).catch(() => null);
    if (found === null) {
      output.note(messages.install.withoutCountries);
      return null;
    }
    return await replaceTables(found);
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** Resolves with a directory of tables: the machine's own, of central's packages, or of the machine's archive. */
async function findTables(scratch: string): Promise<string> {
  if ((await ageMs(join(installed, table))) < Infinity) return installed;
  const archive = (await unpackOwnPackage(countryPackage, scratch)) ?? (await download(scratch));
  await runProgram(["dpkg-deb", "--extract", archive, scratch]);
  return join(scratch, installed);
}

async function download(directory: string): Promise<string> {
  const limits = { timeoutMs: fetchTimeoutMs, cwd: directory };
  const apt = ["apt-get", "--quiet", ...quick] as const;
  const get = () => runProgram([...apt, "download", countryPackage], limits);
  await get().catch(async () => {
    await runProgram([...apt, "update"], limits);
    await get();
  });
  const archive = (await readdir(directory)).find((name) => name.endsWith(".deb"));
  return join(directory, archive ?? countryPackage);
}

async function replaceTables(source: string): Promise<Undo> {
  const [draft, old] = [`${places.countries}.new`, `${places.countries}.old`];
  for (const each of [draft, old]) await rm(each, { recursive: true, force: true });
  for (const name of [table, `${table}6`]) await cp(join(source, name), join(draft, name));
  await chmod(draft, 0o755);
  const hadOnes = (await ageMs(places.countries)) < Infinity;
  if (hadOnes) await rename(places.countries, old);
  await rename(draft, places.countries);
  return async () => {
    await rm(places.countries, { recursive: true, force: true });
    if (hadOnes) await rename(old, places.countries);
  };
}

/** Returns the milliseconds since it came to this machine; infinity where there is none. */
function ageMs(path: string): Promise<number> {
  return stat(path).then(
    ({ ctimeMs }) => Date.now() - ctimeMs,
    () => Infinity,
  );
}
