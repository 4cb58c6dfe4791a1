/** Brings one project up: its layers, its address, its environment, then the runtime. */

import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { join } from "node:path";
import {
  backOffMs,
  cpuCeilingPercent,
  cpuWeight,
  processLimit,
  quoteLong,
  type Assignment,
} from "@tijolo/protocol";
import { diskFaultOf } from "../../disk/disk-full.ts";
import { ioLimits } from "../../disk/io-limits.ts";
import { DiskDamagedError, DiskFullError } from "../../disk/project-disks.ts";
import { logDirectory } from "../../logs/writer/log-files.ts";
import { StartError, type StartRequest } from "../../runtime/runtime.ts";
import { pruneVersions, servedDirectory, versionDirectory } from "../../versions/version-files.ts";
import { codeDirectory, commonRequest, installedLayers } from "./container-request.ts";
import { runEnvironment } from "./environment.ts";
import { withObserved, type ProjectRecord } from "../record.ts";
import type { ProjectHandle } from "../project-handle.ts";

/** Pauses between two checks of a damaged disk, which only an operator repairs. */
const damagedPauses = { minMs: 60_000, maxMs: 3_600_000, minShare: 0.5 };

/**
 * Starts the project. `isFresh`: a person requested the start, so that earlier crashes and errors no longer
 * count. Aborting `signal` ends the wait for the image.
 */
export async function startProject(
  worker: ProjectHandle,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { assignment, context, projectId } = worker;
  if (assignment === undefined) return;
  if (!isFresh && (await isStillDamaged(worker, assignment))) return;
  const { observed } = worker.record;
  const runNumber = Math.max(worker.record.runNumber, worker.record.endedRunNumber) + 1;
  worker.save(
    withObserved(
      { ...worker.record, runNumber, startedWith: startedWith(assignment), retryAtMs: null },
      {
        phase: phaseOfStart(observed.phase, isFresh),
        restartCount: assignment.restartCount,
        configTag: assignment.configTag,
        errorCode: null,
        errorDetails: [],
        ...(isFresh ? { consecutiveCrashes: 0 } : {}),
      },
    ),
  );
  try {
    // Before all that may fail: what is said of it is of this version.
    await context.logs.mark(projectId, "app", {
      version: assignment.versionNumber,
      at: new Date(context.clock.now()),
    });
    await openDisk(worker, assignment);
    if (worker.record.damagedStarts > 0) worker.save({ ...worker.record, damagedStarts: 0 });
    if (!hasItsLayers(worker, assignment)) {
      context.logger.warn({ projectId }, "what was installed is gone: it is installed again");
      return worker.save({ ...worker.record, installed: null });
    }
    if (assignment.settings.language === "static") {
      assertFolder(worker, assignment);
      worker.save(
        withObserved(worker.record, {
          phase: "running",
          startedAt: new Date(context.clock.now()).toISOString(),
        }),
      );
    } else {
      await assertEntry(worker, assignment);
      await mergeVersion(worker, assignment);
      const request = await startRequest(worker, assignment, { runNumber, signal });
      rememberLayers(worker, request);
      const started = await context.runtime.start(request);
      worker.see(started);
      worker.save(
        withObserved(worker.record, { phase: "running", startedAt: started.startedAt.toISOString() }),
      );
      context.portWatch.watch(projectId, runNumber, assignment.settings);
    }
    await pruneVersions(context.dataDirectory, projectId, [assignment.versionNumber]);
  } catch (cause) {
    const error = await diskFaultOf(context, projectId, cause);
    if (error instanceof DiskDamagedError) return failForDamage(worker, error);
    if (!(error instanceof StartError || error instanceof DiskFullError)) throw error;
    context.logger.warn({ err: error, projectId }, "a project could not be started");
    await context.logs.appendMessage(
      projectId,
      "app",
      error.forOwner ?? { code: "start_impossible" },
      new Date(context.clock.now()),
    );
    worker.save(
      withObserved(worker.record, {
        phase: "failed",
        errorCode: "start_failed",
        errorDetails: error.forOwner === null ? [] : [error.forOwner],
        startedAt: null,
      }),
    );
  }
}

/** Returns the phase of a start; one that an agent left unfinished still counts as the person's. */
function phaseOfStart(
  phase: ProjectRecord["observed"]["phase"],
  isFresh: boolean,
): "installing" | "starting" | "waiting" {
  if (phase === "installing") return "installing";
  return isFresh || phase === "starting" ? "starting" : "waiting";
}

function openDisk({ context, projectId }: ProjectHandle, { diskMb }: Assignment): Promise<void> {
  return context.disks.open(projectId, { limitMb: diskMb, isUp: false });
}

/**
 * True while the project's disk is still damaged: it stays failed until the disk is well, so that its owner
 * sees no start that comes to nothing.
 */
async function isStillDamaged(worker: ProjectHandle, assignment: Assignment): Promise<boolean> {
  if (worker.record.damagedStarts === 0) return false;
  try {
    await openDisk(worker, assignment);
    return false;
  } catch (error) {
    if (!(error instanceof DiskDamagedError)) throw error;
    worker.save(withNextTry(worker));
    return true;
  }
}

/** Fails the project for a damaged disk; the disks have logged it for the operator. */
async function failForDamage(worker: ProjectHandle, { forOwner }: DiskDamagedError): Promise<void> {
  const { context, projectId } = worker;
  await context.logs.appendMessage(projectId, "app", forOwner, new Date(context.clock.now()));
  worker.save(
    withObserved(withNextTry(worker), {
      phase: "failed",
      errorCode: "start_failed",
      errorDetails: [forOwner],
      startedAt: null,
    }),
  );
}

function withNextTry({ record, context }: ProjectHandle): ProjectRecord {
  const damagedStarts = record.damagedStarts + 1;
  const pauseMs = backOffMs(damagedStarts, { ...damagedPauses, random: context.random });
  return { ...record, damagedStarts, retryAtMs: context.clock.now() + pauseMs };
}

function startedWith({
  settings: { language, root, port, memoryMb },
}: Assignment): ProjectRecord["startedWith"] {
  return { language, root, port, memoryMb };
}

async function startRequest(
  worker: ProjectHandle,
  assignment: Assignment,
  { runNumber, signal }: { runNumber: number; signal: AbortSignal },
): Promise<StartRequest> {
  const { context, projectId } = worker;
  const { settings } = assignment;
  const common = await commonRequest(worker, assignment, {
    ensureImage: () => context.images.ensure(settings, { signal }),
    environmentOf: runEnvironment,
  });
  return {
    ...common,
    appLayers: [...installedLayers(worker, assignment), ...common.appLayers],
    runNumber,
    command: settings.command,
    logDirectory: logDirectory(context.dataDirectory, projectId, "app"),
    limits: {
      memoryMb: settings.memoryMb,
      cpuPercent: cpuCeilingPercent(settings.memoryMb, context.cpuCount),
      cpuWeight: cpuWeight(settings.memoryMb),
      pids: processLimit(settings.memoryMb),
      io: await ioLimits(context.disks, projectId),
    },
  };
}

/** True while the layers exist: somebody may have cleared the cached installs, or moved them. */
function hasItsLayers(worker: ProjectHandle, assignment: Assignment): boolean {
  return placesOf(worker, assignment).layers.every((directory) => existsSync(directory));
}

/** Records the layers before anything runs on them, so that none is removed. */
function rememberLayers(worker: ProjectHandle, { imageLayers, appLayers }: StartRequest): void {
  const { record } = worker;
  const runLayers = appLayers.map(({ directory }) => directory);
  const isSame =
    imageLayers.join() === record.imageLayers.join() && runLayers.join() === record.runLayers.join();
  if (!isSame) worker.save({ ...record, imageLayers, runLayers });
}

/** Reports a start file that does not exist before anything is started. */
async function assertEntry(worker: ProjectHandle, assignment: Assignment): Promise<void> {
  const { entry, language } = assignment.settings;
  if (entry === null || language === "go" || language === "dotnet" || language === "elixir") return;
  const { layers, own } = placesOf(worker, assignment);
  for (const directory of [...layers, own]) {
    if (await mayExist(directory, entry)) return;
  }
  throw new StartError(`start file ${JSON.stringify(entry)} is missing`, {
    forOwner: { code: "entry_missing", entry: quoteLong(entry) },
  });
}

function assertFolder(worker: ProjectHandle, assignment: Assignment): void {
  const { root } = assignment.settings;
  const directory = servedDirectory(codeDirectory(worker, assignment), root ?? "");
  if (directory !== undefined && existsSync(directory)) return;
  throw new StartError(`served folder ${JSON.stringify(root)} is missing`, {
    forOwner: { code: "folder_missing", folder: quoteLong(root ?? "") },
  });
}

/**
 * Merges a version once: new code wins over what the project wrote under the same name, which is kept and
 * reported. Brings back, at any start, what the owner has requested of it.
 */
async function mergeVersion(worker: ProjectHandle, assignment: Assignment): Promise<void> {
  const { layers, own } = placesOf(worker, assignment);
  const [code = "", ...installed] = layers;
  const { versionNumber, diskMb } = assignment;
  const { mergedVersion } = worker.record;
  const earlier =
    mergedVersion === 0
      ? undefined
      : join(versionDirectory(worker.context.dataDirectory, worker.projectId, mergedVersion), "code");
  const merge = { own, code, installed, versionNumber, mergedVersion, earlier, diskMb };
  const replaced = await worker.context.replacedFiles.merge(worker.projectId, merge);
  if (mergedVersion === versionNumber) return;
  const reports = replaced.map((set) => ({
    kind: "replaced" as const,
    versionNumber: set.versionNumber,
    count: set.count,
    paths: set.paths,
  }));
  worker.save({ ...worker.record, mergedVersion: versionNumber }, reports);
}

/**
 * True when the file may exist. Follows no link and no `..`: the tenant may have made one, and may not learn
 * where it leads.
 */
async function mayExist(directory: string, path: string): Promise<boolean> {
  const components = path.split("/");
  if (components.includes("..")) return true;
  let current = directory;
  for (const component of components) {
    current = join(current, component);
    const stats = await lstat(current).catch(() => null);
    if (stats === null) return false;
    if (stats.isSymbolicLink()) return true;
  }
  return true;
}

/** Returns the layers of the version, lowest first, and the directory above them where the project writes. */
function placesOf(worker: ProjectHandle, assignment: Assignment): { layers: string[]; own: string } {
  const installed = installedLayers(worker, assignment).map(({ directory }) => directory);
  const own = join(worker.context.dataDirectory, "projects", worker.projectId, "disk", "app");
  return { layers: [codeDirectory(worker, assignment), ...installed.toReversed()], own };
}
