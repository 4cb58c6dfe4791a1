/** The install step of one version: the same container, with a layer of its own to write into and a deadline. */

import { join } from "node:path";
import type { Logger } from "pino";
import type { Cgroups } from "../../host/cgroup.ts";
import { exec } from "../../host/exec.ts";
import type { Tools } from "../../host/tools.ts";
import type { InstallOutcome, InstallRequest } from "../runtime.ts";
import { findContainerEnd, killContainer, launchContainer, removeContainer } from "./container.ts";
import { makeContainerFiles } from "./container-files.ts";
import { containerPlace, projectPlace } from "./container-place.ts";
import type { FifoPool } from "./fifo-pool.ts";
import { untilFound } from "./directory-watch.ts";
import type { Supervisors } from "./supervisors.ts";

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

export async function runInstall({
  request,
  signal,
  dataDirectory,
  tools,
  cgroups,
  fifos,
  supervisors,
  logger,
}: InstallRun): Promise<InstallOutcome> {
  signal.throwIfAborted();
  const { projectId, versionNumber } = request;
  const project = projectPlace(dataDirectory, projectId);
  const place = containerPlace(dataDirectory, projectId, `install-${versionNumber}`);
  const layer = project.install(versionNumber);
  await killContainer(cgroups, place);
  await removeContainer(cgroups, place);
  await removeLayer(layer);

  let outcome: InstallOutcome | undefined;
  const aborted = Promise.withResolvers<undefined>();
  const onAbort = () => aborted.resolve(undefined);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    await makeContainerFiles({
      dataDirectory,
      place,
      request,
      appLayers: [{ directory: project.code(versionNumber), isShifted: false }],
      appUpper: layer,
      home: join(project.disk, "home"),
      cgroups,
      tools,
      fifos,
    });
    await launchContainer(place, supervisors);
    const findEnd = () => findContainerEnd(cgroups, place, () => new Date());
    const end = await Promise.race([untilFound(place.run, request.timeoutMs, findEnd), aborted.promise]);
    signal.throwIfAborted();
    if (end?.cause === "killed") throw new Error("the install step was killed from outside");
    if (end === undefined) {
      outcome = { status: "failed", code: "install_timeout", exitCode: null };
    } else if (end.code === 0) {
      outcome = { status: "installed" };
    } else {
      outcome = { status: "failed", code: end.isOutOfMemory ? "install_out_of_memory" : "install_failed", exitCode: end.code };
    }
    return outcome;
  } finally {
    signal.removeEventListener("abort", onAbort);
    await killContainer(cgroups, place);
    await removeContainer(cgroups, place).catch((error: unknown) => logger.warn({ err: error }, "an install step left something over"));
    await exec(["rm", "-rf", "--", `${layer}-work`]);
    if (outcome?.status !== "installed") await removeLayer(layer);
  }
}

async function removeLayer(layer: string): Promise<void> {
  await exec(["rm", "-rf", "--one-file-system", "--", layer, `${layer}-work`], { timeoutMs: 600_000 });
}
