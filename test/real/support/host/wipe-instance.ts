/** Takes everything of an agent's instance off the machine but its files: what a power cut would. */

import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { killTree, removeTree } from "../../../../agent/src/host/cgroups/cgroup-tree.ts";
import { cgroupsOf, findTraces } from "../../../support/machine/machine-traces.ts";

const killTimeoutMs = 30_000;

/**
 * The agent itself is to be gone already. What another process wipes at the same time is no error: the caller
 * checks what is left.
 */
export async function wipeInstance(name: string): Promise<void> {
  if (existsSync("/run/systemd/system")) spawnSync("systemctl", ["stop", `tijolo-${name}-projects.service`]);
  // Until the kernel says that nobody is left: a process that ends is no longer listed before it lets go of
  // its groups.
  for (const group of unifiedGroupsOf(name)) await killTree(group, killTimeoutMs);
  for (const group of cgroupsOf([name])) await removeTree(group);
  for (const { kind, what } of findTraces([name])) {
    if (kind === "interface") spawnSync("ip", ["link", "del", what]);
    if (kind === "network namespace") {
      for (const pid of pidsInNamespace(what)) killIfAlive(pid);
      spawnSync("ip", ["netns", "del", what]);
    }
    if (kind === "nftables table") spawnSync("nft", ["delete", "table", "inet", what]);
  }
}

/** A network alone has its resolver, and what tests serve there, in no group of its own. */
function pidsInNamespace(name: string): number[] {
  const { stdout } = spawnSync("ip", ["netns", "pids", name], { encoding: "utf8" });
  return stdout.split("\n").filter(Boolean).map(Number);
}

export function killIfAlive(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error; // it has just ended
  }
}

/**
 * Returns the host pids of an instance's containers, supervisors and log writers, in order; of one project,
 * or of all.
 */
export function instancePids(name: string, projectId?: string): number[] {
  const isOwn = (group: string) => /\/(?:holder|resolver|statics)$/.test(group);
  return pidsIn(
    name,
    (group) => !isOwn(group) && (projectId === undefined || `${group}/`.includes(`/${projectId}/`)),
  );
}

function pidsIn(name: string, isWanted: (group: string) => boolean): number[] {
  const pids = unifiedGroupsOf(name)
    .filter(isWanted)
    .flatMap((group) => readPids(join(group, "cgroup.procs")));
  return [...new Set(pids)].sort((a, b) => a - b);
}

function unifiedGroupsOf(name: string): string[] {
  return cgroupsOf([name]).filter((group) => existsSync(join(group, "cgroup.kill")));
}

function readPids(file: string): number[] {
  try {
    return readFileSync(file, "utf8")
      .split("\n")
      .filter((line) => line !== "")
      .map(Number);
  } catch {
    return [];
  }
}
