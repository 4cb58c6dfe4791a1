/** Reads from a run directory what an agent that did not start the run must know. */

import { existsSync } from "node:fs";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import type { Instance } from "./runtime.ts";

const runRecord = z.object({
  projectId: z.string(),
  name: z.string(),
  runNumber: z.int(),
  versionNumber: z.int(),
  bootId: z.string(),
  startedAt: z.iso.datetime(),
});

export type RunRecord = z.infer<typeof runRecord>;

const fileName = "run.json";

/** Returns the run as it was started; one of another boot is gone with its kernel, and has ended with it. */
export function instanceOf(
  { projectId, runNumber, versionNumber, startedAt, bootId }: RunRecord,
  currentBootId: string,
): Instance {
  const at = new Date(startedAt);
  const exit =
    bootId === currentBootId ? null : { code: 137, isOutOfMemory: false, at, cause: "vanished" as const };
  return { projectId, runNumber, versionNumber, startedAt: at, exit };
}

export async function writeRunRecord(runDirectory: string, record: RunRecord): Promise<void> {
  await writeFile(join(runDirectory, fileName), JSON.stringify(record));
}

/**
 * Returns the record, with the time at which the program itself began, if it did: on a busy host the
 * container may take seconds before that, which do not count for the program. Returns undefined for a
 * directory that was left half made. Rejects for one that cannot be read, because its run may still be
 * running.
 */
export async function findRunRecord(runDirectory: string): Promise<RunRecord | undefined> {
  const text = await readIfThere(join(runDirectory, fileName));
  const parsed = runRecord.safeParse(parseJson(text));
  return parsed.success ? withStart(runDirectory, parsed.data) : undefined;
}

/** Returns the record with the time at which the program itself began. */
export async function withStart(runDirectory: string, record: RunRecord): Promise<RunRecord> {
  const started = await stat(startedFile(runDirectory)).catch(() => null);
  return started === null ? record : { ...record, startedAt: started.mtime.toISOString() };
}

/** Returns the names of the directories in `directory`; none when it does not exist. */
export async function directoryNames(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** Returns the exit that the supervisor wrote; undefined until it is complete. */
export async function findExitFile(runDirectory: string): Promise<{ code: number; at: Date } | undefined> {
  const file = join(runDirectory, "exit");
  if (!existsSync(file)) return undefined; // of what runs, which is asked about every few seconds
  const text = await readIfThere(file);
  if (!/^\d+\n$/.test(text)) return undefined;
  return { code: Number(text), at: (await stat(file)).mtime };
}

/** True from the moment that the program itself is allowed to run. */
export async function isStarted(runDirectory: string): Promise<boolean> {
  return stat(startedFile(runDirectory)).then(
    () => true,
    () => false,
  );
}

function startedFile(runDirectory: string): string {
  return join(runDirectory, "started");
}

/** Reads a file; "" when it does not exist. */
async function readIfThere(file: string): Promise<string> {
  return readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "";
    throw error;
  });
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
