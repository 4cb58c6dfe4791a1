/** Defines a check of `tijolo doctor`, and holds the checks that several services have. */

import type { X509Certificate } from "node:crypto";
import { readFile, realpath, stat, statfs } from "node:fs/promises";
import { join } from "node:path";
import type { Messages } from "../messages.ts";
import { releaseKeyFile } from "../install/places.ts";
import { findDamage } from "../install/release-tree.ts";
import { succeeds } from "../install/run-program.ts";
import { findOtherProgram } from "../install/start-unit.ts";

type CheckId = keyof Messages["doctor"]["checks"];
type CheckStatus = "ok" | "warn" | "fail";

export interface CheckResult {
  status: CheckStatus;
  /** What was found, in the machine's own words: a file, a number, an error. */
  found: string;
}

export interface Check {
  part: "central" | "gateway" | "agent";
  id: CheckId;
  /** A rejection counts as `fail`, with its message; null where there is nothing to judge by. */
  run(): Promise<CheckResult | null>;
}

const soonMs = 7 * 24 * 60 * 60 * 1000;
const mebibyte = 1024 * 1024;
const fullMb = 500;
const fullInodes = 10_000;
const nearlyFull = 0.1;

export const ok = (found: string): CheckResult => ({ status: "ok", found });
export const warn = (found: string): CheckResult => ({ status: "warn", found });
export const fail = (found: string): CheckResult => ({ status: "fail", found });

/** Judges whether each file of a release is as it was packed; `tree` may be a link to the release. */
export type CheckRelease = (tree: string) => Promise<CheckResult>;

/** Makes the check of releases. It reads each release once: the services of a machine mostly share one. */
export function releaseCheck(): CheckRelease {
  const damages = new Map<string, Promise<string | null>>();
  return async (tree) => {
    const place = await realpath(tree);
    const finding = damages.get(place) ?? findDamage(place);
    damages.set(place, finding);
    const damage = await finding;
    return damage === null ? ok(tree) : fail(damage);
  };
}

export interface CheckedService {
  /** Link to the release that the service runs. */
  tree: string;
  unit: string;
  /** Directory of the service's data. */
  data: string;
  checkRelease: CheckRelease;
}

/** Returns the checks that every service has. */
export function commonChecks(
  part: Check["part"],
  { tree, unit, data, checkRelease }: CheckedService,
): Check[] {
  return [
    { part, id: "release", run: () => checkRelease(tree) },
    { part, id: "service", run: () => checkService(unit, tree) },
    { part, id: "disk", run: () => checkDisk(data) },
  ];
}

async function checkService(unit: string, tree: string): Promise<CheckResult> {
  if (!(await succeeds(["systemctl", "is-active", "--quiet", unit]))) return fail(unit);
  const other = await findOtherProgram(unit, tree);
  return other === null ? ok(unit) : warn(`${unit}: ${other}`);
}

/** Compares the key that the release in use names with the one that was pinned at the installation. */
export async function checkPin(tree: string): Promise<CheckResult> {
  const [pinned, own] = await Promise.all(
    [releaseKeyFile, join(tree, "release-key.pub")].map((file) => readFile(file, "utf8")),
  );
  return pinned === own ? ok(releaseKeyFile) : fail(`${releaseKeyFile}: ${own?.trim()}`);
}

/** Checks that only root can read the file. */
export async function checkPrivate(path: string): Promise<CheckResult> {
  const { mode, uid } = await stat(path);
  const found = `${path}: ${(mode & 0o777).toString(8)}`;
  return uid === 0 && (mode & 0o077) === 0 ? ok(found) : fail(found);
}

/** Judges when a certificate ends: it is renewed long before, when a third of its time is left. */
export function untilEnd(
  { validFrom, validTo }: Pick<X509Certificate, "validFrom" | "validTo">,
  { name, nowMs = Date.now() }: { name: string; nowMs?: number },
): CheckResult {
  const [beginMs, endMs] = [Date.parse(validFrom), Date.parse(validTo)];
  const found = `${name}, ${validTo}`;
  if (endMs <= nowMs) return fail(found);
  return endMs - nowMs > Math.min(soonMs, (endMs - beginMs) / 6) ? ok(found) : warn(found);
}

async function checkDisk(path: string): Promise<CheckResult> {
  const { bavail, blocks, bsize, files, ffree } = await statfs(path);
  const freeMb = Math.floor((bavail * bsize) / mebibyte);
  // A file system that makes inodes as they are needed counts none.
  const hasFewInodes = files > 0 && ffree < files * nearlyFull;
  const found = `${path}: ${freeMb} MB${hasFewInodes ? `, ${ffree} inodes` : ""}`;
  if (freeMb < fullMb || (hasFewInodes && ffree < fullInodes)) return fail(found);
  return bavail < blocks * nearlyFull || hasFewInodes ? warn(found) : ok(found);
}
