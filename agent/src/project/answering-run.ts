/**
 * Says where a project is reached: at the run that leaves until the newest has come up, then at the newest.
 * Pure.
 */

import type { SiteAddress } from "@tijolo/protocol";
import { leavingAnswers } from "./leaving-run.ts";
import type { ProjectHandle } from "./project-handle.ts";
import { isServedStatic } from "./static-site.ts";
import type { WorkerContext } from "./worker-context.ts";

export type SeenProject = Pick<
  ProjectHandle,
  "projectId" | "assignment" | "record" | "instance" | "leaving" | "context"
>;

/**
 * Returns where gateways reach the site's run: one that is up, has listened on its port, and is not about to
 * be stopped; or a static site's files, which are switched without a stop.
 */
export function siteOf(project: SeenProject): SiteAddress | null {
  const { projectId, record, instance, assignment, context } = project;
  const { observed, startedWith, runNumber } = record;
  if (isServedStatic(record, assignment)) {
    const server = context.statics?.addressOf(projectId);
    return server === undefined ? null : { ...server, runNumber, isStatic: true };
  }
  if (assignment?.run !== "on") return null;
  const leaving = leavingSite(project, context.network);
  if (leaving !== null) return leaving;
  if (instance === undefined || instance.exit !== null) return null;
  if (observed.phase !== "running" || !observed.hasComeUp) return null;
  if (startedWith === null || startedWith.port === null) return null;
  const address = context.network.find(projectId)?.address;
  if (address === undefined) return null;
  const port = context.portOf?.(projectId, startedWith.port) ?? startedWith.port;
  return { address, port, runNumber: instance.runNumber, isStatic: false };
}

/** Returns where the run that leaves answers for the next one; null when it does not. */
export function leavingSite(
  {
    projectId,
    record,
    instance,
    leaving,
  }: Pick<SeenProject, "projectId" | "record" | "instance" | "leaving">,
  network: Pick<WorkerContext["network"], "find" | "findLeaving">,
): SiteAddress | null {
  if (record.leaving === null || !leavingAnswers({ record, instance, leaving })) return null;
  const { runNumber, startedWith } = record.leaving;
  const address = addressOfLeaving(projectId, network);
  if (address === undefined || startedWith.port === null) return null;
  return { address, port: startedWith.port, runNumber, isStatic: false };
}

/** Returns where projects of other hosts reach this one while its name resolves; nothing without a mesh. */
export function meshAddressOf(project: SeenProject): { meshAddress?: string | null | undefined } {
  const { projectId, context } = project;
  const { network, hasMesh } = context;
  if (hasMesh !== true) return {};
  if (!isUp(project)) return { meshAddress: null };
  const address = leavingAnswers(project)
    ? addressOfLeaving(projectId, network)
    : network.find(projectId)?.address;
  return { meshAddress: address ?? null };
}

/** True while a process of the project runs that was not told to stop. */
export function isUp(project: Pick<SeenProject, "record" | "instance" | "leaving">): boolean {
  const { instance, record } = project;
  return leavingAnswers(project) || (instance?.exit === null && record.observed.phase !== "stopping");
}

/** Returns the address of the run that leaves, also before the network knows it as such. */
function addressOfLeaving(
  projectId: string,
  network: Pick<WorkerContext["network"], "find" | "findLeaving">,
): string | undefined {
  return (network.findLeaving(projectId) ?? network.find(projectId))?.address;
}
