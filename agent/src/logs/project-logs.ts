/** Provides the agent's view of every project's log: pages, following, its own lines, versions. */

import { rm } from "node:fs/promises";
import { join } from "node:path";
import type { OwnerMessage } from "@tijolo/protocol";
import { KeyedQueue, poll } from "@tijolo/protocol/kit";
import { ownerMessageText } from "@tijolo/protocol/texts/project";
import { logDirectory, projectLogDirectory, type LogSection, type LogSet } from "./writer/log-files.ts";
import { decodeCursor } from "./reading/log-cursor.ts";
import { followLog, hasPassed } from "./following/log-follower.ts";
import { noLogId, readLogIdentity, resume, type LogIdentity } from "./log-id.ts";
import type { LogFilter, LogFollowQuery, LogItem, LogPageQuery } from "./log-line.ts";
import { readLogPage, type LogPage } from "./reading/log-page.ts";
import { SystemLines } from "./system-lines.ts";
import { writeVersionMark } from "./following/version-marks.ts";

export interface ProjectLogsOptions {
  /** The agent's data directory. */
  data: string;
  /** Boot id, as of `host/boot-id.ts`. */
  bootId: string;
  /** Returns 4 to 16 characters of [0-9a-z], never the same twice. */
  createId: () => string;
  /** Folder inside a project's in which this log lies, where it is another than the project's own. */
  below?: string;
}

const missingLogPollMs = 100;

/** Reads and writes projects' logs. Nothing is held in memory for a project that nobody follows. */
export class ProjectLogs {
  readonly #data: string;
  readonly #options: ProjectLogsOptions;
  readonly #systemLines = new SystemLines();
  /** Queue by project: two calls must not give one log two names. */
  readonly #identityTurns = new KeyedQueue();

  constructor(options: ProjectLogsOptions) {
    this.#data = options.data;
    this.#options = options;
  }

  /**
   * Records that from now on `version` writes to this set of the section's streams. Must be called before an
   * install or a run begins, once the one that wrote to the set before has ended: what that one's writer has
   * yet to write counts as the new version's.
   */
  async mark(
    projectId: string,
    section: LogSection,
    mark: { version: number; at: Date; set?: LogSet },
  ): Promise<void> {
    await this.#identity(projectId);
    await writeVersionMark(logDirectory(this.#data, projectId, section), mark);
  }

  /**
   * Adds a message to the log, and resolves once it is in the file. The log holds the sentence, not the code:
   * a search (`q`) runs on this host over the text that is stored, and finds what the reader is shown.
   */
  appendMessage(projectId: string, section: LogSection, message: OwnerMessage, at: Date): Promise<void> {
    return this.appendSystemLine(projectId, section, ownerMessageText(message, "pt"), at);
  }

  /** Adds a line of the agent's own, such as the command of a step. Resolves once it is in the file. */
  async appendSystemLine(projectId: string, section: LogSection, text: string, at: Date): Promise<void> {
    await this.#identity(projectId);
    await this.#systemLines.append(join(logDirectory(this.#data, projectId, section), "system"), text, at);
  }

  /**
   * Returns the newest lines that match, oldest first. A project without a log has none, and before a cursor
   * of another log there are none. Throws `InvalidCursorError`.
   */
  async readLast(projectId: string, query: LogPageQuery): Promise<LogPage> {
    const directory = this.#directory(projectId);
    const cursor = query.before === undefined ? null : decodeCursor(query.before);
    const identity = (await this.#identity(projectId)) ?? { id: noLogId, earlier: [] };
    const before = cursor === null ? null : resume(identity, cursor).delivered;
    return await readLogPage(directory, { logId: identity.id, before }, query);
  }

  /**
   * Yields lines as they arrive, in batches, until `signal` aborts: with `after`, all that its log has kept
   * since then, with an exact gap where it was not kept, or is no more since a power cut; else the newest
   * `lines` first. It ends some time after `until`. Nothing is read ahead of the consumer. Throws
   * `InvalidCursorError` on the first pull.
   */
  async *follow(
    projectId: string,
    query: LogFollowQuery,
    signal: AbortSignal,
  ): AsyncGenerator<LogItem[], void, undefined> {
    const projectDirectory = this.#directory(projectId);
    const after = query.after === null ? null : decodeCursor(query.after);
    const { endsWhenRead } = query;
    const identity = await (endsWhenRead === true
      ? this.#identity(projectId)
      : this.#waitForLog(projectId, query, signal));
    if (identity === undefined) return;
    const { id: logId } = identity;
    if (after === null) {
      const { lines, delivered } = await readLogPage(projectDirectory, { logId, before: null }, query);
      if (lines.length > 0) yield lines.map((line) => ({ type: "line", ...line }));
      yield* followLog(
        { projectDirectory, cursor: { logId, delivered }, lost: [], filter: query, endsWhenRead },
        signal,
      );
    } else {
      const { delivered, lost } = resume(identity, after);
      yield* followLog(
        { projectDirectory, cursor: { logId, delivered }, lost, filter: query, endsWhenRead },
        signal,
      );
    }
  }

  /**
   * Waits for the log: a cursor has to name it, so nothing is delivered before it exists. Undefined when
   * aborted first, or when nothing can come.
   */
  async #waitForLog(
    projectId: string,
    filter: LogFilter,
    signal: AbortSignal,
  ): Promise<LogIdentity | undefined> {
    const find = async () => (await this.#identity(projectId)) ?? (hasPassed(filter) && null);
    try {
      return (await poll(find, { timeoutMs: null, everyMs: missingLogPollMs, signal })) ?? undefined;
    } catch (error) {
      if (signal.aborted) return undefined;
      throw error;
    }
  }

  #directory(projectId: string): string {
    return join(projectLogDirectory(this.#data, projectId), this.#options.below ?? "");
  }

  #identity(projectId: string): Promise<LogIdentity | undefined> {
    const directory = this.#directory(projectId);
    return this.#identityTurns.run(directory, () => readLogIdentity(directory, this.#options));
  }

  /** Deletes everything kept of a project. Its writers must have ended. */
  async remove(projectId: string): Promise<void> {
    await rm(projectLogDirectory(this.#data, projectId), { recursive: true, force: true });
  }
}
