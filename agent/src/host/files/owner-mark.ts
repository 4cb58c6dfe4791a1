/** Makes names that tell who owns a temporary file, and tells whether that process still runs. */

import { startTicksOf } from "../process-start.ts";

/** Returns a name for a process that holds also when its pid is reused: the pid and when it started. */
export function ownerMark(pid: number): string {
  return `${pid}-${startTicksOf(pid) ?? "gone"}`;
}

/** True while the process with this mark can still write; false for a zombie. */
export function isOwnerAlive(mark: string): boolean {
  return ownerMark(Number.parseInt(mark, 10)) === mark;
}
