/** Central's rules as the link calls them: the link itself never touches the database. */

import { planName, type Assignment, type HostResources, type JoinRequest, type ReportEntry, type UsageReport } from "@tijolo/protocol";
import { findHost, saveHostSeen } from "../db/host.ts";
import { transact } from "../db/open-database.ts";
import { findArchiveOfHost, listAssignments } from "../db/project.ts";
import type { AppContext } from "./context.ts";
import { joinHost } from "./host.ts";
import { planOf } from "./plan-of.ts";
import { takeReport } from "./report.ts";

export interface LinkBackend {
  /** Rises with each start of central, also after an older database was restored. */
  readonly epoch: number;
  /** Uses up a single-use token and registers the key. Throws AppError `not_authenticated` for a wrong, used or expired token. */
  join(request: JoinRequest): Promise<{ hostId: string }>;
  /** Raw Ed25519 public key, base64url; undefined for an unknown or revoked host. */
  findHostKey(hostId: string): Promise<string | undefined>;
  /** An authenticated control connection began; it replaces any earlier one. Answers the highest outbox sequence taken so far. */
  hostConnected(
    hostId: string,
    hello: { bootId: string; agentId: string; build: string; resources: HostResources },
  ): Promise<{ takenSequence: number }>;
  /** The host's newest control connection ended (not called for one that was replaced). */
  hostDisconnected(hostId: string): void;
  /** Something was heard from the host: it is alive. */
  hostHeard(hostId: string): void;
  /** All that is wanted of a host now. */
  desiredOf(hostId: string): Promise<{ revision: number; assignments: Assignment[] }>;
  /** Calls back (coalesced, without arguments) when what is wanted of the host may have changed. Returns the unsubscribe function. */
  onDesiredChange(hostId: string, listener: () => void): () => void;
  /**
   * Takes entries in sequence order: effect and sequence number in one transaction, an entry already taken changes nothing,
   * one about another host's project or an older generation has no effect but is taken. Answers the highest sequence taken.
   */
  takeReport(hostId: string, entries: ReportEntry[]): Promise<{ takenSequence: number }>;
  takeUsage(hostId: string, usage: UsageReport): void;
  /** Path of a stored archive that one of the host's placements needs; undefined otherwise. */
  findArchive(hostId: string, sha256: string): Promise<{ path: string; sizeBytes: number } | undefined>;
}

export function createLinkBackend(app: AppContext, epoch: number): LinkBackend {
  return {
    epoch,
    join: (request) => joinHost(app, request),
    async findHostKey(hostId) {
      const host = await findHost(app.db, hostId);
      return host === undefined || host.revokedAt !== null ? undefined : host.publicKey;
    },
    async hostConnected(hostId, { bootId, build, resources }) {
      const takenSequence = await transact(app.db, async (tx) => {
        await saveHostSeen(tx, hostId, { bootId, build, resources, seenAt: app.clock.now() });
        return (await findHost(tx, hostId))?.takenSequence ?? 0;
      });
      app.hostStates.connected(hostId);
      return { takenSequence };
    },
    hostDisconnected: (hostId) => app.hostStates.disconnected(hostId),
    hostHeard: (hostId) => app.hostStates.heard(hostId),
    desiredOf: (hostId) => desiredOf(app, hostId),
    onDesiredChange: (hostId, listener) => app.wakes.on(`host:${hostId}`, listener),
    takeReport: (hostId, entries) => takeReport(app, hostId, entries),
    takeUsage: (hostId, usage) => app.usage.take(hostId, usage),
    async findArchive(hostId, sha256) {
      const archive = await findArchiveOfHost(app.db, hostId, sha256);
      return archive === undefined ? undefined : { path: app.objects.pathOf(sha256), sizeBytes: archive.sizeBytes };
    },
  };
}

async function desiredOf(app: AppContext, hostId: string): Promise<{ revision: number; assignments: Assignment[] }> {
  return transact(app.db, async (tx) => {
    const revision = (await findHost(tx, hostId))?.desiredRevision ?? 0;
    const assignments = (await listAssignments(tx, hostId)).map(({ plan, ...assignment }) => {
      const { hasAutoRestart, diskMbPerProject } = planOf(app, planName.parse(plan));
      return { ...assignment, hasAutoRestart, diskMb: diskMbPerProject };
    });
    return { revision, assignments };
  });
}
