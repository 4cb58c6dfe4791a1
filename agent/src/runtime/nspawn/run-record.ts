/** What a run directory tells about a run to an agent that did not start it. */

import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";

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

export async function writeRunRecord(runDirectory: string, record: RunRecord): Promise<void> {
  await writeFile(join(runDirectory, fileName), JSON.stringify(record));
}

/** Undefined for a directory that was left half made. */
export async function findRunRecord(runDirectory: string): Promise<RunRecord | undefined> {
  const text = await readFile(join(runDirectory, fileName), "utf8").catch(() => "");
  const parsed = runRecord.safeParse(parseJson(text));
  return parsed.success ? parsed.data : undefined;
}

/** Names of the directories in `directory`; none when it does not exist. */
export async function directoryNames(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return [];
    throw error;
  });
  return entries.filter((entry) => entry.isDirectory()).map((entry) => entry.name);
}

/** The supervisor's last word; undefined until it is complete. */
export async function findExitFile(runDirectory: string): Promise<{ code: number; at: Date } | undefined> {
  const file = join(runDirectory, "exit");
  const text = await readFile(file, "utf8").catch(() => "");
  if (!/^\d+\n$/.test(text)) return undefined;
  return { code: Number(text), at: (await stat(file)).mtime };
}

/** The program itself is allowed to run from this moment on. */
export async function isStarted(runDirectory: string): Promise<boolean> {
  return stat(join(runDirectory, "started")).then(
    () => true,
    () => false,
  );
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
