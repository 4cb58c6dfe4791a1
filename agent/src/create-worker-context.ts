/** Creates the context of the workers from the parts that the composition root has opened. */

import { availableParallelism, freemem } from "node:os";
import { join } from "node:path";
import { poll, Slots } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { Agent, type Dispatcher } from "undici";
import type { AgentConfig } from "./config.ts";
import type { SiteHealth } from "./diagnosis/ask-health.ts";
import { Explainer } from "./diagnosis/explainer.ts";
import { PortWatch, type PortSeen } from "./diagnosis/port-watch.ts";
import { defaultBounds, InstallCache, noInstallCache } from "./install-cache/install-cache.ts";
import type { Ledger } from "./ledger/ledger.ts";
import type { LinkTls } from "@tijolo/protocol/kit/link";
import type { ProjectLogs } from "./logs/project-logs.ts";
import type { MachineParts } from "./machine-parts.ts";
import { readRecord } from "./project/record.ts";
import type { WorkerContext } from "./project/worker-context.ts";
import { installLayersInUse } from "./reconcile/keep-house.ts";
import type { ProcessMachineOptions } from "./runtime/process/process-machine.ts";
import { ArchiveFetchError, fetchArchive } from "./versions/fetch-archive.ts";
import { ReplacedFiles } from "./versions/merge/replaced-files.ts";

const installsAtOnce = 2;
const bearerTimeoutMs = 30_000;

/** Writes a line of the service into a project's log. */
export type SayToProject = ProcessMachineOptions["say"];

export interface WorkerContextSources {
  ledger: Ledger;
  machine: MachineParts;
  logs: ProjectLogs;
  say: SayToProject;
  bootId: string;
  clock: { now(): number };
  /** Returns a number from 0 to below 1. */
  random: () => number;
  logger: Logger;
  /** The bearer of the link's connection; undefined while the link is down. */
  bearer: () => string | undefined;
  /** The pinned authority of central; undefined without one. */
  tls: LinkTls | undefined;
  wakeOutbox: () => void;
  /** Must be called after a project was removed from this host. */
  noteRemoved: () => void;
  restartPausesMs?: readonly number[];
  visits: WorkerContext["visits"];
  drainSite: WorkerContext["drainSite"];
  /** Called with each result of the port watch. */
  notePort: (projectId: string, runNumber: number, seen: PortSeen) => void;
  /** Returns what a site is asked for to know that it is ready. */
  findHealth: (projectId: string) => SiteHealth | undefined;
}

/** Creates the context, its install cache and its replaced files. Disposing `resources` closes them. */
export async function createWorkerContext(
  { dataDirectory, centralUrl, uidStart, installTimeoutMs }: AgentConfig,
  { machine, say, bootId, bearer, tls, notePort, findHealth, ...sources }: WorkerContextSources,
  resources: AsyncDisposableStack,
): Promise<{
  context: WorkerContext;
  installCache: Pick<InstallCache, "find" | "keep" | "collect">;
  replacedFiles: ReplacedFiles;
}> {
  const { ledger, clock, logger, random } = sources;
  const keptInstalls = await InstallCache.create({
    directory: join(dataDirectory, "installs"),
    bounds: defaultBounds,
    inUse: () => installLayersInUse(ledger),
    accounts: () => new Set(ledger.assignments().map(({ accountId }) => accountId)),
    clock,
    bootId,
    logger,
  });
  const installCache = machine.keepsInstalls === false ? noInstallCache : keptInstalls;
  const explainer = resources.use(new Explainer());
  const portWatch = resources.use(watchPorts({ machine, ledger, notePort, findHealth, say, logger }));
  const { disks, runtime, images, network, statics, trust, installNotices, portOf } = machine;
  const replacedFiles = new ReplacedFiles({ dataDirectory, clock, disks, logger });
  const context: WorkerContext = {
    ...sources,
    dataDirectory,
    disks,
    runtime,
    images,
    installCache,
    network,
    freeMemoryMb: () => freemem() / 2 ** 20,
    replacedFiles,
    portWatch,
    explainer,
    trust,
    ...(installNotices === undefined ? {} : { installNotices }),
    ...(portOf === undefined ? {} : { portOf }),
    hasMesh: machine.openMesh !== undefined,
    ...(statics === undefined ? {} : { statics }),
    uidStart,
    cpuCount: availableParallelism(),
    installSlots: new Slots(installsAtOnce),
    compressSlots: new Slots(2),
    installTimeoutMs,
    fetchArchive: archiveFetcher(centralUrl, {
      bearer,
      dispatcher: archiveDispatcher(tls, resources),
      random,
    }),
  };
  return { context, installCache, replacedFiles };
}

function watchPorts({
  machine,
  ledger,
  notePort,
  findHealth,
  say,
  logger,
}: Pick<
  WorkerContextSources,
  "machine" | "ledger" | "notePort" | "findHealth" | "say" | "logger"
>): PortWatch {
  return new PortWatch({
    isListening: (projectId, port) => machine.isListening(projectId, port),
    readListeners: (projectId) => machine.readListeners(projectId),
    isRunning: (projectId, runNumber) => isRunning(ledger, projectId, runNumber),
    findHealth,
    askHealth: (projectId, port, health) => machine.askHealth(projectId, port, health),
    onSeen: notePort,
    say: (projectId, text) => say(projectId, "app", text),
    logger,
  });
}

function isRunning(ledger: Ledger, projectId: string, runNumber: number): boolean {
  const record = readRecord(ledger.findRecord(projectId));
  return record?.runNumber === runNumber && record.observed.phase === "running";
}

/**
 * Returns the function that fetches archives from central, with the bearer of the connection that is up by
 * then.
 */
function archiveFetcher(
  centralUrl: string,
  {
    bearer,
    dispatcher,
    random,
  }: Pick<WorkerContextSources, "bearer" | "random"> & { dispatcher: Dispatcher | undefined },
): WorkerContext["fetchArchive"] {
  return async ({ sha256, sizeBytes }, target, signal) => {
    const url = `${centralUrl}/link/archives/${sha256}`;
    const headers = { authorization: `Bearer ${await waitForBearer(bearer, signal)}` };
    await fetchArchive(
      { url, headers, sha256, sizeBytes, target },
      {
        signal,
        random,
        ...(dispatcher === undefined ? {} : { dispatcher }),
      },
    );
  };
}

/** Returns what connects to central by its pinned authority alone; undefined without one. */
function archiveDispatcher(
  tls: LinkTls | undefined,
  resources: AsyncDisposableStack,
): Dispatcher | undefined {
  return tls && resources.adopt(new Agent({ connect: { ...tls } }), (agent) => agent.destroy());
}

/** Waits for a bearer while the link is down. */
async function waitForBearer(find: () => string | undefined, signal: AbortSignal): Promise<string> {
  const bearer = await poll(find, { timeoutMs: bearerTimeoutMs, everyMs: 100, signal });
  if (bearer === undefined) throw new ArchiveFetchError("unreachable", "there is no link to central");
  return bearer;
}
