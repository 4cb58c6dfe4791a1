/** Runs the install step of one version: the same container, with a layer to write into and a deadline. */

import { join } from "node:path";
import type { Logger } from "pino";
import type { Cgroups } from "../../host/cgroups/cgroup.ts";
import type { Tools } from "../../host/checks/tools.ts";
import { removeTree } from "../../host/files/trees.ts";
import type { InstallOutcome, InstallRequest } from "../runtime.ts";
import { findContainerEnd, killContainer, launchContainer, removeContainer } from "./container.ts";
import { makeContainerFiles } from "./container-files.ts";
import { containerPlace, projectPlace, type ContainerPlace } from "./container-place.ts";
import type { FifoPool } from "./fifo-pool.ts";
import { untilFound } from "../directory-watch.ts";
import { findExitFile } from "../run-record.ts";
import { ranOutOfRoom } from "./install-room.ts";
import type { Supervisors } from "./supervisors.ts";

/** Name of a directory in the project's home; it is removed when the step is over. */
const temporaries = ".install-tmp";

export interface InstallRun {
  request: InstallRequest;
  signal: AbortSignal;
  dataDirectory: string;
  tools: Tools;
  cgroups: Cgroups;
  fifos: FifoPool;
  supervisors: Supervisors;
  logger: Pick<Logger, "warn">;
}

/** Runs the step as {@link Runtime.install} describes. A step that fails leaves nothing behind. */
export async function runInstall(install: InstallRun): Promise<InstallOutcome> {
  const { request, signal, dataDirectory, cgroups, logger } = install;
  signal.throwIfAborted();
  const { projectId, versionNumber, resultDirectory: layer } = request;
  const place = containerPlace(dataDirectory, projectId, `install-${versionNumber}`);
  const home = request.homeDirectory ?? join(projectPlace(dataDirectory, projectId).disk, "home");
  await killContainer(cgroups, place);
  await removeContainer(cgroups, place);
  await removeLayer(layer);

  let outcome: InstallOutcome | undefined;
  try {
    outcome = await runContainer(install, place, home);
    return outcome;
  } finally {
    await killContainer(cgroups, place);
    // The run goes last: by it a next agent knows that there was a step.
    await Promise.all([removeTree(`${layer}-work`), removeTemporaries(home)]);
    await removeContainer(cgroups, place).catch((error: unknown) =>
      logger.warn({ err: error }, "an install step left something over"),
    );
    if (outcome?.status !== "installed") await removeLayer(layer);
  }
}

/**
 * Runs the step's container until it ends or the deadline comes, and returns how it went. The caller removes
 * what is left of it.
 */
async function runContainer(
  { request, signal, dataDirectory, tools, cgroups, fifos, supervisors }: InstallRun,
  place: ContainerPlace,
  home: string,
): Promise<InstallOutcome> {
  const begunAt = new Date();
  await makeContainerFiles({
    dataDirectory,
    place,
    request: withRoomForTemporaries(request),
    appUpper: request.resultDirectory,
    home,
    cgroups,
    tools,
    fifos,
  });
  await launchContainer(place, supervisors);
  const findEnd = () => findContainerEnd(cgroups, place, () => new Date());
  const found = await untilFound(place.run, request.timeoutMs, findEnd, signal);
  // It ended in time, though its last lines are not written yet.
  const end = found ?? ((await findExitFile(place.run)) === undefined ? undefined : await findEnd());
  if (end?.cause === "killed") throw new Error("the install step was killed from outside");
  if (end === undefined) return { status: "failed", code: "install_timeout", exitCode: null };
  if (end.code === 0) return { status: "installed" };
  const { directory } = projectPlace(dataDirectory, request.projectId);
  const isDiskFull = await ranOutOfRoom({ directory, logDirectory: request.logDirectory }, begunAt);
  return {
    status: "failed",
    code: end.isOutOfMemory ? "install_out_of_memory" : "install_failed",
    exitCode: end.code,
    ...(isDiskFull ? { isDiskFull } : {}),
  };
}

/** Removes the temporary files. Must be called when nothing of the step runs. */
export function removeTemporaries(home: string): Promise<void> {
  return removeTree(join(home, temporaries));
}

/**
 * Puts temporary files on the project's own disk, because packages and compilers need more than the memory
 * that /tmp is made of.
 */
function withRoomForTemporaries(request: InstallRequest): InstallRequest {
  const directory = `/home/project/${temporaries}`;
  // In one line, so that the shell counts the owner's lines right.
  return {
    ...request,
    command: `mkdir -p ${directory}; ${request.command}`,
    environment: { TMPDIR: directory, ...request.environment },
  };
}

async function removeLayer(layer: string): Promise<void> {
  await Promise.all([removeTree(layer), removeTree(`${layer}-work`)]);
}
