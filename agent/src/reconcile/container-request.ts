/** What the containers of a project's install step and of its runs have in common. */

import { internalHostOf, type Assignment } from "@tijolo/protocol";
import { StartError, type ContainerRequest } from "../runtime/runtime.ts";
import type { ProjectWorker } from "./project-worker.ts";

/** Ids of one project's range. */
const uidsPerProject = 65_536;

export type CommonRequest = Omit<ContainerRequest, "environment" | "command" | "logDirectory" | "limits">;

/** Waits for the image, which `ensureImage` may have to build, and claims the project's network. */
export async function commonRequest(
  { context, projectId }: ProjectWorker,
  assignment: Assignment,
  ensureImage: () => Promise<{ layers: string[] }>,
): Promise<CommonRequest> {
  const [{ layers }, network] = await Promise.all([ensureImage(), context.network.claim(projectId, { accountId: assignment.accountId })]);
  return {
    projectId,
    versionNumber: assignment.versionNumber,
    language: assignment.settings.language,
    imageLayers: layers,
    networkNamespace: network.namespacePath,
    resolvConf: network.resolvConf,
    bindReadOnly: context.trust.bindReadOnly,
    uidBase: uidBaseOf(context.uidStart + context.ledger.uidIndexOf(projectId) * uidsPerProject),
    hostname: internalHostOf(projectId),
  };
}

function uidBaseOf(uidBase: number): number {
  if (uidBase + uidsPerProject > 2 ** 31) throw new StartError(`there are no user ids left from ${uidBase} on; set TIJOLO_UID_START lower`);
  return uidBase;
}
