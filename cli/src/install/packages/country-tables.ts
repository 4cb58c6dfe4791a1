/**
 * Brings the tables of countries that the analytics of sites use: the files of Debian's package tor-geoipdb, which
 * is unpacked and not installed, as it would bring Tor along. Sites are counted without them too, so nothing fails
 * where they cannot be had. `npm start` has its own (`cli/bootstrap/country-tables.mjs`), which runs before any
 * package is installed.
 */

import { chmod, cp, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { optionsOf } from "./apt-options.ts";
import type { Renewal } from "../daily-renewal.ts";
import { replaceDirectory } from "../file-steps.ts";
import { unpackOwnPackage } from "./package-source.ts";
import { places } from "../places.ts";
import { runProgram } from "../run-program.ts";
import type { StepContext, Undo } from "../steps.ts";

export const countryPackage = "tor-geoipdb";
/** Directory in which the package has its files. */
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

/** Returns the daily renewal, which ends at once while the tables are current. */
export function countriesRenewal(tree: string): Renewal {
  return {
    name: "countries",
    what: "the tables of countries",
    command: `${tree}/install countries`,
    writes: [dirname(places.countries), "/var/lib/apt", "/var/cache/apt"],
  };
}

/**
 * Resolves with null when the tables are current, or when they cannot be fetched; the second is shown to the
 * operator.
 */
export async function bringCountryTables({ output, messages }: StepContext): Promise<Undo | null> {
  if ((await ageMs(join(places.countries, table))) < keptMs) return null;
  const scratch = await mkdtemp(scratchPrefix);
  try {
    const found = await findTables(scratch).catch(() => null);
    if (found === null) {
      output.note(messages.install.withoutCountries);
      return null;
    }
    return await placeTables(found);
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

async function placeTables(source: string): Promise<Undo> {
  const draft = `${places.countries}.new`;
  await rm(draft, { recursive: true, force: true });
  for (const name of [table, `${table}6`]) await cp(join(source, name), join(draft, name));
  await chmod(draft, 0o755); // central's user reads them, whatever the umask
  return await replaceDirectory(draft, places.countries);
}

/** Removes the tables, with what a replacement has left beside them. */
export async function removeCountryTables(): Promise<void> {
  for (const suffix of ["", ".new", ".old"])
    await rm(`${places.countries}${suffix}`, { recursive: true, force: true });
}

/** Returns the milliseconds since the file came to this machine; infinity where there is none. */
function ageMs(path: string): Promise<number> {
  return stat(path).then(
    ({ ctimeMs }) => Date.now() - ctimeMs,
    () => Infinity,
  );
}
