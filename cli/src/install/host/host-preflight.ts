/** Checks, before anything is changed, whether a machine can be a host of the cluster. */

import { readFile } from "node:fs/promises";
import { networkInterfaces, release } from "node:os";
import { parseEnv } from "node:util";
import type { Messages } from "../../messages.ts";
import { clockAhead } from "../central/central-clock.ts";
import { places } from "../places.ts";
import { commonProblems, freeBelow } from "../preflight.ts";

const neededMb = 10_000;
const clockToleranceMs = 60_000;
/** Oldest systems that are tested, by os-release(5). */
const oldest: Record<string, number> = { debian: 12, ubuntu: 24.04 };
const oldestKernel = [5, 19] as const;
/** Addresses of projects; no network of the machine may have some of them. */
const projectsNetwork = { first: toNumber("10.200.0.0"), last: toNumber("10.200.15.255") };

export interface HostPreflight {
  centralUrl: string;
  /** The pinned authority, in PEM; null for a central of this machine without TLS. */
  authority: string | null;
  /** True where projects run in containers, which need more of the machine. */
  hasContainers: boolean;
  /** True on a machine that is a host already: what is there is its own. */
  isHost: boolean;
}

/** Throws with all that is missing, a line each. */
export async function checkHostMachine(messages: Messages, preflight: HostPreflight): Promise<void> {
  const { install: texts } = messages;
  const problems = await commonProblems(messages, places.agent);
  if (preflight.hasContainers) problems.push(...(await containerProblems(messages)));
  if (!preflight.isHost) {
    const freeMb = await freeBelow("/var/lib");
    if (freeMb < neededMb) problems.push(texts.noSpace("/var/lib", freeMb, neededMb));
    const clash = findClash();
    if (clash !== null) problems.push(texts.networkClash(clash));
  }
  const { centralUrl, authority } = preflight;
  if (authority !== null) problems.push(...(await clockProblem(messages, centralUrl, authority)));
  if (problems.length > 0) throw new Error(problems.join("\n"));
}

async function containerProblems({ install: texts }: Messages): Promise<string[]> {
  const problems: string[] = [];
  const { ID = "", VERSION_ID = "" } = parseEnv(await readFile("/etc/os-release", "utf8").catch(() => ""));
  const least = oldest[ID];
  if (least === undefined || (VERSION_ID !== "" && Number(VERSION_ID) < least))
    problems.push(texts.otherSystem(`${ID} ${VERSION_ID}`.trim()));
  const [major = 0, minor = 0] = release()
    .split(".")
    .map((part) => Number.parseInt(part, 10));
  if (major < oldestKernel[0] || (major === oldestKernel[0] && minor < oldestKernel[1]))
    problems.push(texts.oldKernel(release(), oldestKernel.join(".")));
  const controllers = await readFile("/sys/fs/cgroup/cgroup.controllers", "utf8").catch(() => "");
  const missing = ["memory", "cpu", "pids"].filter((name) => !controllers.split(/\s/).includes(name));
  if (missing.length > 0) problems.push(texts.noCgroups(missing.join(", ")));
  return problems;
}

/** Returns what is wrong with the clock, or with the way to central, whose clock it is compared with. */
export async function clockProblem(
  { install: texts }: Messages,
  centralUrl: string,
  authority: string,
): Promise<string[]> {
  try {
    const aheadMs = await clockAhead(centralUrl, authority);
    return Math.abs(aheadMs) <= clockToleranceMs ? [] : [texts.clockOff(Math.round(aheadMs / 1000))];
  } catch (cause) {
    return [texts.centralAway(centralUrl, cause instanceof Error ? cause.message : String(cause))];
  }
}

/** Returns an own address that projects would have; null when there is none. */
function findClash(): string | null {
  for (const [name, addresses] of Object.entries(networkInterfaces())) {
    for (const { family, address, netmask } of addresses ?? []) {
      if (family !== "IPv4") continue;
      const mask = toNumber(netmask);
      const first = (toNumber(address) & mask) >>> 0;
      const last = (first | ~mask) >>> 0;
      if (first <= projectsNetwork.last && last >= projectsNetwork.first) return `${name} ${address}`;
    }
  }
  return null;
}

function toNumber(address: string): number {
  return address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
}
