/** Identifies processes also when their pids are reused, by proc(5). */

import { readFileSync } from "node:fs";

/**
 * `PF_EXITING` of the kernel's `include/linux/sched.h`: the process has begun to end and runs no program any
 * more.
 */
const exitingFlag = 0x4;

/**
 * Returns when a process started, in clock ticks since the machine's start (field 22 of `/proc/<pid>/stat`).
 * Returns undefined when there is no such process or it has ended: also while the kernel takes it down, and
 * while it is a zombie that its parent has not collected, which can last for as long as the parent lives.
 */
export function startTicksOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
    // The second field is the program's name in parentheses, which may hold any character.
    const [state, , , , , , flags, ...rest] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (state === "Z" || state === "X" || (Number(flags) & exitingFlag) !== 0) return undefined;
    return Number(rest[12]);
  } catch {
    return undefined;
  }
}
