/**
 * Tells whether an install step failed for lack of room: by its disk, or by its own last output when it has
 * tidied up after itself.
 */

import { open, readdir } from "node:fs/promises";
import { join } from "node:path";
import { noSpaceWords, usageOfFileSystem } from "../../disk/disk-full.ts";
import { lineTimeReader } from "../../logs/line-stamp.ts";

/** Bytes that are read at the end of each stream's newest file. */
const lookedAtBytes = 32_768;

export async function ranOutOfRoom(
  { directory, logDirectory }: { directory: string; logDirectory: string },
  since: Date,
): Promise<boolean> {
  if ((await usageOfFileSystem(directory, null)).full !== null) return true;
  const lastLines = await Promise.all(
    ["stdout", "stderr"].map((stream) => readLastLines(join(logDirectory, stream))),
  );
  const timeOf = lineTimeReader();
  return lastLines.flat().some((line) => timeOf(line) >= since.getTime() && noSpaceWords.test(line));
}

async function readLastLines(directory: string): Promise<string[]> {
  const names = (await readdir(directory).catch(() => [])).filter((name) => name.endsWith(".log"));
  const newest = names.toSorted((one, other) => Number.parseInt(other, 10) - Number.parseInt(one, 10))[0];
  if (newest === undefined) return [];
  await using file = await open(join(directory, newest), "r");
  const { size } = await file.stat();
  const { buffer, bytesRead } = await file.read(
    Buffer.alloc(lookedAtBytes),
    0,
    lookedAtBytes,
    Math.max(0, size - lookedAtBytes),
  );
  return buffer.subarray(0, bytesRead).toString("utf8").split("\n");
}
