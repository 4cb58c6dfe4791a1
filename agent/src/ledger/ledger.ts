/**
 * Stores the agent's memory on disk: the desired state, the reconciler's record of each project, and the
 * reports that central has yet to take.
 */

import type { Assignment, DesiredUpdate, ImageNeed, ImageOverride, ReportEntry } from "@tijolo/protocol";
import { DesiredTable } from "./desired-table.ts";
import { ImageTable, type PulledImage } from "./image-table.ts";
import { openLedgerFile } from "./ledger-file.ts";
import { Outbox } from "./outbox.ts";
import { ProjectCopies } from "./project-copies.ts";
import { ProjectTable, type KnownDeparture, type KnownProject } from "./project-table.ts";
import { StagedTable } from "./staged-table.ts";

/**
 * All methods are synchronous, and what one has written survives a crash of the agent and of the operating
 * system when it returns. One process opens a ledger at a time.
 */
export interface Ledger {
  /**
   * Returns the assignments by project id, as central sent them last. A project that central does not name
   * any more ({@link unwanted}) keeps its assignment until central gives a reason ({@link departures}).
   */
  assignments(): Assignment[];
  /**
   * Returns the projects with an assignment that central no longer names, and since when (milliseconds since
   * 1970).
   */
  unwanted(): ReadonlyMap<string, number>;
  /** Returns the projects that central gave up on this host, and why, until they are gone from it. */
  departures(): ReadonlyMap<string, KnownDeparture>;
  /** True once central has sent a whole desired state: before that, nothing here can be called unwanted. */
  hasTakenSet(): boolean;
  /** Returns what to report to central for the desired state; revision 0 before the first update. */
  held(): { revision: number; setHash: string };
  /**
   * Takes one part of an update; with the last one the update takes effect as a whole. An assignment of an
   * older generation than the known one is ignored; one without variables keeps those that were known, under
   * the tag that they came with. `isConsistent` false: this is not the set that central means; ask for the
   * full set. Throws for a part that is not the next one.
   */
  applyDesired(part: DesiredUpdate): { isComplete: boolean; isConsistent: boolean };

  /** Returns the images that an operator has set for language versions, by the last update. */
  imageOverrides(): ImageOverride[];
  /** Returns the images that an operator pulled. */
  pulledImages(): PulledImage[];
  /** Replaces an earlier pull of the same image. */
  savePulledImage(pulled: PulledImage): void;
  forgetPulledImage(image: ImageNeed): void;

  /**
   * Returns every project that has a record, a uid or an assignment here; longer than its assignment, until
   * {@link removeProject}.
   */
  projectIds(): string[];
  /**
   * Adds rows of generation 0 for projects that were found on this host. What is known of a project stays as
   * it is; a uid index that another project has is not taken over.
   */
  noteFound(projects: readonly Pick<KnownProject, "projectId" | "uidIndex">[]): void;
  /** Returns the project's generation; 0 for a project that the ledger does not know. */
  generationOf(projectId: string): number;
  /** Returns the reconciler's own record, as it was saved. */
  findRecord(projectId: string): unknown;
  /**
   * Saves the record and, in the same transaction, puts the events into the outbox under the project's
   * generation. Throws for an unknown project.
   */
  saveRecord(projectId: string, record: unknown, events: ReportEntry["event"][]): void;
  /**
   * Returns a small number that no other project here has, the same until the project is removed. Throws for
   * an unknown project.
   */
  uidIndexOf(projectId: string): number;
  /** Returns the same number if it was chosen before; undefined otherwise. Throws for an unknown project. */
  findUidIndex(projectId: string): number | undefined;
  /**
   * Forgets a project that is gone from this host. Its entries in the outbox are still reported. Keeps a
   * project that central wants here.
   */
  removeProject(projectId: string): void;

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

  /** Returns the highest epoch of central seen; 0 before the first connection. */
  epoch(): number;
  setEpoch(epoch: number): void;
  /** Returns the host's id; undefined until the host has joined a cluster. */
  hostId(): string | undefined;
  /** `runtime` is the runtime that the host joined with. */
  setHostId(hostId: string, runtime?: string): void;
  /** Returns the runtime that the host joined with; undefined until then. */
  runtime(): string | undefined;

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
  const staged = new StagedTable(file);
  const projects = new ProjectTable(file);
  const find = (projectId: string) => projects.find(projectId);
  const copies =
    copiesDirectory === undefined
      ? undefined
      : new ProjectCopies({ directory: copiesDirectory, find, logger });
  const images = new ImageTable(file);
  const outbox = new Outbox({ file, logger, maxEntries: maxOutboxEntries });
  const readHost = file.prepare<[], { host_id: string | null; epoch: number; runtime: string | null }>(
    "SELECT host_id, epoch, runtime FROM host",
  );
  const writeEpoch = file.prepare("UPDATE host SET epoch = ?");
  const writeHostId = file.prepare("UPDATE host SET host_id = ?, runtime = ?");

  const saveRecord = file.transaction(
    (projectId: string, record: unknown, events: ReportEntry["event"][]) => {
      const generation = projects.saveRecord(projectId, record);
      for (const event of events) outbox.append(projectId, generation, event);
    },
  );
  const removeProject = file.transaction((projectId: string) => {
    desired.remove(projectId);
    projects.remove(projectId);
  });
  const chooseUidIndex = file.transaction((projectId: string) => projects.chooseUidIndex(projectId));
  if (desired.revision() > 0) copies?.bringUpToDate(projects.ids());
  else if (copies !== undefined) file.transaction(() => projects.restore(copies.read()))();

  return {
    assignments: () => desired.assignments(),
    unwanted: () => desired.unwanted(),
    departures: () => projects.departures(),
    hasTakenSet: () => desired.revision() > 0,
    held: () => desired.held(),
    applyDesired: file.transaction((part: DesiredUpdate) => {
      staged.add(part);
      if (part.setHash === null) return { isComplete: false, isConsistent: true };
      const { taken, departed } = desired.apply(part, staged.rows(), clock.now());
      for (const { projectId, generation } of taken) projects.note(projectId, generation);
      for (const departure of departed) projects.depart(departure, clock.now());
      staged.clear();
      if (part.imageOverrides !== undefined) images.replaceOverrides(part.imageOverrides);
      return { isComplete: true, isConsistent: desired.held().setHash === part.setHash };
    }),
    imageOverrides: () => images.overrides(),
    pulledImages: () => images.pulled(),
    savePulledImage: (pulled) => images.savePulled(pulled),
    forgetPulledImage: (image) => images.forgetPulled(image),
    projectIds: () => projects.ids(),
    noteFound(found) {
      file.transaction(() => projects.restore(found.map((project) => ({ ...project, generation: 0 }))))();
      for (const { projectId } of found) copies?.note(projectId);
    },
    generationOf: (projectId) => projects.find(projectId)?.generation ?? 0,
    findRecord: (projectId) => projects.findRecord(projectId),
    saveRecord(projectId, record, events) {
      saveRecord(projectId, record, events);
      copies?.note(projectId);
    },
    findUidIndex: (projectId) => projects.findUidIndex(projectId),
    uidIndexOf(projectId) {
      const known = projects.findUidIndex(projectId);
      if (known !== undefined) return known;
      const index = chooseUidIndex(projectId);
      copies?.flush(projectId);
      return index;
    },
    removeProject(projectId) {
      removeProject(projectId);
      if (projects.find(projectId) === undefined) copies?.remove(projectId);
    },
    pending: (limit) => outbox.pending(limit),
    taken: file.transaction((sequence: number) => outbox.taken(sequence)),
    resumeFrom: file.transaction((sequence: number) => outbox.resume(sequence)),
    epoch: () => readHost.get()?.epoch ?? 0,
    setEpoch: (epoch) => void writeEpoch.run(epoch),
    hostId: () => readHost.get()?.host_id ?? undefined,
    setHostId: (hostId, runtime = "nspawn") => void writeHostId.run(hostId, runtime),
    runtime: () => readHost.get()?.runtime ?? undefined,
    // Pages are zeroed as they become free (`secure_delete`); what they held before is in the write-ahead log
    // until that is cut off.
    eraseDeleted: () => void file.pragma("wal_checkpoint(TRUNCATE)"),
    close() {
      copies?.close();
      file.close();
    },
  };
}
