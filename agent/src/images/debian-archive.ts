/** Defines which suites and files of Debian's archive an image gets. */

import type { DebianArchive } from "./host-archive.ts";

/** Paths of documentation and translations, most of many packages; copyrights stay. */
export const unneededPaths = [
  "/usr/share/doc/*",
  "/usr/share/info/*",
  "/usr/share/locale/*",
  "/usr/share/man/*",
];
export const neededPaths = ["/usr/share/doc/*/copyright"];

/**
 * Returns apt's options for the age of an index. An archive's index says until when it is valid, so that
 * nobody can withhold newer packages: a week, for suites that move on. `maxAgeDays` lets a mirror be behind
 * for longer, still bounded; null: as the index says.
 */
export function indexAgeOptions(maxAgeDays: number | null): string[] {
  return maxAgeDays === null ? [] : [`Acquire::Min-ValidTime "${maxAgeDays * 86_400}"`];
}

/**
 * Returns the lines of `sources.list` for a suite: with its updates, where it gets any. `options` stand in
 * brackets: `[signed-by=…]`.
 */
export function debianSources(suite: string, archive: DebianArchive, options = ""): string[] {
  const line = (address: string, name: string) =>
    `deb ${options === "" ? "" : `[${options}] `}${address} ${name} main`;
  if (!isRelease(suite)) return [line(archive.main, suite)];
  return [
    line(archive.main, suite),
    line(archive.main, `${suite}-updates`),
    line(archive.security, `${suite}-security`),
  ];
}

/** True for a release; `sid`, `experimental` and backports get their fixes as new versions. */
function isRelease(suite: string): boolean {
  return suite !== "sid" && suite !== "experimental" && !suite.endsWith("-backports");
}
