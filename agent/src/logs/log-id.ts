/**
 * Gives a project's log on this host a name, so that a cursor of another log is recognised. The name changes
 * with each boot of the machine: a power cut removes lines that were delivered already, and their numbers are
 * used again.
 *
 * The file `id` holds `<id> <boot>`, then for each earlier boot, the newest first, the name then and the last
 * line that each stream still had when it ended, `<id> <last>.<last>…`: cursors of that time continue from
 * there.
 */

import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { writeDurably } from "../host/files/durable-file.ts";
import type { LogCursor } from "./reading/log-cursor.ts";
import { logSources, oldestSources, sourceDirectory } from "./reading/log-source.ts";
import { isMissing, lastLineNumber } from "./stream-files.ts";

export interface LogIdentity {
  id: string;
  /** Earlier names, the newest first; `last` is in the order of {@link logSources}. */
  earlier: readonly { id: string; last: readonly number[] }[];
}

export interface LogIdentityOptions {
  /** Boot id, as of `host/boot-id.ts`. */
  bootId: string;
  createId: () => string;
}

/** Id of a log that does not exist yet; nothing of it can have been delivered. */
export const noLogId = "0";

/** Number of earlier boots that are remembered; a cursor from before them is redelivered the whole log. */
const keptBoots = 16;
const currentPattern = /^([0-9a-z]{1,16})(?: (.+))?$/;
const earlierPattern = new RegExp(
  `^([0-9a-z]{1,16}) (\\d{1,15}(?:\\.\\d{1,15}){${oldestSources - 1},${logSources.length - 1}})$`,
);

/**
 * Reads the identity. Must be called before anything is written in this boot, and one call at a time;
 * undefined while the directory is missing. A file that cannot be read is made anew: its log is another one
 * then, of which nothing was delivered.
 */
export async function readLogIdentity(
  projectDirectory: string,
  options: LogIdentityOptions,
): Promise<LogIdentity | undefined> {
  const path = join(projectDirectory, "id");
  const { bootId, createId } = options;
  try {
    const found = parse(await readFile(path, "latin1").catch(throwUnlessMissing));
    if (found !== undefined && found.bootId === bootId) return found;
    await stat(projectDirectory);
    const last = found === undefined ? [] : [{ id: found.id, last: await lastLines(projectDirectory) }];
    const identity = { id: createId(), earlier: [...last, ...(found?.earlier ?? [])].slice(0, keptBoots) };
    await writeDurably(path, format(identity, bootId), { mode: 0o600 });
    return identity;
  } catch (error) {
    return throwUnlessMissing(error);
  }
}

/**
 * Returns where a cursor stands in the log as it is now, and how many of the lines that it has seen were lost
 * in a power cut, by stream.
 */
export function resume(
  { id, earlier }: LogIdentity,
  { logId, delivered }: LogCursor,
): { delivered: number[]; lost: number[] } {
  const index = earlier.findIndex((each) => each.id === logId);
  if (logId !== id && index < 0) return { delivered: delivered.map(() => 0), lost: delivered.map(() => 0) };
  const boots = logId === id ? [] : earlier.slice(0, index + 1);
  const left = delivered.map((number, source) =>
    Math.min(number, ...boots.map(({ last }) => last[source] ?? 0)),
  );
  return { delivered: left, lost: delivered.map((number, source) => number - (left[source] ?? 0)) };
}

function lastLines(projectDirectory: string): Promise<number[]> {
  return Promise.all(logSources.map((source) => lastLineNumber(sourceDirectory(projectDirectory, source))));
}

function parse(text: string | undefined): (LogIdentity & { bootId: string | undefined }) | undefined {
  const [current = "", ...others] = (text ?? "").trimEnd().split("\n");
  const [, id, bootId] = currentPattern.exec(current) ?? [];
  if (id === undefined) return undefined;
  const earlier = others.flatMap((line) => {
    const [, name, numbers] = earlierPattern.exec(line) ?? [];
    return name === undefined || numbers === undefined
      ? []
      : [{ id: name, last: numbers.split(".").map(Number) }];
  });
  return { id, bootId, earlier };
}

function format({ id, earlier }: LogIdentity, bootId: string): string {
  return [`${id} ${bootId}`, ...earlier.map(({ id: name, last }) => `${name} ${last.join(".")}`), ""].join(
    "\n",
  );
}

function throwUnlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
