/** Brings one project up: its layers, its address, its environment, then the runtime. */

import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import type { Assignment } from "@tijolo/protocol";
import { logDirectory } from "../host/log-files.ts";
import { StartError, type StartRequest } from "../runtime/runtime.ts";
import { pruneVersions, uncover, versionDirectory } from "../versions/version-files.ts";
import { commonRequest } from "./container-request.ts";
import { runEnvironment } from "./environment.ts";
import { withObserved } from "./project-record.ts";
import type { ProjectWorker } from "./project-worker.ts";

/** `isFresh`: asked for by a person, so that earlier crashes and errors are over. */
export async function startProject(worker: ProjectWorker, isFresh: boolean): Promise<void> {
  const { assignment, context, projectId } = worker;
  if (assignment === undefined) return;
  const { observed } = worker.record;
  const runNumber = worker.record.runNumber + 1;
  worker.save(
    withObserved(
      { ...worker.record, runNumber, retryAtMs: null },
      {
        phase: observed.phase === "installing" ? "installing" : "starting",
        restartCount: assignment.restartCount,
        errorCode: null,
        errorDetail: "",
        ...(isFresh ? { consecutiveCrashes: 0 } : {}),
      },
    ),
  );
  try {
    if (assignment.settings.language === "static") {
      assertFolder(worker, assignment);
      worker.save(withObserved(worker.record, { phase: "running", startedAt: new Date(context.clock.now()).toISOString() }));
    } else {
      await assertEntry(worker, assignment);
      await mergeVersion(worker, assignment);
      const at = new Date(context.clock.now());
      await context.logs.mark(projectId, "app", { version: assignment.versionNumber, at });
      const request = await startRequest(worker, assignment, runNumber);
      const isImageNew = request.imageLayers.join() !== worker.record.imageLayers.join();
      if (isImageNew) worker.save({ ...worker.record, imageLayers: request.imageLayers });
      worker.instance = await context.runtime.start(request);
      worker.save(withObserved(worker.record, { phase: "running", startedAt: worker.instance.startedAt.toISOString() }));
    }
    await pruneVersions(context.dataDirectory, projectId, [assignment.versionNumber]);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    context.logger.warn({ err: error, projectId }, "a project could not be started");
    await context.logs.appendSystemLine(
      projectId,
      "app",
      error.forOwner ?? "O projeto não pôde ser iniciado.",
      new Date(context.clock.now()),
    );
    worker.save(
      withObserved(worker.record, { phase: "failed", errorCode: "start_failed", errorDetail: error.forOwner ?? "", startedAt: null }),
    );
  }
}

async function startRequest(worker: ProjectWorker, assignment: Assignment, runNumber: number): Promise<StartRequest> {
  const { context, projectId } = worker;
  const { settings } = assignment;
  const common = await commonRequest(worker, assignment, () => context.images.ensure(settings.language, settings.version));
  return {
    ...common,
    runNumber,
    environment: runEnvironment(assignment, context.trust.environment),
    command: settings.command,
    logDirectory: logDirectory(context.dataDirectory, projectId, "app"),
    limits: {
      memoryMb: settings.memoryMb,
      // A core per GB, at least one; what is free beyond the weights may be used up to it.
      cpuPercent: Math.min(context.cpuCount, Math.max(1, Math.round(settings.memoryMb / 1024))) * 100,
      cpuWeight: Math.min(10_000, Math.max(10, Math.round(settings.memoryMb / 5))),
      pids: Math.max(256, Math.min(4_096, settings.memoryMb)),
    },
  };
}

/** A start file that is nowhere is said before anything is started. */
async function assertEntry(worker: ProjectWorker, assignment: Assignment): Promise<void> {
  const { entry, language } = assignment.settings;
  if (entry === null || language === "go" || language === "dotnet" || language === "elixir") return;
  const { code, install, own } = placesOf(worker, assignment);
  for (const directory of [code, install, own]) {
    if (await mayExist(directory, entry)) return;
  }
  const text = `O arquivo de início ${entry} não está no .zip. Confira entry e command.`;
  throw new StartError(`start file ${JSON.stringify(entry)} is missing`, { forOwner: text });
}

function assertFolder(worker: ProjectWorker, assignment: Assignment): void {
  const { root } = assignment.settings;
  if (root === null || existsSync(join(placesOf(worker, assignment).code, root))) return;
  throw new StartError(`served folder ${JSON.stringify(root)} is missing`, { forOwner: `A pasta ${root} (root) não está no .zip.` });
}

/** Once per version: new code wins over what the project wrote under the same name. */
async function mergeVersion(worker: ProjectWorker, assignment: Assignment): Promise<void> {
  if (worker.record.mergedVersion === assignment.versionNumber) return;
  const { code, install, own } = placesOf(worker, assignment);
  await uncover(code, own);
  await uncover(install, own);
  worker.save({ ...worker.record, mergedVersion: assignment.versionNumber });
}

/** Follows no link: the tenant may have made one, and where it leads is not for it to learn. */
async function mayExist(directory: string, path: string): Promise<boolean> {
  let current = directory;
  for (const component of path.split("/")) {
    current = join(current, component);
    const stats = await lstat(current).catch(() => null);
    if (stats === null) return false;
    if (stats.isSymbolicLink()) return true;
  }
  return true;
}

function placesOf({ context, projectId }: ProjectWorker, { versionNumber }: Assignment): { code: string; install: string; own: string } {
  const directory = versionDirectory(context.dataDirectory, projectId, versionNumber);
  return {
    code: join(directory, "code"),
    install: join(directory, "install"),
    own: join(context.dataDirectory, "projects", projectId, "disk", "app"),
  };
}
