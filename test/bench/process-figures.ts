/** Reads what the kernel reports of processes: memory, and the time that processors have spent on them. */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";

export interface Memory {
  /** With its share of what it has in common with others. */
  pssMb: number;
  rssMb: number;
}

export function memoryOf(pid: number): Memory {
  const text = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
  const megabytes = (name: string) =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1]) / 1_024;
  return { pssMb: megabytes("Pss"), rssMb: megabytes("Rss") };
}

export interface CpuSeconds {
  own: number;
  /** Seconds of children that have ended. */
  ofChildren: number;
}

/** Returns the processor time that has been used so far. */
export function cpuSecondsOf(pid: number): CpuSeconds {
  ticksPerSecond ??= Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }));
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The name, in parentheses, may contain anything.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const [user = 0, system = 0, userOfChildren = 0, systemOfChildren = 0] = fields.slice(11, 15).map(Number);
  return {
    own: (user + system) / ticksPerSecond,
    ofChildren: (userOfChildren + systemOfChildren) / ticksPerSecond,
  };
}
let ticksPerSecond: number | undefined;

/** Without the children's own children. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, "utf8").split(" ").filter(Boolean).map(Number),
  );
}

/** Returns what the kernel uses for itself and cannot give back, without what processes and caches hold. */
export function kernelMemoryMb(): number {
  const text = readFileSync("/proc/meminfo", "utf8");
  const names = ["SUnreclaim", "KernelStack", "PageTables", "Percpu"];
  return (
    names.reduce(
      (sum, name) => sum + Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(text)?.[1] ?? 0),
      0,
    ) / 1_024
  );
}
