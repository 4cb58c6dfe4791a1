/**
 * Keeps the visits to sites as logs beside those of their projects, `<data>/logs/<projectId>/access/`, in the
 * same layout: one stream of one section, so that they are read as every log is.
 */

import { mkdir, open, stat, unlink } from "node:fs/promises";
import { join } from "node:path";
import type { AccessLines } from "@tijolo/protocol";
import { KeyedQueue } from "@tijolo/protocol/kit";
import { appendLines, closeCurrent } from "./append-lines.ts";
import { stampLine } from "./line-stamp.ts";
import { ProjectLogs, type ProjectLogsOptions } from "./project-logs.ts";
import { isMissing, listStreamFiles } from "./stream-files.ts";
import { projectLogDirectory, type LogLimits } from "./writer/log-files.ts";

const folder = "access";
/** 10 MB a site, in files that are small enough to be deleted by their age. */
const limits: LogLimits = { fileBytes: 250_000, archives: 39, lineBytes: 4_096 };
const dayMs = 24 * 60 * 60_000;
/** A file is closed a day after its first line, and deleted 30 days after its last. */
const keptDays = 30;

type SiteLines = AccessLines["sites"][number];

export class AccessLogs {
  /** Reads the log of a site. */
  readonly reader: ProjectLogs;
  readonly #data: string;
  readonly #turns = new KeyedQueue();
  #lastBatch = "";

  constructor(options: ProjectLogsOptions) {
    this.reader = new ProjectLogs({ ...options, below: folder });
    this.#data = options.data;
  }

  /**
   * Adds lines; resolves once they are in their files. A batch that comes twice in a row is written once, and
   * lines of a project that is not here are nobody's.
   */
  async append({ batch, sites }: AccessLines): Promise<void> {
    if (batch === this.#lastBatch) return;
    for (const site of sites) await this.#turns.run(site.projectId, () => this.#appendTo(site));
    this.#lastBatch = batch;
  }

  /** Deletes what is older than it is kept. */
  async collect(projectIds: readonly string[], nowMs: number): Promise<void> {
    for (const projectId of projectIds)
      await this.#turns.run(projectId, () => removeOld(this.#directory(projectId), nowMs));
  }

  async #appendTo({ projectId, lines, droppedLines }: SiteLines): Promise<void> {
    try {
      // Not the folder above: that of a project which is deleted meanwhile must not come back.
      await mkdir(join(projectLogDirectory(this.#data, projectId), folder), { mode: 0o700 });
    } catch (error) {
      if (isMissing(error)) return;
      if (!isThere(error)) throw error;
    }
    const stamped = lines.map(({ at, text }) => stampLine(new Date(at), text));
    await appendLines(this.#directory(projectId), stamped, { limits, droppedLines });
  }

  /** Directory of the one stream. */
  #directory(projectId: string): string {
    return join(projectLogDirectory(this.#data, projectId), folder, "app", "stdout");
  }
}

async function removeOld(directory: string, nowMs: number): Promise<void> {
  for (const { path, first, last } of await listStreamFiles(directory)) {
    if (last !== null) {
      if ((await stat(path)).mtimeMs < nowMs - keptDays * dayMs) await unlink(path);
    } else if ((await firstLineMs(path)) < nowMs - dayMs) {
      await closeCurrent(directory, { path, first });
      await appendLines(directory, [], { limits }); // an empty file keeps the place of the next line's number
    }
  }
}

/** Returns the time of the first line; NaN where there is none. */
async function firstLineMs(path: string): Promise<number> {
  await using file = await open(path);
  const { buffer, bytesRead } = await file.read(Buffer.alloc(24), 0, 24, 0);
  return Date.parse(buffer.toString("latin1", 0, bytesRead));
}

function isThere(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "EEXIST";
}
