/**
 * Records which version of a project wrote which lines: a short list of the line numbers at which each
 * version began.
 */

import { mkdir, readFile, rename, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { logStreams, type LogStream } from "../writer/log-files.ts";
import { isMissing, lastLineNumber } from "../stream-files.ts";

/** Mark of a version: from line `first[stream]` on, the lines are of `version`. */
export interface VersionMark {
  version: number;
  at: string;
  first: Record<LogStream, number>;
}

const keptMarks = 200;

/** Records that `version` writes from now on. Does nothing when it already does (a restart). */
export async function writeVersionMark(
  sectionDirectory: string,
  { version, at }: { version: number; at: Date },
): Promise<void> {
  const marks = await readVersionMarks(sectionDirectory);
  if (marks.at(-1)?.version === version) return;
  const [stdout, stderr, system] = await Promise.all(
    logStreams.map(async (stream) => {
      const directory = join(sectionDirectory, stream);
      await mkdir(directory, { recursive: true, mode: 0o700 });
      return (await lastLineNumber(directory)) + 1;
    }),
  );
  marks.push({
    version,
    at: at.toISOString(),
    first: { stdout: stdout ?? 1, stderr: stderr ?? 1, system: system ?? 1 },
  });
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
  versionOf(stream: LogStream, number: number): number {
    const mark = this.#marks.findLast(({ first }) => first[stream] <= number) ?? this.#marks[0];
    return mark?.version ?? 0;
  }
}

function marksPath(sectionDirectory: string): string {
  return join(sectionDirectory, "versions.json");
}
