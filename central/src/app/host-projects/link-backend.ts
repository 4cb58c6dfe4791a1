/** Implements central's rules as the link calls them: the link itself never touches the database. */

import type { Readable } from "node:stream";
import {
  planName,
  textToProve,
  type Assignment,
  type AssignmentOutline,
  type HeldOutline,
  type HeldProject,
  type HostResources,
  type ImageOverride,
  type JoinRequest,
  type ReportEntry,
  type UsageReport,
} from "@tijolo/protocol";
import { listDepartures, type DepartureRow } from "../../store/tables/departure.ts";
import { findHost, saveHostSeen, saveMemoryCap, type HostRow } from "../../store/tables/host.ts";
import { listImageOverrides } from "../../store/tables/image-override.ts";
import { transact } from "../../store/store.ts";
import { findArchiveOfHost, listAssignments, type AssignmentRow } from "../../store/tables/assignment.ts";
import { listVariables } from "../../store/tables/variable.ts";
import { configTagOf } from "../runs/config-tag.ts";
import type { ObjectRange } from "../../objects/objects.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import type { Epoch } from "../cluster/epoch.ts";
import { takeHeld, takeInventory } from "./inventory.ts";
import { countedMemoryMb, joinHost } from "../hosts/host.ts";
import { takeUsage } from "../metrics/metric.ts";
import { noteLimits } from "../notices/note-limits.ts";
import { planOf } from "../accounts/plan-of.ts";
import { takeReport } from "./report.ts";
import { openVariables } from "../projects/variable.ts";

export interface LinkBackend {
  /**
   * Returns the epoch to lead the host with, which rises with each start of central, also after an older
   * database was restored. The host has proved who it is, and has seen `heard`; a lower result means that
   * this central must not lead it.
   */
  epochAbove(hostId: string, heard: number): Promise<number>;
  /**
   * Uses up a single-use token and registers the key. Throws AppError `not_authenticated` for a wrong, used
   * or expired token.
   */
  join(request: JoinRequest): Promise<{ hostId: string }>;
  /** Returns the raw Ed25519 public key, base64url; undefined for an unknown or revoked host. */
  findHostKey(hostId: string): Promise<string | undefined>;
  /**
   * Called when an authenticated control connection began; it replaces any earlier one. The host counts as
   * connected with `hostFollows`. Returns the highest outbox sequence taken so far.
   */
  hostConnected(
    hostId: string,
    hello: { build: string; resources: HostResources },
  ): Promise<{ takenSequence: number }>;
  /**
   * Called when the host has reported what it holds and asks for the desired state: from now on users'
   * actions reach it.
   */
  hostFollows(hostId: string): void;
  /** Called when the host's newest control connection ended (not for one that was replaced). */
  hostDisconnected(hostId: string): void;
  /** Called when a message of the host arrived: it is alive. */
  hostHeard(hostId: string): void;
  /**
   * Takes the outline of all that the host holds. Returns the ids that central asks for whole.
   */
  takeInventory(hostId: string, projects: HeldOutline[]): Promise<{ tell: string[] }>;
  /** Takes the projects that {@link takeInventory} asked for. */
  takeHeld(hostId: string, projects: HeldProject[]): Promise<void>;
  /**
   * Returns what changed of the desired state of a host since an earlier answer, in outline: no variables are
   * opened for it. Null stands for all.
   */
  wantedOf(hostId: string, since: WantedSince | null): Promise<WantedOfHost>;
  /**
   * Returns the desired state of these projects, complete; a project that no longer belongs to the host is
   * left out.
   */
  assignmentsOf(hostId: string, projectIds: readonly string[], known: KnownOf): Promise<Assignment[]>;
  /**
   * Calls back when the desired state of the host may have changed, as often as it may have. Returns the
   * unsubscribe function.
   */
  onDesiredChange(hostId: string, listener: () => void): () => void;
  /**
   * Takes entries in sequence order: effect and sequence number in one transaction, an entry already taken
   * changes nothing, one about another host's project or an older generation has no effect but is taken.
   * Returns the highest sequence taken.
   */
  takeReport(hostId: string, entries: ReportEntry[]): Promise<{ takenSequence: number }>;
  takeUsage(hostId: string, usage: UsageReport): Promise<void>;
  /** Returns an archive that one of the host's placements needs; undefined when none needs it. */
  findArchive(hostId: string, sha256: string): Promise<NeededArchive | undefined>;
}

export interface NeededArchive {
  sizeBytes: number;
  /** False when it is no longer stored. */
  isStored: boolean;
  /** Opens the archive. Throws when it is no longer stored. The caller must read the stream or destroy it. */
  open(range: ObjectRange): Promise<Readable>;
}

/** An earlier answer: what changed since then is what changed after its revision, and what it withheld. */
export type WantedSince = Pick<WantedOfHost, "revision" | "withheld">;

/** Leaves out the fields of an assignment that a host's protocol does not have, and signs the others. */
export type KnownOf = <Part extends object>(part: Part) => Part;

export interface WantedOfHost {
  revision: number;
  outlines: AssignmentOutline[];
  /**
   * Projects that are held back from the host for now, and left out: without a reason the host gives nothing
   * up, and continues with what it has.
   */
  withheld: string[];
  /** Projects that left this host, and why, as long as it may still hold something of them. */
  departures: DepartureRow[];
  /** All overrides, in one order. */
  imageOverrides: ImageOverride[];
}

export function createLinkBackend(
  app: HostProjectsContext,
  epoch: Pick<Epoch, "led" | "above">,
): LinkBackend {
  return {
    epochAbove: (hostId, heard) => epoch.above(hostId, heard),
    join: (request) => joinHost(app, request),
    async findHostKey(hostId) {
      const host = await findHost(app.db, hostId);
      return host === undefined || host.revokedAt !== null ? undefined : host.publicKey;
    },
    async hostConnected(hostId, { build, resources }) {
      const before = await transact(app.db, async (tx) => {
        const host = await findHost(tx, hostId);
        await saveHostSeen(tx, hostId, { build, resources, seenAt: app.clock.now() });
        // Without an operator's word, the first that a host says is what is counted; more takes an operator.
        if (host?.memoryCapMb === null) await saveMemoryCap(tx, hostId, resources.memoryMb);
        return host;
      });
      if (before !== undefined) tellMemoryChange(app, before, resources);
      app.hostStates.welcomed(hostId);
      await epoch.led(hostId);
      return { takenSequence: before?.takenSequence ?? 0 };
    },
    hostFollows: (hostId) => app.hostStates.connected(hostId),
    hostDisconnected: (hostId) => app.hostStates.disconnected(hostId),
    hostHeard: (hostId) => app.hostStates.heard(hostId),
    takeInventory: (hostId, projects) => takeInventory(app, hostId, projects),
    takeHeld: (hostId, projects) => takeHeld(app, hostId, projects),
    wantedOf: (hostId, since) => wantedOf(app, hostId, since),
    assignmentsOf: (hostId, projectIds, known) => assignmentsOf(app, hostId, projectIds, known),
    onDesiredChange: (hostId, listener) => app.wakes.on(`host:${hostId}`, listener),
    takeReport: (hostId, entries) => takeReport(app, hostId, entries),
    async takeUsage(hostId, usage) {
      await takeUsage(app, hostId, usage);
      await noteLimits(app, hostId, usage);
    },
    async findArchive(hostId, sha256) {
      const archive = await findArchiveOfHost(app.db, hostId, sha256);
      if (archive === undefined) return undefined;
      return {
        sizeBytes: archive.sizeBytes,
        isStored: await app.objects.has(sha256),
        async open(range) {
          const opened = await app.objects.open(sha256, range);
          if (opened === undefined) throw new Error(`the archive ${sha256} is gone`);
          return opened;
        },
      };
    },
  };
}

function tellMemoryChange({ logger }: HostProjectsContext, host: HostRow, resources: HostResources): void {
  const beforeMb = host.resources?.memoryMb;
  const nowMb = resources.memoryMb;
  if (beforeMb === undefined || beforeMb === nowMb) return;
  const countedMb = countedMemoryMb({ ...host, resources });
  logger.warn(
    { hostId: host.id, name: host.name, beforeMb, nowMb, countedMb },
    "a host says that it has another amount of memory",
  );
}

async function wantedOf(
  app: HostProjectsContext,
  hostId: string,
  since: WantedSince | null,
): Promise<WantedOfHost> {
  return transact(app.db, async (tx) => {
    const revision = (await findHost(tx, hostId))?.desiredRevision ?? 0;
    const all = await listAssignments(tx, hostId, since);
    const { sent: rows = [], withheld = [] } = Object.groupBy(all, ({ projectId }) =>
      app.heldBack.has(hostId, projectId) ? "withheld" : "sent",
    );
    // A damaged document is found out only when it is opened; then its project is sent once more than needed,
    // no worse.
    const outlines = rows.map((row) => ({
      ...assignmentOf(app, row),
      hasVariables: row.variables === null || app.vault.hasKey(row.variables.keyId),
    }));
    return {
      revision,
      outlines,
      withheld: withheld.map(({ projectId }) => projectId),
      departures: await listDepartures(tx, hostId, since?.revision ?? null),
      imageOverrides: await listImageOverrides(tx),
    };
  });
}

async function assignmentsOf(
  app: HostProjectsContext,
  hostId: string,
  projectIds: readonly string[],
  known: KnownOf,
): Promise<Assignment[]> {
  return transact(app.db, async (tx) => {
    const rows = (await listAssignments(tx, hostId, { projectIds })).filter(
      ({ projectId }) => !app.heldBack.has(hostId, projectId),
    );
    const stored = new Map(
      (await listVariables(tx, projectIds)).map(({ projectId, sealed }) => [projectId, sealed]),
    );
    return rows.map((row) => {
      const sealed = stored.get(row.projectId);
      const variables = sealed === undefined ? {} : openVariables(app, row.projectId, sealed);
      const assignment = known({ ...assignmentOf(app, row), variables });
      return { ...assignment, proof: app.clusterKey.sign(textToProve(hostId, assignment)) };
    });
  });
}

function assignmentOf(
  app: HostProjectsContext,
  { plan, variables, ...stored }: AssignmentRow,
): Omit<Assignment, "variables" | "proof"> {
  const { hasAutoRestart, diskMbPerProject } = planOf(app, planName.parse(plan));
  const configTag = configTagOf({
    settings: stored.settings,
    variablesRevision: variables?.revision ?? null,
    subdomain: stored.project.subdomain,
  });
  return { ...stored, hasAutoRestart, diskMb: diskMbPerProject, configTag };
}
