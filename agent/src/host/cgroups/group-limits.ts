/** Reads from the kernel the limits enforced on a group, which can differ from those requested. */

import { dirname, join } from "node:path";
import type { RunLimits } from "@tijolo/protocol";
import type { Cgroups } from "./cgroup.ts";
import { readOrEmpty } from "./cgroup-tree.ts";

export interface GroupLimits extends Omit<RunLimits, "openFiles"> {
  /** Processes and threads that are in the group now. */
  pidsNow: number | null;
}

const mebibyte = 1024 * 1024;
/** v1 writes "no limit" as the largest number of pages. */
const unlimitedBytes = 2 ** 60;
/** v1's share of a group that nobody has changed; a weight of 100. */
const defaultShares = 1024;
const throttles = ["read_bps", "write_bps", "read_iops", "write_iops"] as const;

type Ceilings = Partial<Record<(typeof throttles)[number], number>>;

/** Reads the limits of a group, in some 60 µs; all null for a group that is gone. */
export function readGroupLimits(cgroups: Pick<Cgroups, "joinFiles">, group: string): GroupLimits {
  // On v1 each controller has a directory of its own, and no two have files of one name.
  const directories = cgroups.joinFiles(group).map((file) => dirname(file));
  const read = (name: string) =>
    directories.map((directory) => readOrEmpty(join(directory, name)).trim()).find((text) => text !== "");
  const memoryBytes = numberOf(read("memory.max") ?? read("memory.limit_in_bytes"));
  const shares = numberOf(read("cpu.shares"));
  return {
    memoryMb: memoryBytes === null || memoryBytes >= unlimitedBytes ? null : memoryBytes / mebibyte,
    cpuPercent: cpuPercentOf(read("cpu.max") ?? `${read("cpu.cfs_quota_us")} ${read("cpu.cfs_period_us")}`),
    cpuWeight:
      numberOf(read("cpu.weight")) ?? (shares === null ? null : Math.round((shares * 100) / defaultShares)),
    pids: numberOf(read("pids.max")),
    pidsNow: numberOf(read("pids.current")),
    io: ioOf(readUnifiedIo(read("io.max")) ?? readThrottles(read)),
  };
}

/** Returns null, for no limit, when the text is `max`, `-1` or missing. */
function numberOf(text: string | undefined): number | null {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : null;
}

/** Parses `<quota> <period>`. */
function cpuPercentOf(text: string): number | null {
  const [quota, period] = text.split(" ").map(numberOf);
  return quota == null || period == null || period === 0 ? null : Math.round((quota / period) * 100);
}

/** Parses lines `<major>:<minor> rbps=… wbps=… riops=… wiops=…`. */
function readUnifiedIo(text: string | undefined): Map<string, Ceilings> | undefined {
  if (text === undefined) return undefined;
  const names = { rbps: "read_bps", wbps: "write_bps", riops: "read_iops", wiops: "write_iops" } as const;
  const lines = text.split("\n").map((line): [string, Ceilings] => {
    const [device = "", ...fields] = line.split(" ");
    const ceilings: Ceilings = {};
    for (const field of fields) {
      const [name = "", value] = field.split("=");
      const amount = numberOf(value);
      if (amount !== null && Object.hasOwn(names, name)) ceilings[names[name as keyof typeof names]] = amount;
    }
    return [device, ceilings];
  });
  return new Map(lines);
}

/** Reads one file for each ceiling, with lines `<major>:<minor> <amount>`. */
function readThrottles(read: (name: string) => string | undefined): Map<string, Ceilings> {
  const found = new Map<string, Ceilings>();
  for (const name of throttles) {
    for (const line of (read(`blkio.throttle.${name}_device`) ?? "").split("\n")) {
      const [device = "", text] = line.split(" ");
      const amount = numberOf(text);
      if (amount !== null) found.set(device, { ...found.get(device), [name]: amount });
    }
  }
  return found;
}

/** Returns the loosest of each limit, should they differ: the limit that holds in every case. */
function ioOf(devices: ReadonlyMap<string, Ceilings>): RunLimits["io"] {
  if (devices.size === 0) return null;
  const loosest = (...names: (keyof Ceilings)[]) => {
    const amounts = [...devices.values()].flatMap((ceilings) => names.map((name) => ceilings[name]));
    return amounts.every((amount) => amount !== undefined) ? Math.max(...amounts) : null;
  };
  return {
    devices: [...devices.keys()],
    bytesPerSecond: loosest("read_bps", "write_bps"),
    operationsPerSecond: loosest("read_iops", "write_iops"),
  };
}

/**
 * Tells for what the I/O ceilings of disks hold here; see `HostMachine` of the protocol. `v1Disks`: v1's
 * controller for them is mounted.
 */
export function reachOfIo(
  cgroups: Pick<Cgroups, "version" | "joinFiles">,
  v1Disks: boolean,
): "all" | "direct" | "none" {
  if (cgroups.version === "v1") return v1Disks ? "direct" : "none";
  const root = cgroups
    .joinFiles("")
    .map((file) => readOrEmpty(join(dirname(file), "cgroup.subtree_control")));
  return root.some((text) => /\bio\b/.test(text)) ? "all" : "none";
}
