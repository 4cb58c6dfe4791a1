/**
 * Stores copies of what the ledger knows of each project, one file for each: from them projects get their ids
 * and files again when a ledger is lost.
 */

import {
  closeSync,
  fdatasyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import type { KnownProject } from "./project-table.ts";

const knownProject = z.object({
  projectId: z.string(),
  generation: z.int(),
  uidIndex: z.int().nullable(),
  record: z.unknown().optional(),
});

const ending = ".json";
/** Milliseconds between two writes: each blocks this thread for a millisecond that no start should wait for. */
const writeEveryMs = 25;

export interface ProjectCopiesOptions {
  directory: string;
  /** Returns the project as the ledger knows it. */
  find: (projectId: string) => KnownProject | undefined;
  logger: { warn(fields: object, message: string): void };
}

/**
 * Writes a copy after the ledger, so it may be older by a moment, and after a power cut by as long as the
 * file system takes to write by itself. What cannot be written or read is logged, and stops nothing: the
 * ledger is authoritative.
 */
export class ProjectCopies {
  readonly #options: ProjectCopiesOptions;
  /** Ids of the projects whose copy must be written. */
  readonly #changed = new Set<string>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: ProjectCopiesOptions) {
    mkdirSync(options.directory, { recursive: true, mode: 0o700 });
    this.#options = options;
  }

  /** Returns the copies, the newest first. */
  read(): KnownProject[] {
    const paths = readdirSync(this.#options.directory)
      .filter((name) => name.endsWith(ending))
      .map((name) => join(this.#options.directory, name));
    const dated = paths.map((path) => ({ path, at: statSync(path).mtimeMs }));
    return dated.toSorted((one, other) => other.at - one.at).flatMap(({ path }) => this.#readOne(path) ?? []);
  }

  /**
   * Writes the copies of these projects that are outdated: an earlier agent was killed before it wrote them,
   * or wrote none.
   */
  bringUpToDate(projectIds: readonly string[]): void {
    const copies = new Map(this.read().map((project) => [project.projectId, JSON.stringify(project)]));
    for (const projectId of projectIds) {
      if (copies.get(projectId) !== JSON.stringify(this.#options.find(projectId))) this.#write(projectId);
    }
  }

  /** Schedules the write of a project's copy. */
  note(projectId: string): void {
    this.#changed.add(projectId);
    this.#timer ??= setTimeout(() => this.#writeNext(), writeEveryMs).unref();
  }

  /** Writes now; the copies survive a power cut. */
  flush(projectId: string): void {
    this.#changed.delete(projectId);
    this.#write(projectId, { isFlushed: true });
  }

  remove(projectId: string): void {
    this.#changed.delete(projectId);
    rmSync(this.#path(projectId), { force: true });
  }

  /** Writes what is still pending. */
  close(): void {
    clearTimeout(this.#timer);
    for (const projectId of this.#changed) this.#write(projectId);
    this.#changed.clear();
  }

  #writeNext(): void {
    const [projectId] = this.#changed;
    this.#timer = undefined;
    if (projectId === undefined) return;
    this.#changed.delete(projectId);
    this.#write(projectId);
    if (this.#changed.size > 0) this.#timer = setTimeout(() => this.#writeNext(), writeEveryMs).unref();
  }

  #write(projectId: string, { isFlushed = false } = {}): void {
    try {
      const project = this.#options.find(projectId);
      if (project === undefined) return;
      const path = this.#path(projectId);
      const draft = openSync(`${path}.new`, "w", 0o600);
      try {
        writeSync(draft, JSON.stringify(project));
        if (isFlushed) fdatasyncSync(draft);
      } finally {
        closeSync(draft);
      }
      renameSync(`${path}.new`, path);
    } catch (error) {
      this.#options.logger.warn(
        { err: error, projectId },
        "ledger: no copy could be made of what is known of a project",
      );
    }
  }

  #readOne(path: string): KnownProject | undefined {
    try {
      return knownProject.parse(JSON.parse(readFileSync(path, "utf8")));
    } catch (error) {
      this.#options.logger.warn(
        { err: error, path },
        "ledger: the copy of what was known of a project cannot be read",
      );
      return undefined;
    }
  }

  #path(projectId: string): string {
    if (!/^[A-Za-z0-9_-]{1,64}$/.test(projectId))
      throw new Error(`not a project id: ${JSON.stringify(projectId)}`);
    return join(this.#options.directory, projectId + ending);
  }
}
