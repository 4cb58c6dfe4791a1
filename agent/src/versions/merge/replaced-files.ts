/**
 * Keeps what new code would have overwritten: merges versions, lists what they set aside, brings it back, and
 * removes it in the end.
 */

import { existsSync } from "node:fs";
import { rm, rmdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import { KeyedQueue } from "@tijolo/protocol/kit";
import type { ProjectDisks } from "../../disk/project-disks.ts";
import { flushNames } from "../../host/files/flush.ts";
import { removeTree } from "../../host/files/trees.ts";
import { bringBack } from "./bring-back.ts";
import { describeContents, type Contents } from "./replaced-set.ts";
import type { Aside } from "./set-aside.ts";
import {
  changedAt,
  isMarkedMerged,
  listPlaces,
  markMerged,
  placeOf,
  trimSets,
  type SetPlace,
} from "./set-places.ts";
import { namesOf, stageRestore } from "./stage-restore.ts";
import { uncover } from "./uncover.ts";

/** Milliseconds for which a set is kept after the last change of it. */
export const keptMs = 14 * 24 * 60 * 60 * 1000;
/**
 * Part of the project's disk, and megabytes, that all sets may take together. They are on the disk of the
 * project and count in its limit: a file that is moved there takes no room that it did not take before, while
 * a place outside would need a copy, of any size, on the disk that all projects of the host share. What makes
 * it fair is that the project never needs more room for a new version than it had; that older sets go first,
 * at this bound and as soon as the disk is full; and that the newest set always stays.
 */
const maxShare = 0.25;
const maxKeptMb = 256;

export interface ReplacedFilesOptions {
  dataDirectory: string;
  clock: { now(): number };
  disks: Pick<ProjectDisks, "usage">;
  logger: Pick<Logger, "info" | "warn">;
}

export interface MergeRequest {
  /** Directory of what the project wrote under /app. */
  own: string;
  /** Directories of the version: of its code, and of what its install made, lowest first. */
  code: string;
  installed: readonly string[];
  versionNumber: number;
  /** Version that was merged last; 0 for none. */
  mergedVersion: number;
  /** Directory of its code, which need not be there any more; undefined for none. */
  earlier: string | undefined;
  diskMb: number;
}

export interface ReplacedSet extends Contents {
  versionNumber: number;
  /** Time of the last change, in milliseconds since 1970. */
  changedAtMs: number;
  /** True while some of it comes back at the next start. */
  isRestoring: boolean;
}

export class ReplacedFiles {
  readonly #options: ReplacedFilesOptions;
  /** Lets one task at a time move a project's files: its start, a request, or the upkeep. */
  readonly #queue = new KeyedQueue({
    maxTasks: 16,
    refusal: () => new Error("too many requests for the replaced files of one project"),
  });

  constructor(options: ReplacedFilesOptions) {
    this.#options = options;
  }

  /**
   * Merges a version once: new code wins over what the project wrote under the same name, which is kept. Then
   * brings back what was requested. Must be called only while nothing of the project runs, with its disk
   * open. Returns the sets to report. Throws ENOSPC or EDQUOT when the disk has no room for a name; nothing
   * is lost then, and the next start goes on.
   */
  merge(projectId: string, request: MergeRequest): Promise<ReplacedSet[]> {
    return this.#queue.run(projectId, async () => {
      const isNew = request.mergedVersion !== request.versionNumber;
      await this.#undoOthers(projectId, request);
      if (!isNew) await rm(placeOf(this.#replaced(projectId), request.versionNumber).merged, { force: true });
      const made = isNew ? await this.#mergeNew(projectId, request) : [];
      const hasBroughtBack = await this.#bringBackAll(projectId, request);
      // On the disk before the ledger says so: it may be another file system than the ledger's.
      if ((isNew || hasBroughtBack) && existsSync(request.own)) await flushNames(request.own);
      if (made.length > 0) await this.#trim(projectId, maxBytesMb(request.diskMb));
      const sets = await Promise.all(made.map((place) => this.#describe(place)));
      return sets.filter((set) => set !== null);
    });
  }

  /** Returns what is kept, the newest version first. Rejects while the project's disk is not open. */
  async list(projectId: string): Promise<ReplacedSet[]> {
    await this.#options.disks.usage(projectId);
    const places = await listPlaces(this.#replaced(projectId));
    const sets: ReplacedSet[] = [];
    for (const place of places) {
      const set = await this.#describe(place);
      if (set !== null) sets.push(set);
    }
    return sets;
  }

  /**
   * Has the file or directory at `path`, or with null the whole set, brought back at the project's next
   * start; again, if it was requested before. Returns false when nothing is kept there.
   */
  async restore(projectId: string, versionNumber: number, path: string | null): Promise<boolean> {
    await this.#options.disks.usage(projectId);
    const names = path === null ? null : namesOf(path);
    if (names === undefined) return false;
    const { set, staging } = placeOf(this.#replaced(projectId), versionNumber);
    return this.#queue.run(projectId, async () => {
      if ((await describeContents([set, staging])).count === 0) return false;
      return stageRestore(set, staging, names);
    });
  }

  /**
   * Removes the sets whose time is over; what is to be brought back stays until it is. A fault of one project's
   * disk does not keep the sets of others.
   */
  async collect(projectIds: Iterable<string>): Promise<void> {
    for (const projectId of projectIds) {
      await this.#collectOf(projectId).catch((error: unknown) => {
        this.#options.logger.warn({ err: error, projectId }, "replaced files whose time is over stay");
      });
    }
  }

  async #collectOf(projectId: string): Promise<void> {
    for (const place of await listPlaces(this.#replaced(projectId))) {
      if (!(await this.#isOver(place))) continue;
      await this.#queue.run(projectId, async () => {
        if (await this.#isOver(place)) await removeTree(place.set);
      });
    }
  }

  async #mergeNew(projectId: string, request: MergeRequest): Promise<SetPlace[]> {
    const { own, code, installed, versionNumber, mergedVersion, earlier } = request;
    const { clock } = this.#options;
    const replaced = this.#replaced(projectId);
    if ((await listPlaces(replaced)).length > 1 && (await this.#isDiskFull(projectId)))
      await this.#trim(projectId, 0);
    await this.#stageLater(projectId, request);
    const place = placeOf(replaced, versionNumber);
    const aside: Aside = { set: place.set, merging: place.merging, earlier, kept: 0 };
    const isMerged = await isMarkedMerged(place, mergedVersion);
    if (!isMerged) {
      await uncover(code, own, aside);
      for (const layer of installed) await uncover(layer, own);
      if ((await listPlaces(replaced)).some(({ staging }) => existsSync(staging)))
        await markMerged(place, mergedVersion);
    }
    await rm(place.merging, { force: true });
    if (aside.kept > 0) await utimes(place.set, clock.now() / 1000, clock.now() / 1000);
    // A set whose merge the agent did not live to report is part of this version's report.
    return (await listPlaces(replaced)).filter(
      ({ versionNumber: number }) =>
        (number > mergedVersion && number <= versionNumber) ||
        (number === versionNumber && (aside.kept > 0 || isMerged)),
    );
  }

  /**
   * Ends merges of other versions that were interrupted, as by a full disk. What a later version had set
   * aside comes back, because the project goes on with the version that it had.
   */
  async #undoOthers(projectId: string, { versionNumber }: MergeRequest): Promise<void> {
    for (const place of await listPlaces(this.#replaced(projectId))) {
      if (place.versionNumber === versionNumber) continue;
      await rm(place.merged, { force: true });
      if (!existsSync(place.merging)) continue;
      if (place.versionNumber > versionNumber) await stageRestore(place.set, place.staging, null);
      await rm(place.merging, { force: true });
    }
  }

  /**
   * Has everything brought back that later versions replaced: when a project returns to an earlier version,
   * its program gets its files back.
   */
  async #stageLater(projectId: string, { versionNumber, mergedVersion }: MergeRequest): Promise<void> {
    const places = await listPlaces(this.#replaced(projectId));
    for (const place of places) {
      const isLater = place.versionNumber > versionNumber && place.versionNumber <= mergedVersion;
      if (isLater) await stageRestore(place.set, place.staging, null);
    }
  }

  /**
   * Brings back what is staged in all sets; of two files with the same path, the older set's stays. What a
   * file of a later version pushes out goes to the set of the version that runs: from the later version's
   * set, it would be brought back over the right file once that version is tried and given up again.
   */
  async #bringBackAll(
    projectId: string,
    { own, code, installed, versionNumber }: MergeRequest,
  ): Promise<boolean> {
    const { clock } = this.#options;
    const replaced = this.#replaced(projectId);
    let hasBroughtBack = false;
    for (const { versionNumber: number, staging } of await listPlaces(replaced)) {
      const { set } = placeOf(replaced, Math.min(number, versionNumber));
      const isDone = await bringBack({ staging, set, upper: own, layers: [code, ...installed] });
      if (!isDone) continue;
      hasBroughtBack = true;
      for (const each of [set, placeOf(replaced, number).set]) await rmdir(each).catch(() => {}); // it is empty, or has something, or was never made
      if (existsSync(set)) await utimes(set, clock.now() / 1000, clock.now() / 1000);
    }
    return hasBroughtBack;
  }

  async #describe(place: SetPlace): Promise<ReplacedSet | null> {
    const contents = await describeContents([place.set, place.staging]);
    if (contents.count === 0) return null;
    const changedAtMs = (await changedAt(place)) ?? this.#options.clock.now();
    const { versionNumber, staging } = place;
    return { versionNumber, changedAtMs, ...contents, isRestoring: existsSync(staging) };
  }

  async #isOver(place: SetPlace): Promise<boolean> {
    const at = await changedAt(place);
    return at !== null && at + keptMs <= this.#options.clock.now();
  }

  async #isDiskFull(projectId: string): Promise<boolean> {
    const used = await this.#options.disks.usage(projectId).catch(() => null);
    return used !== null && used.full !== null;
  }

  /** Trims the sets; a fault only leaves more of them. */
  async #trim(projectId: string, maxMb: number): Promise<void> {
    await trimSets(this.#replaced(projectId), maxMb).catch((error: unknown) => {
      this.#options.logger.warn({ err: error, projectId }, "old replaced files could not be removed");
    });
  }

  #replaced(projectId: string): string {
    return join(this.#options.dataDirectory, "projects", projectId, "replaced");
  }
}

function maxBytesMb(diskMb: number): number {
  return Math.min(maxKeptMb, diskMb * maxShare);
}
