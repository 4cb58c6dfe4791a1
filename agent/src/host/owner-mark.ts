/** Names that tell whose a temporary file is, and whether that process is still there. */

import { readFile } from "node:fs/promises";

/** Names a process beyond the reuse of its pid: the pid and when it started (field 22 of its stat). */
export async function ownerMark(pid: number): Promise<string> {
  const text = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return `${pid}-${fields[19] ?? "gone"}`;
}

/** Whether the process with this mark is there. */
export async function isOwnerAlive(mark: string): Promise<boolean> {
  return (await ownerMark(Number.parseInt(mark, 10))) === mark;
}
