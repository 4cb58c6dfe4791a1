/** Brings one project up: its layers, its address, its environment, then the runtime. */

import { existsSync } from "node:fs";
import { lstat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cpuCeilingPercent, cpuWeight, processLimit, quoteLong, type Assignment } from "@tijolo/protocol";
import { diskFaultOf } from "../../disk/disk-full.ts";
import { ioLimits } from "../../disk/io-limits.ts";
import { DiskDamagedError, DiskFullError } from "../../disk/project-disks.ts";
import { logDirectory } from "../../logs/writer/log-files.ts";
import { StartError, type StartRequest } from "../../runtime/runtime.ts";
import { servedPlace } from "../../sites/served-place.ts";
import { versionDirectory } from "../../versions/version-files.ts";
import { codeDirectory, commonRequest, installedLayers } from "./container-request.ts";
import { failForDamage, isStillDamaged, openDisk } from "./damaged-disk.ts";
import { runEnvironment } from "./environment.ts";
import { freeSpare, pruneUnused } from "./prune-unused.ts";
import { withObserved, type ProjectRecord } from "../record.ts";
import { staticSiteOf } from "../static-site.ts";
import type { ProjectHandle } from "../project-handle.ts";
import { assignmentOfRun, comeUp, directoryOf, installsOf, isOnTrial } from "../succession.ts";
import { takeBack } from "./take-back.ts";

/**
 * Starts the project. `isFresh`: a person requested the start, so that earlier crashes and errors no longer
 * count. Aborting `signal` ends the wait for the image.
 */
export async function startProject(
  worker: ProjectHandle,
  isFresh: boolean,
  signal: AbortSignal,
): Promise<void> {
  const { context, projectId } = worker;
  if (worker.assignment === undefined) return;
  const assignment = assignmentOfRun(worker.assignment, worker.record);
  if (!isFresh && (await isStillDamaged(worker, assignment))) return;
  const { observed } = worker.record;
  const { leaving, endedRunNumber, failedRunNumber } = worker.record;
  const runNumber = Math.max(worker.record.runNumber, endedRunNumber, failedRunNumber) + 1;
  worker.save(
    withObserved(
      {
        ...worker.record,
        runNumber,
        settings: assignment.settings,
        startedWith: startedWith(assignment),
        logSet: leaving?.logSet === "first" ? "beside" : "first",
        retryAtMs: null,
      },
      {
        phase: phaseOfStart(observed.phase, isFresh),
        restartCount: assignment.restartCount,
        configTag: assignment.configTag,
        hasComeUp: false,
        errorCode: null,
        errorDetails: [],
        ...(isFresh ? { consecutiveCrashes: 0 } : {}),
      },
    ),
  );
  try {
    await begin(worker, assignment, { runNumber, signal });
    await pruneUnused(worker);
  } catch (cause) {
    const error = await diskFaultOf(context, projectId, cause);
    if (error instanceof DiskDamagedError) return failForDamage(worker, error);
    if (!(error instanceof StartError || error instanceof DiskFullError)) throw error;
    if (error instanceof DiskFullError) {
      // What was up comes back once the host has room; what has room now is started again at once.
      if (error.of === "host" && !isFresh && !isOnTrial(worker.record)) throw error;
      if (error.of === "project" && (await freeSpare(worker))) return;
    }
    context.logger.warn({ err: error, projectId }, "a project could not be started");
    await failStart(worker, error);
  }
}

/** Brings the version up: as a process, or by saying that its files are served. */
async function begin(
  worker: ProjectHandle,
  assignment: Assignment,
  { runNumber, signal }: { runNumber: number; signal: AbortSignal },
): Promise<void> {
  const { context, projectId } = worker;
  // Marked before any step that may fail, so that the log lines about it belong to this version.
  await context.logs.mark(projectId, "app", {
    version: assignment.versionNumber,
    at: new Date(context.clock.now()),
    set: worker.record.logSet,
  });
  await openDisk(worker, assignment);
  if (worker.record.damagedStarts > 0) worker.save({ ...worker.record, damagedStarts: 0 });
  if (!hasItsLayers(worker, assignment)) return installAgain(worker);
  if (assignment.settings.language === "static") {
    assertFolder(worker, assignment);
    const site = staticSiteOf(worker, assignment.settings);
    if (site !== undefined) await context.statics?.serve(projectId, site);
    const startedAt = new Date(context.clock.now()).toISOString();
    return worker.save(comeUp(withObserved(worker.record, { phase: "running", startedAt })));
  }
  await assertEntry(worker, assignment);
  if (!keepsNothing(worker, assignment)) await mergeVersion(worker, assignment);
  const request = await startRequest(worker, assignment, { runNumber, signal });
  rememberLayers(worker, request);
  const started = await context.runtime.start(request);
  worker.see(started);
  worker.save(withObserved(worker.record, { phase: "running", startedAt: started.startedAt.toISOString() }));
  worker.watchPort();
}

/**
 * Has the wanted version installed again, because its layers are gone. An earlier version cannot be: its
 * archive is not known.
 */
function installAgain(worker: ProjectHandle): void {
  const { context, projectId, record, assignment } = worker;
  if (record.observed.versionNumber !== assignment?.versionNumber)
    throw new StartError("the layers of an earlier version are gone");
  context.logger.warn({ projectId }, "what was installed is gone: it is installed again");
  worker.save({ ...record, installed: null });
}

/**
 * Fails a start that cannot be made. A new version gives way to the one before it; where the disk was full,
 * its files make room for that.
 */
async function failStart(worker: ProjectHandle, error: StartError | DiskFullError): Promise<void> {
  const { context, projectId } = worker;
  const { forOwner } = error;
  if (isOnTrial(worker.record)) {
    const isKept = !(error instanceof DiskFullError);
    await takeBack(worker, { reason: forOwner ?? { code: "start_impossible" }, isKept });
    return isKept ? undefined : pruneUnused(worker);
  }
  await context.logs.appendMessage(
    projectId,
    "app",
    forOwner ?? { code: "start_impossible" },
    new Date(context.clock.now()),
  );
  worker.save(
    withObserved(worker.record, {
      phase: "failed",
      errorCode: "start_failed",
      errorDetails: forOwner === null ? [] : [forOwner],
      startedAt: null,
    }),
  );
}

/**
 * Returns the phase of a start. A requested start that an earlier agent left unfinished still counts as
 * requested.
 */
function phaseOfStart(
  phase: ProjectRecord["observed"]["phase"],
  isFresh: boolean,
): "installing" | "starting" | "waiting" {
  if (phase === "installing") return "installing";
  return isFresh || phase === "starting" ? "starting" : "waiting";
}

function startedWith({
  settings: { language, root, port, memoryMb, spa },
}: Assignment): ProjectRecord["startedWith"] {
  return { language, root, port, memoryMb, ...(spa === undefined ? {} : { spa }) };
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
    logSet: worker.record.logSet,
    isBeside: worker.record.leaving !== null,
    keepsNothing: keepsNothing(worker, assignment),
    limits: {
      memoryMb: settings.memoryMb,
      cpuPercent: cpuCeilingPercent(settings.memoryMb, context.cpuCount),
      cpuWeight: cpuWeight(settings.memoryMb),
      pids: processLimit(settings.memoryMb),
      io: await ioLimits(context.disks, projectId),
    },
  };
}

/** True where the run's files go with it, as those of two runs at once cannot be one's. */
function keepsNothing({ context }: ProjectHandle, { deploy, settings }: Assignment): boolean {
  return deploy === "overlap" && settings.port !== null && context.runtime.canRunBeside;
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
  const isBuilt = worker.record.installed?.isBuilt === true;
  const place = servedPlace(dirname(codeDirectory(worker, assignment)), { root, isBuilt });
  if (place !== undefined && existsSync(place.directory)) return;
  throw new StartError(`served folder ${JSON.stringify(root)} is missing`, {
    forOwner: { code: "folder_missing", folder: quoteLong(root ?? "") },
  });
}

/**
 * Merges a version once: new code wins over what the project wrote under the same name, which is kept and
 * reported. At every start, also brings back the files that the owner has requested.
 */
async function mergeVersion(worker: ProjectHandle, assignment: Assignment): Promise<void> {
  const { layers, own } = placesOf(worker, assignment);
  const [code = "", ...installed] = layers;
  const { versionNumber, diskMb } = assignment;
  const { mergedVersion } = worker.record;
  const merged = installsOf(worker.record).find((each) => each.versionNumber === mergedVersion);
  const directory = merged === undefined ? mergedVersion : directoryOf(merged);
  const earlier =
    mergedVersion === 0
      ? undefined
      : join(versionDirectory(worker.context.dataDirectory, worker.projectId, directory), "code");
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
