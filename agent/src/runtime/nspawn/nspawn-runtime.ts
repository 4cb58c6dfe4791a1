/**
 * Runs projects in systemd-nspawn containers whose parents are small supervisors, so that no container needs
 * the agent to live.
 */

import { rename, stat } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { KeyedQueue, Slots } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { Cgroups } from "../../host/cgroups/cgroup.ts";
import { detectCgroups, openCgroups } from "../../host/cgroups/cgroup-detect.ts";
import { isNoSpace } from "../../disk/disk-full.ts";
import { exec } from "../../host/exec.ts";
import { readGroupLimits, reachOfIo } from "../../host/cgroups/group-limits.ts";
import { readBootId } from "../../host/boot-id.ts";
import { isMountPoint } from "../../host/files/is-mount-point.ts";
import { serviceGroup, type ServiceGroup } from "../../host/cgroups/service-group.ts";
import type { Tools } from "../../host/checks/tools.ts";
import {
  StartError,
  type Enforcement,
  type InstallOutcome,
  type InstallRequest,
  type Instance,
  type LimitsInEffect,
  type Runtime,
  type StartRequest,
  type StopOptions,
  type UsageCounters,
} from "../runtime.ts";
import {
  killContainer,
  launchContainer,
  readOpenFilesLimit,
  removeContainer,
  removeStrayScratch,
  terminateContainer,
} from "./container.ts";
import { makeContainerFiles } from "./container-files.ts";
import { handingOver } from "./handing-over.ts";
import {
  endedPlace,
  placeOfDirectory,
  projectPlace,
  withOwnGroups,
  type ContainerPlace,
} from "./container-place.ts";
import { FifoPool } from "./fifo-pool.ts";
import { runInstall } from "./install.ts";
import { Removals } from "./removals.ts";
import { directoryNames, findRunRecord, withStart, writeRunRecord, type RunRecord } from "../run-record.ts";
import { giveStartRoom } from "./start-room.ts";
import { Supervisors } from "./supervisors.ts";
import { sweepRuns } from "./sweep.ts";
import { TrackedRuns } from "./tracked-runs.ts";

export interface NspawnRuntimeOptions {
  dataDirectory: string;
  /** Distinguishes several agents on one machine: part of the names of cgroups and units. */
  instanceName: string;
  tools: Tools;
  logger: Pick<Logger, "info" | "warn" | "error">;
  clock: { now(): Date };
}

/** Most containers that are started at once: more would only delay each other. */
const startsAtOnce = 8;
const turnTimeoutMs = 600_000;
/**
 * Milliseconds to wait for a run's end. One that ends slowly, on a disk that stalls, is shown as running for
 * a while, so that it does not delay reports about the others.
 */
const lookPatienceMs = 3_000;

export class NspawnRuntime implements Runtime {
  readonly name = "nspawn";
  readonly canRunBeside = true;
  readonly #options: NspawnRuntimeOptions;
  readonly #cgroups: Cgroups;
  readonly #fifos: FifoPool;
  readonly #supervisors: Supervisors;
  readonly #bootId: string;
  readonly #queue = new KeyedQueue();
  readonly #starts = new Slots(startsAtOnce);
  readonly #removals: Removals;
  readonly #runs: TrackedRuns;
  /** Runs that are being started, whose state cannot be judged yet. */
  readonly #starting = new Set<string>();

  private constructor(
    options: NspawnRuntimeOptions,
    parts: { cgroups: Cgroups; fifos: FifoPool; supervisors: Supervisors; bootId: string },
  ) {
    const { cgroups, fifos, supervisors, bootId } = parts;
    this.#options = options;
    this.#cgroups = cgroups;
    this.#fifos = fifos;
    this.#supervisors = supervisors;
    this.#bootId = bootId;
    this.#runs = new TrackedRuns({ cgroups, bootId, clock: options.clock, logger: options.logger });
    this.#removals = new Removals((error) =>
      options.logger.warn({ err: error }, "a run that is over left something behind"),
    );
  }

  /**
   * Opens the runtime on the existing files, and ends what an earlier agent left unfinished (install steps,
   * half-made starts).
   */
  static async create(options: NspawnRuntimeOptions): Promise<NspawnRuntime> {
    if (!/^[a-z0-9-]{1,32}$/.test(options.instanceName))
      throw new Error(`not a name for an agent: ${options.instanceName}`);
    const cgroups = await openCgroups(`tijolo-${options.instanceName}`);
    const fifos = await FifoPool.create(join(options.dataDirectory, "fifos"));
    const supervisors = await Supervisors.create();
    await sweepRuns({ ...options, cgroups });
    return new NspawnRuntime(options, { cgroups, fifos, supervisors, bootId: await readBootId() });
  }

  install(request: InstallRequest, signal: AbortSignal): Promise<InstallOutcome> {
    const { dataDirectory, tools, logger } = this.#options;
    const key = `${request.projectId} install`; // a run of another version goes on meanwhile
    return this.#queue.run(key, () =>
      runInstall({
        request,
        signal,
        dataDirectory,
        tools,
        logger,
        cgroups: this.#cgroups,
        fifos: this.#fifos,
        supervisors: this.#supervisors,
      }),
    );
  }

  start(request: StartRequest): Promise<Instance> {
    return this.#queue.run(request.projectId, () =>
      this.#starts.run(() => this.#startWithRoom(request), AbortSignal.timeout(turnTimeoutMs)),
    );
  }

  stop(projectId: string, options: StopOptions): Promise<void> {
    return this.#queue.run(projectId, () => this.#stop(projectId, options));
  }

  async instances(): Promise<Instance[]> {
    const projectIds = await directoryNames(join(this.#options.dataDirectory, "runs"));
    const perProject = await Promise.all(projectIds.map((id) => this.#adopt(id, lookPatienceMs)));
    return perProject.flat();
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#runs.onExit(listener);
  }

  forget(instance: Instance): Promise<void> {
    return this.#queue.run(instance.projectId, async () => {
      const place = await this.#foundPlace(instance.projectId, runName(instance.runNumber));
      this.#runs.untrack(place);
      await killContainer(this.#cgroups, place);
      if (!(await isDirectory(place.run))) return; // forgotten before
      const ended = endedPlace(place);
      await rename(place.run, ended.run);
      // The next run need not wait for this; a next agent finds it by its name.
      this.#removals.start(instance.projectId, () => removeContainer(this.#cgroups, ended));
    });
  }

  async usage(): Promise<Map<string, UsageCounters>> {
    return this.#runs.usage();
  }

  async enforcement(): Promise<Enforcement> {
    const layout = await detectCgroups();
    return {
      cgroups: this.#cgroups.version,
      io: reachOfIo(this.#cgroups, layout.kind === "v1" && layout.mounts.blkio !== null),
    };
  }

  async limits(): Promise<Map<string, LimitsInEffect>> {
    const entries = this.#runs
      .running()
      .map(async ({ instance, place }): Promise<[string, LimitsInEffect]> => {
        const { cpuWeight } = readGroupLimits(this.#cgroups, place.projectId);
        const { cpuPercent, io } = readGroupLimits(this.#cgroups, place.whole);
        const { memoryMb, pids, pidsNow } = readGroupLimits(this.#cgroups, place.group);
        const openFiles = await readOpenFilesLimit(this.#cgroups, place);
        return [
          instance.projectId,
          { limits: { memoryMb, cpuPercent, cpuWeight, pids, io, openFiles }, pids: pidsNow },
        ];
      });
    return new Map(await Promise.all(entries));
  }

  remove(projectId: string): Promise<void> {
    return this.#queue.run(projectId, async () => {
      const { directory, runs } = projectPlace(this.#options.dataDirectory, projectId);
      await this.#removals.ended(projectId);
      for (const name of await directoryNames(runs))
        await this.#discard(await this.#foundPlace(projectId, name));
      await this.#cgroups.remove(projectId);
      // A file system of the project's own goes as a whole, by whoever mounted it.
      const files = (await isMountPoint(directory)) ? [] : [directory];
      await exec(["rm", "-rf", "--one-file-system", "--", ...files, runs], {
        timeoutMs: 600_000,
        endsWithAgent: true,
      });
    });
  }

  /**
   * Returns a group for a process of the agent's own that outlives it as containers do. Empty groups must be
   * removed before {@link close}.
   */
  serviceGroup(name: string): ServiceGroup {
    return serviceGroup(this.#cgroups, name);
  }

  async close(): Promise<void> {
    this.#runs.close();
    await this.#removals.allEnded();
    await this.#fifos.close();
    await this.#supervisors.close();
    // Of an agent without projects nothing stays in the kernel.
    if ((await this.#cgroups.children("")).length === 0) await this.#cgroups.remove("").catch(() => {});
  }

  /**
   * Starts the run; on a full disk once more when what earlier runs left is removed, which is about as much
   * as a run takes, and with the room that is kept for starts where that is not enough.
   */
  async #startWithRoom(request: StartRequest): Promise<Instance> {
    const { projectId } = request;
    const { disk } = projectPlace(this.#options.dataDirectory, projectId);
    for (let isFirst = true; ; isFirst = false) {
      try {
        return await this.#start(request);
      } catch (error) {
        if (!isNoSpace(error)) throw error;
        if (isFirst) await this.#removals.ended(projectId);
        else if (!(await giveStartRoom(disk))) throw error;
      }
    }
  }

  async #start(request: StartRequest): Promise<Instance> {
    const { dataDirectory, tools, clock } = this.#options;
    for (const instance of await this.#adopt(request.projectId)) {
      if (instance.runNumber === request.runNumber) return instance;
      if (instance.exit === null && request.isBeside !== true)
        throw new StartError(`run ${instance.runNumber} of the project is still there`);
    }
    const project = projectPlace(dataDirectory, request.projectId);
    const place = this.#place(request.projectId, runName(request.runNumber));
    const { projectId, runNumber, versionNumber } = request;
    const own = request.keepsNothing === true ? place.scratch : project.disk;
    const record: RunRecord = {
      projectId,
      runNumber,
      versionNumber,
      name: runName(runNumber),
      bootId: this.#bootId,
      startedAt: clock.now().toISOString(),
    };
    this.#starting.add(keyOf(request));
    try {
      await makeContainerFiles({
        dataDirectory,
        place,
        request: { ...request, command: handingOver(request.command) },
        appUpper: join(own, "app"),
        home: join(own, "home"),
        cgroups: this.#cgroups,
        tools,
        fifos: this.#fifos,
      });
      await writeRunRecord(place.run, record);
      await launchContainer(place, this.#supervisors);
    } catch (cause) {
      await this.#discard(place);
      if (cause instanceof StartError) throw cause;
      throw new StartError(`the container could not be prepared: ${String(cause)}`, { cause });
    } finally {
      this.#starting.delete(keyOf(request));
    }
    this.#removals.start(projectId, () => removeStrayScratch(project));
    return this.#runs.track(await withStart(place.run, record), place);
  }

  async #stop(projectId: string, { graceMs, runNumber }: StopOptions): Promise<void> {
    const running = (await this.#adopt(projectId)).filter(
      (instance) => instance.exit === null && (runNumber ?? instance.runNumber) === instance.runNumber,
    );
    await Promise.all(
      running.map(async (instance) => {
        const place = await this.#foundPlace(projectId, runName(instance.runNumber));
        await terminateContainer(this.#cgroups, place, graceMs);
        await killContainer(this.#cgroups, place);
        await this.#runs.look(place);
      }),
    );
  }

  /**
   * Finds every run of the project by its directories; those that run are watched from now on, and an end
   * that takes longer is reported later.
   */
  async #adopt(projectId: string, patienceMs: number | null = null): Promise<Instance[]> {
    const names = await directoryNames(projectPlace(this.#options.dataDirectory, projectId).runs);
    const instances: Instance[] = [];
    for (const name of names.filter((each) => each.startsWith("run-"))) {
      const place = this.#place(projectId, name);
      const instance = this.#runs.find(place) ?? (await this.#take(place));
      if (instance === undefined) continue;
      const look = this.#runs.look(place);
      await (patienceMs === null ? look : Promise.race([look, delay(patienceMs, undefined, { ref: false })]));
      instances.push({ ...instance });
    }
    return instances;
  }

  /** Returns undefined for what cannot be judged yet, or never. */
  async #take(place: ContainerPlace): Promise<Instance | undefined> {
    const record = await findRunRecord(place.run);
    if (record === undefined || this.#starting.has(keyOf(record))) return undefined;
    return this.#runs.track(record, await withOwnGroups(this.#cgroups, place));
  }

  async #discard(place: ContainerPlace): Promise<void> {
    this.#runs.untrack(place);
    await killContainer(this.#cgroups, place);
    await removeContainer(this.#cgroups, place);
  }

  /** Finds the groups of a run that an earlier agent may have started. */
  #foundPlace(projectId: string, name: string): Promise<ContainerPlace> {
    return withOwnGroups(this.#cgroups, this.#place(projectId, name));
  }

  /** Returns the place of a directory name in the project's runs. */
  #place(projectId: string, name: string): ContainerPlace {
    return placeOfDirectory(this.#options.dataDirectory, projectId, name);
  }
}

function runName(runNumber: number): string {
  return `run-${runNumber}`;
}

function keyOf({ projectId, runNumber }: { projectId: string; runNumber: number }): string {
  return `${projectId}/${runName(runNumber)}`;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
