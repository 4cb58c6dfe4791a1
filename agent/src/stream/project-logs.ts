/** The agent's view of every project's log: pages, following, its own lines, which version wrote what. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { logDirectory, projectLogDirectory, type LogSection } from "../host/log-files.ts";
import { decodeCursor, type LogCursor } from "./log-cursor.ts";
import { followLog } from "./log-follower.ts";
import { noLogId, readLogId } from "./log-id.ts";
import type { LogFollowQuery, LogItem, LogPageQuery } from "./log-line.ts";
import { readLogPage, type LogPage } from "./log-page.ts";
import { logSources } from "./log-source.ts";
import { SystemLines } from "./system-lines.ts";
import { writeVersionMark } from "./version-marks.ts";

export interface ProjectLogsOptions {
  /** The agent's data directory. */
  data: string;
  /** 4 to 16 characters of [0-9a-z], never the same twice. */
  createId: () => string;
}

const missingLogPollMs = 100;

/** Nothing runs and nothing is kept in memory for a project that nobody follows. */
export class ProjectLogs {
  #data: string;
  #createId: () => string;
  #systemLines = new SystemLines();

  constructor({ data, createId }: ProjectLogsOptions) {
    this.#data = data;
    this.#createId = createId;
  }

  /**
   * Records that from now on `version` writes in this section. To be called before an install or a run begins, once the one before
   * has ended: what its writer has yet to write counts as the new version's.
   */
  async mark(projectId: string, section: LogSection, mark: { version: number; at: Date }): Promise<void> {
    await writeVersionMark(logDirectory(this.#data, projectId, section), mark);
  }

  /** Adds the agent's own words to the log ("Processo terminou com código 1"). Resolves once they are in the file. */
  async appendSystemLine(projectId: string, section: LogSection, text: string, at: Date): Promise<void> {
    await this.#systemLines.append(join(logDirectory(this.#data, projectId, section), "system"), text, at);
  }

  /** The newest lines that match, oldest first. A project without a log has none. */
  async readLast(projectId: string, query: LogPageQuery): Promise<LogPage> {
    const directory = projectLogDirectory(this.#data, projectId);
    return await readLogPage(directory, await readLogId(directory, this.#createId), query);
  }

  /**
   * Lines as they come, in batches, until `signal` aborts: with `after`, all that its log has kept since then, with an exact gap where
   * it was not kept; else the newest `lines` first. Nothing is read ahead of the consumer. Throws `InvalidCursorError` on the first pull.
   */
  async *follow(projectId: string, query: LogFollowQuery, signal: AbortSignal): AsyncGenerator<LogItem[], void, undefined> {
    const projectDirectory = projectLogDirectory(this.#data, projectId);
    const after = query.after === null ? null : decodeCursor(query.after);
    const logId = await this.#waitForLog(projectDirectory, signal);
    if (logId === noLogId) return;
    let delivered: number[];
    if (after === null) {
      const page = await readLogPage(projectDirectory, logId, query);
      delivered = page.delivered;
      if (page.lines.length > 0) yield page.lines.map((line) => ({ type: "line", ...line }));
    } else {
      delivered = after.logId === logId ? after.delivered : logSources.map(() => 0);
    }
    const cursor: LogCursor = { logId, delivered };
    yield* followLog({ projectDirectory, cursor, filter: query }, signal);
  }

  /** A cursor has to name its log, so nothing is delivered before there is one; {@link noLogId} when aborted first. */
  async #waitForLog(projectDirectory: string, signal: AbortSignal): Promise<string> {
    for (;;) {
      const logId = await readLogId(projectDirectory, this.#createId);
      if (logId !== noLogId || signal.aborted) return logId;
      await delay(missingLogPollMs, undefined, { signal }).catch(() => {});
    }
  }

  /** Deletes everything kept of a project. Its writers must have ended. */
  async remove(projectId: string): Promise<void> {
    await rm(projectLogDirectory(this.#data, projectId), { recursive: true, force: true });
  }
}
