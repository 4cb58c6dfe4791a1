/** Central's rules as the link calls them. */

import type { Assignment } from "@tijolo/protocol";
import { findHost, saveHostSeen } from "../db/host.ts";
import { transact } from "../db/open-database.ts";
import { findArchiveOfHost, listAssignments } from "../db/project.ts";
import { planName } from "@tijolo/protocol";
import type { LinkBackend } from "../link/link-backend.ts";
import type { AppContext } from "./context.ts";
import { joinHost } from "./host.ts";
import { planOf } from "./plan-of.ts";
import { takeReport } from "./report.ts";

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
