/** Names that tell whose a temporary file is, and whether that process is still there. */

import { startTicksOf } from "../process-start.ts";

/** Names a process beyond the reuse of its pid: the pid and when it started. */
export function ownerMark(pid: number): string {
  return `${pid}-${startTicksOf(pid) ?? "gone"}`;
}

/**
 * True while the process with this mark can still write: not for one that has ended and waits for its parent.
 */
export function isOwnerAlive(mark: string): boolean {
  return ownerMark(Number.parseInt(mark, 10)) === mark;
}
