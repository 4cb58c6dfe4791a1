/** Central's rules as the link calls them: the link itself never touches the database. */

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
import { listDepartures, type DepartureRow } from "../../db/departure.ts";
import { findHost, saveHostSeen, saveMemoryCap, type HostRow } from "../../db/host.ts";
import { listImageOverrides } from "../../db/image-override.ts";
import { transact } from "../../db/open-database.ts";
import { findArchiveOfHost, listAssignments, type AssignmentRow } from "../../db/assignment.ts";
import { listVariables } from "../../db/variable.ts";
import { configTagOf } from "../projects/config-tag.ts";
import type { AppContext } from "../context.ts";
import type { Epoch } from "../epoch.ts";
import { takeHeld, takeInventory } from "./inventory.ts";
import { countedMemoryMb, joinHost } from "./host.ts";
import { takeUsage } from "../metrics/metric.ts";
import { planOf } from "../accounts/plan-of.ts";
import { takeReport } from "./report.ts";
import { openVariables } from "../projects/variable.ts";

export interface LinkBackend {
  /**
   * Answers the epoch to lead the host with, which rises with each start of central, also after an older
   * database was restored. The host has proved who it is, and has seen `heard`; a lower one: this central
   * must not.
   */
  epochAbove(hostId: string, heard: number): Promise<number>;
  /**
   * Uses up a single-use token and registers the key. Throws AppError `not_authenticated` for a wrong, used
   * or expired token.
   */
  join(request: JoinRequest): Promise<{ hostId: string }>;
  /** Raw Ed25519 public key, base64url; undefined for an unknown or revoked host. */
  findHostKey(hostId: string): Promise<string | undefined>;
  /**
   * An authenticated control connection began; it replaces any earlier one. The host is connected with
   * `hostFollows`. Answers the highest outbox sequence taken so far.
   */
  hostConnected(
    hostId: string,
    hello: { build: string; resources: HostResources },
  ): Promise<{ takenSequence: number }>;
  /** The host has told what it holds and asks what is wanted: from now on users' actions reach it. */
  hostFollows(hostId: string): void;
  /** The host's newest control connection ended (not called for one that was replaced). */
  hostDisconnected(hostId: string): void;
  /** Something was heard from the host: it is alive. */
  hostHeard(hostId: string): void;
  /**
   * Takes the outline of all that the host holds. Returns the ids that central asks for whole.
   */
  takeInventory(hostId: string, projects: HeldOutline[]): Promise<{ tell: string[] }>;
  /** Takes the projects that {@link takeInventory} asked for. */
  takeHeld(hostId: string, projects: HeldProject[]): Promise<void>;
  /** All that is wanted of a host now, in outline: no variables are opened for it. */
  desiredOf(hostId: string): Promise<WantedOfHost>;
  /** What is wanted of these projects now, whole; a project that is not the host's any more is left out. */
  assignmentsOf(hostId: string, projectIds: readonly string[], known: KnownOf): Promise<Assignment[]>;
  /**
   * Calls back when what is wanted of the host may have changed, as often as it may have. Returns the
   * unsubscribe function.
   */
  onDesiredChange(hostId: string, listener: () => void): () => void;
  /**
   * Takes entries in sequence order: effect and sequence number in one transaction, an entry already taken
   * changes nothing, one about another host's project or an older generation has no effect but is taken.
   * Answers the highest sequence taken.
   */
  takeReport(hostId: string, entries: ReportEntry[]): Promise<{ takenSequence: number }>;
  takeUsage(hostId: string, usage: UsageReport): Promise<void>;
  /**
   * Path of a stored archive that one of the host's placements needs, where there may be none any more;
   * undefined otherwise.
   */
  findArchive(hostId: string, sha256: string): Promise<{ path: string; sizeBytes: number } | undefined>;
}

/** Leaves out the fields of an assignment that a host's protocol does not have; the others are signed. */
export type KnownOf = <Part extends object>(part: Part) => Part;

export interface WantedOfHost {
  revision: number;
  outlines: AssignmentOutline[];
  /** Why projects left this host, as long as it may still hold something of them. */
  departures: DepartureRow[];
  /** In one order. */
  imageOverrides: ImageOverride[];
}

export function createLinkBackend(app: AppContext, epoch: Pick<Epoch, "led" | "above">): LinkBackend {
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
    desiredOf: (hostId) => desiredOf(app, hostId),
    assignmentsOf: (hostId, projectIds, known) => assignmentsOf(app, hostId, projectIds, known),
    onDesiredChange: (hostId, listener) => app.wakes.on(`host:${hostId}`, listener),
    takeReport: (hostId, entries) => takeReport(app, hostId, entries),
    takeUsage: (hostId, usage) => takeUsage(app, hostId, usage),
    async findArchive(hostId, sha256) {
      const archive = await findArchiveOfHost(app.db, hostId, sha256);
      return archive === undefined
        ? undefined
        : { path: app.objects.pathOf(sha256), sizeBytes: archive.sizeBytes };
    },
  };
}

function tellMemoryChange({ logger }: AppContext, host: HostRow, resources: HostResources): void {
  const beforeMb = host.resources?.memoryMb;
  const nowMb = resources.memoryMb;
  if (beforeMb === undefined || beforeMb === nowMb) return;
  const countedMb = countedMemoryMb({ ...host, resources });
  logger.warn(
    { hostId: host.id, name: host.name, beforeMb, nowMb, countedMb },
    "a host says that it has another amount of memory",
  );
}

async function desiredOf(app: AppContext, hostId: string): Promise<WantedOfHost> {
  return transact(app.db, async (tx) => {
    const revision = (await findHost(tx, hostId))?.desiredRevision ?? 0;
    const rows = (await listAssignments(tx, hostId)).filter(isSent(app, hostId));
    // A damaged document is found out only when it is opened; then its project is sent once more than needed,
    // no worse.
    const outlines = rows.map((row) => ({
      ...wantedOf(app, row),
      hasVariables: row.variables === null || app.vault.hasKey(row.variables.keyId),
    }));
    return {
      revision,
      outlines,
      departures: await listDepartures(tx, hostId),
      imageOverrides: await listImageOverrides(tx),
    };
  });
}

async function assignmentsOf(
  app: AppContext,
  hostId: string,
  projectIds: readonly string[],
  known: KnownOf,
): Promise<Assignment[]> {
  return transact(app.db, async (tx) => {
    const rows = (await listAssignments(tx, hostId, projectIds)).filter(isSent(app, hostId));
    const stored = new Map(
      (await listVariables(tx, projectIds)).map(({ projectId, sealed }) => [projectId, sealed]),
    );
    return rows.map((row) => {
      const sealed = stored.get(row.projectId);
      const variables = sealed === undefined ? {} : openVariables(app, row.projectId, sealed);
      const assignment = known({ ...wantedOf(app, row), variables });
      return { ...assignment, proof: app.clusterKey.sign(textToProve(hostId, assignment)) };
    });
  });
}

/**
 * A project that is held back is left out: without a reason its host gives nothing up, and goes on with what
 * it has.
 */
function isSent({ heldBack }: AppContext, hostId: string): (row: AssignmentRow) => boolean {
  return ({ projectId }) => !heldBack.has(hostId, projectId);
}

function wantedOf(
  app: AppContext,
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
