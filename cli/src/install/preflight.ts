/** Checks, before anything is changed, what an installation needs of the machine. */

import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import type { Messages } from "../messages.ts";
import { places } from "./places.ts";
import { findDamage, findNewer, treeRoot } from "./release-tree.ts";

const mebibyte = 1024 * 1024;
/** Megabytes that a release takes, twice: unpacked here, and in its place. */
const neededForTreeMb = 500;

/** Throws with all that is missing, a line each. */
export async function checkCentralMachine(messages: Messages): Promise<void> {
  const problems = await commonProblems(messages, places.central);
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

/** Returns what is missing for any of the services. `place` leads to the release that is in use. */
export async function commonProblems({ install: texts }: Messages, place: string): Promise<string[]> {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return [texts.needsRoot];
  const problems: string[] = [];
  if (!existsSync("/run/systemd/system")) problems.push(texts.needsSystemd);
  const newer = await findNewer(place);
  if (newer !== null) problems.push(texts.isOlder(newer));
  const damage = await findDamage(treeRoot);
  if (damage !== null) problems.push(texts.damaged(damage));
  const freeMb = await freeBelow("/opt");
  if (freeMb < neededForTreeMb) problems.push(texts.noSpace("/opt", freeMb, neededForTreeMb));
  return problems;
}

/** Returns the free megabytes where `path` is, or would be. */
export async function freeBelow(path: string): Promise<number> {
  const { bavail, bsize } = await statfs(existsSync(path) ? path : "/");
  return Math.floor((bavail * bsize) / mebibyte);
}
