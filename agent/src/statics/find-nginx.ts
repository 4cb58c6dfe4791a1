/** Finds the nginx of static sites: the machine's own, otherwise a tree of Debian 13's packages, fetched once. */

import { mkdir } from "node:fs/promises";
import { debianTree, treeArgv } from "../host/checks/debian-tree.ts";
import { exec } from "../host/exec.ts";

export interface FoundNginx {
  /** Command that stands before its arguments; of a tree relative to the directory where that lies as `tree`. */
  argv: string[];
  /** Directory of the packages that it is of; null: those of the machine. */
  tree: string | null;
}

/** Oldest one that is told where its log is before it reads its configuration. */
const oldest = [1, 19, 5] as const;
const packages = ["nginx"];

export async function findNginx({
  toolsDirectory,
  program = "nginx",
  onFetch,
}: {
  toolsDirectory: string;
  /** The machine's own. */
  program?: string;
  /** Called when it is fetched, which takes seconds. */
  onFetch: () => void;
}): Promise<FoundNginx> {
  if (await isNewEnough(program)) return { argv: [program], tree: null };
  await mkdir(toolsDirectory, { recursive: true });
  const tree = await debianTree(toolsDirectory, packages, onFetch);
  return { argv: treeArgv("tree", "usr/sbin/nginx"), tree };
}

async function isNewEnough(program: string): Promise<boolean> {
  const { stderr } = await exec([program, "-v"]).catch(() => ({ stderr: "" }));
  const [, ...found] = /nginx\/(\d+)\.(\d+)\.(\d+)/.exec(stderr) ?? [];
  const sum = (numbers: readonly number[]) => numbers.reduce((value, part) => value * 1_000 + part, 0);
  return found.length > 0 && sum(found.map(Number)) >= sum(oldest);
}
