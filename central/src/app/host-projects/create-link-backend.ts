/** Implements {@link LinkBackend} with central's rules and its database. */

import { planName, textToProve, type Assignment, type HostResources } from "@tijolo/protocol";
import {
  findArchiveOfHost,
  listAssignments,
  type AssignmentRow,
} from "../../store/tables/hosts/assignment.ts";
import { listDepartures } from "../../store/tables/hosts/departure.ts";
import { findHost, saveHostSeen, saveMemoryCap, type HostRow } from "../../store/tables/hosts/host.ts";
import { listImageOverrides } from "../../store/tables/hosts/image-override.ts";
import { listVariables } from "../../store/tables/projects/variable.ts";
import { transact } from "../../store/store.ts";
import { planOf } from "../accounts/plan-of.ts";
import type { Epoch } from "../cluster/epoch.ts";
import { countedMemoryMb, joinHost } from "../hosts/host.ts";
import { takeUsage } from "../metrics/metric.ts";
import { noteLimits } from "../notices/note-limits.ts";
import { openVariables } from "../projects/variable.ts";
import { configTagOf } from "../runs/config-tag.ts";
import type { HostProjectsContext } from "./host-projects-context.ts";
import { takeInventory } from "./inventory.ts";
import type { KnownOf, LinkBackend, NeededArchive, WantedOfHost, WantedSince } from "./link-backend.ts";
import { takeReport } from "./report.ts";
import { takeHeld } from "./take-over.ts";

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
    hostConnected: (hostId, hello) => hostConnected(app, epoch, hostId, hello),
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
    findArchive: (hostId, sha256) => findArchive(app, hostId, sha256),
  };
}

async function hostConnected(
  app: HostProjectsContext,
  epoch: Pick<Epoch, "led">,
  hostId: string,
  { build, resources, machine }: { build: string; resources: HostResources; machine?: string | undefined },
): Promise<{ takenSequence: number }> {
  const before = await transact(app.db, async (tx) => {
    const host = await findHost(tx, hostId);
    if (host?.machine !== (machine ?? null)) tx.wake("mesh");
    await saveHostSeen(tx, hostId, { build, resources, machine, seenAt: app.clock.now() });
    // Without an operator's word, the first that a host says is what is counted; more takes an operator.
    if (host?.memoryCapMb === null) await saveMemoryCap(tx, hostId, resources.memoryMb);
    return host;
  });
  if (before !== undefined) tellMemoryChange(app, before, resources);
  if (before?.machine !== (machine ?? null)) await app.siteRoutes.readAll();
  app.hostStates.welcomed(hostId);
  await epoch.led(hostId);
  return { takenSequence: before?.takenSequence ?? 0 };
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
  { plan, variables, healthPath, drainSeconds, deploy, ...stored }: AssignmentRow,
): Omit<Assignment, "variables" | "proof"> {
  const { hasAutoRestart, diskMbPerProject } = planOf(app, planName.parse(plan));
  const configTag = configTagOf({
    settings: stored.settings,
    variablesRevision: variables?.revision ?? null,
    subdomain: stored.project.subdomain,
  });
  const { subdomain } = stored.project;
  return {
    ...stored,
    hasAutoRestart,
    diskMb: diskMbPerProject,
    configTag,
    ...(drainSeconds !== null && { drainSeconds }),
    ...(deploy === "overlap" && isServedByProgram(stored.settings) && { deploy }),
    ...(healthPath !== null &&
      subdomain !== null && {
        health: { path: healthPath, host: `${subdomain}.${app.servedNames.siteDomain}` },
      }),
  };
}

/** True for a site whose runs are processes: what is decided about these means nothing for others. */
function isServedByProgram({ type, language }: Assignment["settings"]): boolean {
  return type === "site" && language !== "static";
}

async function findArchive(
  { db, objects }: HostProjectsContext,
  hostId: string,
  sha256: string,
): Promise<NeededArchive | undefined> {
  const archive = await findArchiveOfHost(db, hostId, sha256);
  if (archive === undefined) return undefined;
  return {
    sizeBytes: archive.sizeBytes,
    isStored: await objects.has(sha256),
    async open(range) {
      const opened = await objects.open(sha256, range);
      if (opened === undefined) throw new Error(`the archive ${sha256} is gone`);
      return opened;
    },
  };
}
