/**
 * Brings the tables of countries that the analytics of sites use: the two files of Debian's package
 * tor-geoipdb, which is downloaded and not installed, as it would bring Tor along. Nothing depends on them.
 */

import { mkdir, readdir, rename, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { CommandError, run } from "./child.mjs";
import { isCommand } from "./system-tools.mjs";

const installed = "/usr/share/tor";
const files = ["geoip", "geoip6"];
const keptMs = 30 * 24 * 60 * 60_000;
const pauseMs = 24 * 60 * 60_000;
const timeoutMs = 60_000;

/**
 * Returns the directory of the tables: the machine's own where its package is installed, otherwise one below
 * `.tools`, brought anew once a month. Where that is not possible it says so, and tries again a day later.
 */
export async function bringCountryTables(root, { texts, progress, env }) {
  if ((await ageMs(join(installed, "geoip"))) !== undefined) return installed;
  const directory = join(root, ".tools", "countries");
  const age = (await ageMs(join(directory, "geoip"))) ?? Infinity;
  const lastTry = (await ageMs(join(directory, "tried"))) ?? Infinity;
  if (age < keptMs || lastTry < pauseMs || !isCommand("apt-get") || !isCommand("dpkg-deb")) return directory;
  await mkdir(directory, { recursive: true });
  await writeFile(join(directory, "tried"), "");
  try {
    await progress.step(texts.bringCountries, () => download(directory, env));
  } catch (cause) {
    if (!(cause instanceof CommandError)) throw cause;
    progress.say(texts.goesOnWithoutCountries);
  }
  return directory;
}

async function download(directory, env) {
  const place = join(directory, `${process.pid}.partial`);
  await mkdir(place);
  try {
    const options = { cwd: place, env: { ...env, LC_ALL: "C.UTF-8" }, timeoutMs };
    const settings = ["APT::Sandbox::User=root", "Acquire::Retries=0", "Acquire::http::Timeout=10"];
    const flags = settings.flatMap((setting) => ["-o", setting]);
    await run(["apt-get", "--quiet", ...flags, "download", "tor-geoipdb"], options);
    const archive = (await readdir(place)).find((name) => name.endsWith(".deb")) ?? "tor-geoipdb.deb";
    await run(["dpkg-deb", "--extract", archive, "extracted"], options);
    for (const name of files) await rename(join(place, "extracted", installed, name), join(directory, name));
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}

/** Milliseconds since the file was brought; undefined where there is none. */
async function ageMs(path) {
  try {
    return Date.now() - (await stat(path)).ctimeMs;
  } catch {
    return undefined;
  }
}
