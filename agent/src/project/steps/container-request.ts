/** Builds what the container of a project's install step and the containers of its runs have in common. */

import { existsSync } from "node:fs";
import { join } from "node:path";
import { internalHostOf, type Assignment, type Language } from "@tijolo/protocol";
import type { Image } from "../../images/image.ts";
import { languageRules } from "../../languages/all-languages.ts";
import { uidCount } from "../../runtime/nspawn/nspawn-argv.ts";
import { StartError, type AppLayer, type ContainerRequest } from "../../runtime/runtime.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import type { ProjectNetwork } from "../../network/network.ts";
import type { EnvironmentBase } from "./environment.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { directoryOf } from "../succession.ts";

export type CommonRequest = Omit<ContainerRequest, "command" | "logDirectory" | "limits">;

export interface CommonParts {
  /** Returns the image, which may have to be built. */
  ensureImage: () => Promise<Image>;
  environmentOf: (assignment: Assignment, base: EnvironmentBase) => Record<string, string>;
}

/**
 * Builds the common request: waits for the image and claims the project's network. The layers of the install
 * are not among its layers of /app.
 */
export async function commonRequest(
  worker: ProjectHandle,
  assignment: Assignment,
  { ensureImage, environmentOf }: CommonParts,
): Promise<CommonRequest> {
  const { context, projectId } = worker;
  const [image, network] = await Promise.all([ensureImage(), claimNetwork(worker, assignment)]);
  return {
    projectId,
    versionNumber: assignment.versionNumber,
    language: assignment.settings.language,
    imageLayers: image.layers,
    appLayers: [{ directory: codeDirectory(worker, assignment), uidBase: 0 }],
    networkNamespace: network.namespacePath,
    resolvConf: network.resolvConf,
    bindReadOnly: [...context.trust.bindReadOnly, ...filesOf(assignment.settings.language)],
    uidBase: uidBaseOf(worker),
    hostname: internalHostOf(projectId),
    environment: environmentOf(assignment, {
      image: image.environment,
      trust: context.trust.environment,
      imageHas: (path) => image.layers.some((layer) => existsSync(join(layer, path))),
    }),
  };
}

/** Claims the network of the next container: another one than that of a run that goes on beside it. */
async function claimNetwork(
  { context: { network }, projectId, record }: ProjectHandle,
  { accountId }: Assignment,
): Promise<ProjectNetwork> {
  // Without such a run, what an agent that lost its ledger has left is freed.
  await (record.leaving === null ? network.releaseLeaving(projectId) : network.setAside(projectId));
  return network.claim(projectId, { accountId });
}

function filesOf(language: Language): ContainerRequest["bindReadOnly"] {
  return language === "static" ? [] : languageRules[language].files;
}

/** Returns the layers that the install of the installed version has made, topmost first. */
export function installedLayers(worker: ProjectHandle, assignment: Assignment): AppLayer[] {
  const { installed } = worker.record;
  if (installed?.versionNumber !== assignment.versionNumber) return [];
  if (installed.layers !== undefined) return installed.layers;
  const directory = join(filesOfVersion(worker, assignment), "install");
  return existsSync(directory) ? [{ directory, uidBase: uidBaseOf(worker) }] : [];
}

/**
 * Returns the directory of the version's code; an install that was taken over lies in an earlier version's.
 */
export function codeDirectory(worker: ProjectHandle, assignment: Assignment): string {
  return join(filesOfVersion(worker, assignment), "code");
}

function filesOfVersion(
  { context, projectId, record: { installed } }: ProjectHandle,
  { versionNumber }: Assignment,
): string {
  const isInstalled = installed?.versionNumber === versionNumber;
  const directory = isInstalled ? directoryOf(installed) : versionNumber;
  return versionDirectory(context.dataDirectory, projectId, directory);
}

function uidBaseOf({ context, projectId }: ProjectHandle): number {
  const uidBase = context.uidStart + context.ledger.uidIndexOf(projectId) * uidCount;
  if (uidBase + uidCount > 2 ** 31)
    throw new StartError(`there are no user ids left from ${uidBase} on; set TIJOLO_UID_START lower`);
  return uidBase;
}
