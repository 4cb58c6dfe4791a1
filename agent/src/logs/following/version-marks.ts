/**
 * Records which version of a project wrote which lines: a short list of the line numbers at which each
 * version began.
 */

import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { logStreams, streamName, type LogSet, type StreamName } from "../writer/log-files.ts";
import { isMissing, lastLineNumber } from "../stream-files.ts";

/**
 * Mark of a version: from line `first[name]` on, the lines of that stream are of `version`. Streams that
 * another run goes on writing are left out.
 */
export interface VersionMark {
  version: number;
  at: string;
  first: Partial<Record<StreamName, number>>;
}

const keptMarks = 200;

/** Records that `version` writes to this set from now on. Does nothing when it already does (a restart). */
export async function writeVersionMark(
  sectionDirectory: string,
  { version, at, set = "first" }: { version: number; at: Date; set?: LogSet },
): Promise<void> {
  const marks = await readVersionMarks(sectionDirectory);
  const latest = marks.at(-1);
  const names = logStreams.map((stream) => streamName(stream, set));
  if (latest?.version === version && names.every((name) => latest.first[name] !== undefined)) return;
  const first = await Promise.all(
    names.map(async (name): Promise<[StreamName, number]> => {
      const directory = join(sectionDirectory, name);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return [name, (await lastLineNumber(directory)) + 1];
    }),
  );
  marks.push({ version, at: at.toISOString(), first: Object.fromEntries(first) });
  const path = marksPath(sectionDirectory);
  await writeFile(`${path}.new`, JSON.stringify(marks.slice(-keptMarks)));
  await rename(`${path}.new`, path);
}

/** Returns the marks, oldest first. */
export async function readVersionMarks(sectionDirectory: string): Promise<VersionMark[]> {
  try {
    return JSON.parse(await readFile(marksPath(sectionDirectory), "utf8")) as VersionMark[];
  } catch (error) {
    if (isMissing(error) || error instanceof SyntaxError) return []; // no marks, or torn by a crash of the machine
    throw error;
  }
}

/** Holds the marks of one section for a reader: they are read again only when they have changed. */
export class VersionMarks {
  #sectionDirectory: string;
  #marks: VersionMark[] = [];
  #identity = "";

  constructor(sectionDirectory: string) {
    this.#sectionDirectory = sectionDirectory;
  }

  async refresh(): Promise<void> {
    const found = await stat(marksPath(this.#sectionDirectory)).catch(() => null);
    const identity = found === null ? "" : `${found.ino}.${found.mtimeMs}.${found.size}`;
    if (identity === this.#identity) return;
    this.#marks = await readVersionMarks(this.#sectionDirectory);
    this.#identity = identity;
  }

  /** Returns the version that wrote a line; for lines older than the oldest mark, that mark's version. */
  versionOf(name: StreamName, number: number): number {
    const mark = this.#marks.findLast(({ first }) => (first[name] ?? Infinity) <= number) ?? this.#marks[0];
    return mark?.version ?? 0;
  }
}

function marksPath(sectionDirectory: string): string {
  return join(sectionDirectory, "versions.json");
}
