/** Checks, before anything is changed, whether a machine can be a host of the cluster. */

import { readFile } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { networkInterfaces, release } from "node:os";
import { parseEnv } from "node:util";
import type { Messages } from "../../messages.ts";
import { clockAhead } from "../central/central-clock.ts";
import { places } from "../places.ts";
import { commonProblems, freeBelow } from "../preflight.ts";
import { pinProblems } from "../release-pin.ts";
import { readControllers } from "./cgroup-controllers.ts";

const neededMb = 10_000;
const clockToleranceMs = 60_000;
/** Oldest systems that are tested, by os-release(5). */
const oldest: Record<string, number> = { debian: 12, ubuntu: 24.04 };
const oldestKernel = [5, 19] as const;

export interface HostPreflight {
  centralUrl: string;
  /** The pinned authority, in PEM; null for a central of this machine without TLS. */
  authority: string | null;
  /** True where projects run in containers, which need more of the machine. */
  hasContainers: boolean;
  /** True on a machine that is a host already: what is there is its own. */
  isHost: boolean;
  /**
   * IPv4 network that must be free here: the host's own range where it has one, otherwise the cluster's. Central
   * chooses a range in that when the host joins, and other hosts have the rest.
   */
  network: string;
}

/** Throws with all that is missing, a line each. */
export async function checkHostMachine(messages: Messages, preflight: HostPreflight): Promise<void> {
  const { install: texts } = messages;
  const problems = [...(await commonProblems(messages, places.agent)), ...(await pinProblems(messages))];
  if (preflight.hasContainers) problems.push(...(await containerProblems(messages)));
  if (!preflight.isHost) {
    const freeMb = await freeBelow("/var/lib");
    if (freeMb < neededMb) problems.push(texts.noSpace("/var/lib", freeMb, neededMb));
    const clash = findClash(preflight.network);
    if (clash !== null) problems.push(texts.networkClash(preflight.network, clash));
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
  const { missing } = await readControllers();
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

/**
 * Returns an address of the machine whose network has addresses of `network`; null when there is none. Throws when
 * `network` is no network.
 */
export function findClash(network: string, interfaces = networkInterfaces()): string | null {
  const projects = rangeOf(network);
  for (const [name, addresses] of Object.entries(interfaces)) {
    for (const { family, address, cidr } of addresses ?? []) {
      if (family !== "IPv4" || cidr === null) continue;
      const own = rangeOf(cidr);
      if (own.first <= projects.last && own.last >= projects.first) return `${name} ${address}`;
    }
  }
  return null;
}

/** Returns the first and last address of the network that an address with its length is in, as numbers. */
function rangeOf(cidr: string): { first: number; last: number } {
  const [address = "", length = ""] = cidr.split("/");
  const isNetwork = isIPv4(address) && /^\d{1,2}$/.test(length) && Number(length) <= 32;
  if (!isNetwork) throw new Error(`TIJOLO_NETWORK_CIDR, TIJOLO_CLUSTER_CIDR: ${JSON.stringify(cidr)}`);
  const number = address.split(".").reduce((value, part) => value * 256 + Number(part), 0);
  const size = 2 ** (32 - Number(length));
  const first = number - (number % size);
  return { first, last: first + size - 1 };
}
