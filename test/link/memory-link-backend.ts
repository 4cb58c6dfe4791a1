/** Implements central's rules as the link needs them, in memory and open to inspection. */

import { createReadStream, existsSync } from "node:fs";
import {
  AppError,
  outlineOf,
  type Assignment,
  type DepartureReason,
  type HeldOutline,
  type HeldProject,
  type ImageOverride,
  type JoinRequest,
  type ReportEntry,
  type UsageReport,
} from "@tijolo/protocol";
import type {
  KnownOf,
  LinkBackend,
  NeededArchive,
  WantedOfHost,
  WantedSince,
} from "../../central/src/app/host-projects/link-backend.ts";
import { makeTestId } from "./samples.ts";

type MemoryHello = Parameters<LinkBackend["hostConnected"]>[1];

interface Desired {
  revision: number;
  assignments: Map<string, Assignment>;
  departures: Map<string, WantedOfHost["departures"][number]>;
  /** The revision at which each project changed last. */
  changedAt: Map<string, number>;
}

export class MemoryLinkBackend implements LinkBackend {
  epoch = 1;
  readonly tokens = new Set<string>();
  readonly keys = new Map<string, string>();
  readonly desired = new Map<string, Desired>();
  readonly taken = new Map<string, number>();
  /** Effects, in order; an entry counted twice would be here twice. */
  readonly effects: { hostId: string; entry: ReportEntry }[] = [];
  readonly usage: { hostId: string; usage: UsageReport }[] = [];
  readonly archives = new Map<string, { path: string; sizeBytes: number }>();
  readonly connected: string[] = [];
  readonly hellos: MemoryHello[] = [];
  readonly disconnected: string[] = [];
  readonly #present = new Set<string>();
  readonly heard = new Map<string, number>();
  /** Hook that is awaited before each report is taken, and again after it was. */
  beforeReport: () => Promise<void> = async () => {};
  afterReport: () => Promise<void> = async () => {};
  /** Hook that is awaited before assignments are read for a part of an update. */
  beforeAssignments: () => Promise<void> = async () => {};
  readonly #listeners = new Map<string, Set<() => void>>();

  async join({ token, publicKey }: JoinRequest): Promise<{ hostId: string }> {
    if (!this.tokens.delete(token)) throw new AppError("not_authenticated");
    const hostId = makeTestId();
    this.keys.set(hostId, publicKey);
    return { hostId };
  }

  async findHostKey(hostId: string): Promise<string | undefined> {
    return this.keys.get(hostId);
  }

  async hostConnected(hostId: string, { build, resources }: MemoryHello): Promise<{ takenSequence: number }> {
    this.hellos.push({ build, resources });
    this.connected.push(hostId);
    this.#present.add(hostId);
    return { takenSequence: this.taken.get(hostId) ?? 0 };
  }

  hostFollows(): void {}

  hostDisconnected(hostId: string): void {
    this.disconnected.push(hostId);
    this.#present.delete(hostId);
  }

  isConnected(hostId: string): boolean {
    return this.#present.has(hostId);
  }

  hostHeard(hostId: string): void {
    this.heard.set(hostId, (this.heard.get(hostId) ?? 0) + 1);
  }

  imageOverrides: ImageOverride[] = [];

  /** Inventories that hosts reported, in order. */
  readonly inventories: { hostId: string; projects: HeldOutline[] }[] = [];
  readonly held: { hostId: string; projects: HeldProject[] }[] = [];
  /** Answer to inventories. */
  tell: string[] = [];

  async epochAbove(): Promise<number> {
    return this.epoch;
  }

  async takeInventory(hostId: string, projects: HeldOutline[]): Promise<{ tell: string[] }> {
    this.inventories.push({ hostId, projects });
    return { tell: this.tell };
  }

  async takeHeld(hostId: string, projects: HeldProject[]): Promise<void> {
    this.held.push({ hostId, projects });
  }

  async wantedOf(hostId: string, since: WantedSince | null): Promise<WantedOfHost> {
    const { revision, assignments, departures, changedAt } = this.#desiredOf(hostId);
    const hasChanged = ({ projectId }: { projectId: string }) =>
      since === null || (changedAt.get(projectId) ?? 0) > since.revision;
    return {
      revision,
      outlines: [...assignments.values()].filter(hasChanged).map(outlineOf),
      departures: [...departures.values()].filter(hasChanged),
      withheld: [],
      imageOverrides: this.imageOverrides,
    };
  }

  async assignmentsOf(hostId: string, projectIds: readonly string[], known: KnownOf): Promise<Assignment[]> {
    await this.beforeAssignments();
    const { assignments } = this.#desiredOf(hostId);
    return projectIds
      .map((projectId) => assignments.get(projectId))
      .filter((found) => found !== undefined)
      .map(known);
  }

  onDesiredChange(hostId: string, listener: () => void): () => void {
    const listeners = this.#listeners.get(hostId) ?? new Set();
    this.#listeners.set(hostId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  async takeReport(hostId: string, entries: ReportEntry[]): Promise<{ takenSequence: number }> {
    await this.beforeReport();
    for (const entry of entries) {
      if (entry.sequence <= (this.taken.get(hostId) ?? 0)) continue;
      this.taken.set(hostId, entry.sequence);
      this.effects.push({ hostId, entry });
    }
    await this.afterReport();
    return { takenSequence: this.taken.get(hostId) ?? 0 };
  }

  async takeUsage(hostId: string, usage: UsageReport): Promise<void> {
    this.usage.push({ hostId, usage });
  }

  async findArchive(_hostId: string, sha256: string): Promise<NeededArchive | undefined> {
    const archive = this.archives.get(sha256);
    if (archive === undefined) return undefined;
    const { path, sizeBytes } = archive;
    return { sizeBytes, isStored: existsSync(path), open: async (range) => createReadStream(path, range) };
  }

  /**
   * Sets or removes what is wanted, as one revision. `reason` null: central does not say why, as one that was
   * set back.
   */
  want(
    hostId: string,
    upserts: Assignment[],
    deletes: string[] = [],
    reason: DepartureReason | null = "deleted",
  ): void {
    const state = this.#desiredOf(hostId);
    state.revision++;
    for (const projectId of [...upserts.map((upsert) => upsert.projectId), ...deletes])
      state.changedAt.set(projectId, state.revision);
    for (const assignment of upserts) state.assignments.set(assignment.projectId, assignment);
    for (const projectId of deletes) {
      state.assignments.delete(projectId);
      if (reason !== null) state.departures.set(projectId, { projectId, reason, createdAt: state.revision });
    }
    for (const listener of this.#listeners.get(hostId) ?? []) listener();
  }

  get listeners(): number {
    return [...this.#listeners.values()].reduce((count, set) => count + set.size, 0);
  }

  #desiredOf(hostId: string): Desired {
    const state = this.desired.get(hostId) ?? {
      revision: 1,
      assignments: new Map(),
      departures: new Map(),
      changedAt: new Map(),
    };
    this.desired.set(hostId, state);
    return state;
  }
}
