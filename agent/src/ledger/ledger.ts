/**
 * Stores the agent's memory on disk: the desired state, the reconciler's record of each project, and the
 * reports that central has yet to take.
 */

import type { ImageNeed, ImageOverride, ReportEntry } from "@tijolo/protocol";
import { desiredState, type DesiredState } from "./desired-state.ts";
import { DesiredTable } from "./desired-table.ts";
import { hostFacts, type HostFacts } from "./host-facts.ts";
import { ImageTable, type PulledImage } from "./image-table.ts";
import { knownProjects, type KnownProjects } from "./known-projects.ts";
import { openLedgerFile } from "./ledger-file.ts";
import { Outbox } from "./outbox.ts";
import { ProjectCopies } from "./project-copies.ts";
import { ProjectTable } from "./project-table.ts";

/**
 * All methods are synchronous, and what one has written survives a crash of the agent and of the operating
 * system when it returns. One process opens a ledger at a time.
 */
export interface Ledger extends DesiredState, KnownProjects, HostFacts {
  /** Returns the images that an operator has set for language versions, by the last update. */
  imageOverrides(): ImageOverride[];
  /** Returns the images that an operator pulled. */
  pulledImages(): PulledImage[];
  /** Replaces an earlier pull of the same image. */
  savePulledImage(pulled: PulledImage): void;
  forgetPulledImage(image: ImageNeed): void;

  /** Returns the oldest entries that central has not taken, in sequence order. */
  pending(limit: number): ReportEntry[];
  /**
   * Removes the entries up to and including this sequence number, which central has stored; also makes sure
   * that later ones are higher.
   */
  taken(sequence: number): void;
  /**
   * Does what {@link taken} does, at the beginning of a connection. Returns false when central does not have
   * everything that it took from this ledger, or took what this one never wrote: then it may hold any state
   * of a project for the newest.
   */
  resumeFrom(sequence: number): boolean;

  /** Erases what was deleted, variables above all, from all of its files. */
  eraseDeleted(): void;
  close(): void;
}

export interface LedgerOptions {
  path: string;
  clock: { now(): number };
  logger: { warn(fields: object, message: string): void };
  /**
   * Directory with a copy of what is known of each project, a file for each: a new ledger begins with what it
   * finds there, so that when a ledger is lost, projects keep their user ids, and what is on their disks its
   * meaning. Default: no copies.
   */
  copiesDirectory?: string;
  /** Most entries that wait for central; beyond it the oldest are dropped and the log says so. */
  maxOutboxEntries?: number;
}

/** Opens the ledger. Throws {@link LedgerError} when the file is damaged or from a newer agent. */
export function openLedger({
  path,
  clock,
  logger,
  copiesDirectory,
  maxOutboxEntries = 100_000,
}: LedgerOptions): Ledger {
  const file = openLedgerFile(path);
  const desired = new DesiredTable(file);
  const projects = new ProjectTable(file);
  const find = (projectId: string) => projects.find(projectId);
  const copies =
    copiesDirectory === undefined
      ? undefined
      : new ProjectCopies({ directory: copiesDirectory, find, logger });
  const images = new ImageTable(file);
  const outbox = new Outbox({ file, logger, maxEntries: maxOutboxEntries });
  if (desired.revision() > 0) copies?.bringUpToDate(projects.ids());
  else if (copies !== undefined) file.transaction(() => projects.restore(copies.read()))();

  return {
    ...desiredState({ file, desired, projects, images, clock }),
    ...knownProjects({ file, desired, projects, outbox, copies }),
    ...hostFacts(file),
    imageOverrides: () => images.overrides(),
    pulledImages: () => images.pulled(),
    savePulledImage: (pulled) => images.savePulled(pulled),
    forgetPulledImage: (image) => images.forgetPulled(image),
    pending: (limit) => outbox.pending(limit),
    taken: file.transaction((sequence: number) => outbox.taken(sequence)),
    resumeFrom: file.transaction((sequence: number) => outbox.resume(sequence)),
    // Pages are zeroed as they become free (`secure_delete`); what they held before is in the write-ahead log
    // until that is cut off.
    eraseDeleted: () => void file.pragma("wal_checkpoint(TRUNCATE)"),
    close() {
      copies?.close();
      file.close();
    },
  };
}
