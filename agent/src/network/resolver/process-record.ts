/** Stores what an agent must know about the resolver that an earlier agent has started. */

import { readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod/mini";

const processRecord = z.object({
  pid: z.number(),
  /** Clock ticks from the machine's start to the process's: with the pid it names one process only. */
  startTicks: z.number(),
  /** Revision of the program's files, see `program-revision.ts`. */
  revision: z.string(),
  /** Name of the namespace in which it listens. */
  namespace: z.string(),
  address: z.string(),
});

export type ProcessRecord = z.infer<typeof processRecord>;

const fileName = "process.json";

/** Returns the record; undefined when there is none, or none that can be read. */
export function findProcessRecord(directory: string): ProcessRecord | undefined {
  try {
    return processRecord.parse(JSON.parse(readFileSync(join(directory, fileName), "utf8")));
  } catch {
    return undefined;
  }
}

export function writeProcessRecord(directory: string, record: ProcessRecord): void {
  const temporary = join(directory, `.${fileName}.new`);
  writeFileSync(temporary, JSON.stringify(record));
  renameSync(temporary, join(directory, fileName));
}

export function removeProcessRecord(directory: string): void {
  rmSync(join(directory, fileName), { force: true });
}

export function isAlive({ pid, startTicks }: ProcessRecord): boolean {
  return startTicksOf(pid) === startTicks;
}

/**
 * Returns the start ticks; undefined when there is no such process, or only a zombie that its parent has not
 * collected yet.
 */
export function startTicksOf(pid: number): number | undefined {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields[0] === "Z" ? undefined : Number(fields[19]);
  } catch {
    return undefined;
  }
}
