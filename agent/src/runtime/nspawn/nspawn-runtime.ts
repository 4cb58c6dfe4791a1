/** Runs projects in systemd-nspawn containers whose parents are small supervisors, so that no container needs the agent to live. */

import { mkdir, rename, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { Cgroups } from "../../host/cgroup.ts";
import { openCgroups } from "../../host/cgroup-detect.ts";
import { exec } from "../../host/exec.ts";
import { KeyedQueue } from "../../host/keyed-queue.ts";
import { readBootId } from "../../host/boot-id.ts";
import type { Tools } from "../../host/tools.ts";
import {
  StartError,
  type InstallOutcome,
  type InstallRequest,
  type Instance,
  type Runtime,
  type StartRequest,
  type UsageCounters,
} from "../runtime.ts";
import { findContainerEnd, killContainer, launchContainer, removeContainer, terminateContainer } from "./container.ts";
import { makeContainerFiles } from "./container-files.ts";
import { containerPlace, endedName, endedPlace, projectPlace, type ContainerPlace } from "./container-place.ts";
import { watchDirectory, type DirectoryWatch } from "./directory-watch.ts";
import { FifoPool } from "./fifo-pool.ts";
import { runInstall } from "./install.ts";
import { Removals } from "./removals.ts";
import { directoryNames, findRunRecord, isStarted, writeRunRecord, type RunRecord } from "./run-record.ts";
import { Supervisors } from "./supervisors.ts";

export interface NspawnRuntimeOptions {
  dataDirectory: string;
  /** Distinguishes several agents on one machine: part of the names of cgroups and units. */
  instanceName: string;
  tools: Tools;
  logger: Pick<Logger, "info" | "warn" | "error">;
  clock: { now(): Date };
}

/** Without any change in its directory, a run is looked at this often. */
const lookEveryMs = 2_000;

interface Tracked {
  instance: Instance;
  place: ContainerPlace;
  watch: DirectoryWatch | null;
}

export class NspawnRuntime implements Runtime {
  readonly name = "nspawn";
  readonly #options: NspawnRuntimeOptions;
  readonly #cgroups: Cgroups;
  readonly #fifos: FifoPool;
  readonly #supervisors: Supervisors;
  readonly #bootId: string;
  readonly #queue = new KeyedQueue();
  readonly #removals: Removals;
  readonly #tracked = new Map<string, Tracked>();
  /** Runs that are being started: what there is of them cannot be judged yet. */
  readonly #starting = new Set<string>();
  readonly #listeners: ((ended: Instance) => void)[] = [];

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
    this.#removals = new Removals((error) => options.logger.warn({ err: error }, "a run that is over left something behind"));
  }

  /** Opens the runtime on what is there, and ends what an earlier agent left unfinished (install steps, half-made starts). */
  static async create(options: NspawnRuntimeOptions): Promise<NspawnRuntime> {
    if (!/^[a-z0-9-]{1,32}$/.test(options.instanceName)) throw new Error(`not a name for an agent: ${options.instanceName}`);
    const cgroups = await openCgroups(`tijolo-${options.instanceName}`);
    const fifos = await FifoPool.create(join(options.dataDirectory, "fifos"));
    const supervisors = await Supervisors.create();
    const runtime = new NspawnRuntime(options, { cgroups, fifos, supervisors, bootId: await readBootId() });
    await runtime.#sweep();
    return runtime;
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
    return this.#queue.run(request.projectId, () => this.#start(request));
  }

  stop(projectId: string, { graceMs }: { graceMs: number }): Promise<void> {
    return this.#queue.run(projectId, () => this.#stop(projectId, graceMs));
  }

  async instances(): Promise<Instance[]> {
    const projectIds = await directoryNames(join(this.#options.dataDirectory, "runs"));
    const perProject = await Promise.all(projectIds.map((id) => this.#adopt(id)));
    return perProject.flat();
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#listeners.push(listener);
  }

  forget(instance: Instance): Promise<void> {
    return this.#queue.run(instance.projectId, async () => {
      const place = this.#place(instance.projectId, runName(instance.runNumber));
      this.#untrack(place);
      await killContainer(this.#cgroups, place);
      if (!(await isDirectory(place.run))) return; // forgotten before
      const ended = endedPlace(place);
      await rename(place.run, ended.run);
      // The next run need not wait for this; a next agent finds it by its name.
      this.#removals.start(instance.projectId, () => removeContainer(this.#cgroups, ended));
    });
  }

  async usage(): Promise<Map<string, UsageCounters>> {
    const running = [...this.#tracked.values()].filter(({ instance }) => instance.exit === null);
    const entries = running.map(async ({ instance, place }): Promise<[string, UsageCounters]> => {
      return [instance.projectId, { runNumber: instance.runNumber, ...(await this.#cgroups.usage(place.group)) }];
    });
    return new Map(await Promise.all(entries));
  }

  remove(projectId: string): Promise<void> {
    return this.#queue.run(projectId, async () => {
      const { directory, runs } = projectPlace(this.#options.dataDirectory, projectId);
      await this.#removals.ended(projectId);
      for (const name of await directoryNames(runs)) await this.#discard(this.#place(projectId, name));
      await this.#cgroups.remove(projectId);
      await exec(["rm", "-rf", "--one-file-system", "--", directory, runs], { timeoutMs: 600_000 });
    });
  }

  async close(): Promise<void> {
    for (const tracked of this.#tracked.values()) tracked.watch?.close();
    this.#tracked.clear();
    await this.#removals.allEnded();
    await this.#fifos.close();
    await this.#supervisors.close();
    // Of an agent without projects nothing stays in the kernel.
    if ((await this.#cgroups.children("")).length === 0) await this.#cgroups.remove("").catch(() => {});
  }

  async #start(request: StartRequest): Promise<Instance> {
    const { dataDirectory, tools, clock } = this.#options;
    for (const instance of await this.#adopt(request.projectId)) {
      if (instance.runNumber === request.runNumber) return instance;
      if (instance.exit === null) throw new StartError(`run ${instance.runNumber} of the project is still there`);
    }
    const project = projectPlace(dataDirectory, request.projectId);
    const place = this.#place(request.projectId, runName(request.runNumber));
    const { projectId, runNumber, versionNumber } = request;
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
      const install = project.install(versionNumber);
      await makeContainerFiles({
        dataDirectory,
        place,
        request,
        appLayers: [
          ...((await isDirectory(install)) ? [{ directory: install, isShifted: true }] : []),
          { directory: project.code(versionNumber), isShifted: false },
        ],
        appUpper: join(project.disk, "app"),
        home: join(project.disk, "home"),
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
    return this.#track(record, place).instance;
  }

  async #stop(projectId: string, graceMs: number): Promise<void> {
    const running = (await this.#adopt(projectId)).filter((instance) => instance.exit === null);
    await Promise.all(
      running.map(async (instance) => {
        const place = this.#place(projectId, runName(instance.runNumber));
        await terminateContainer(this.#cgroups, place, graceMs);
        await killContainer(this.#cgroups, place);
        await this.#look(keyOf(instance));
      }),
    );
  }

  /** Every run of the project from its directories; those that run are watched from now on. */
  async #adopt(projectId: string): Promise<Instance[]> {
    const names = await directoryNames(projectPlace(this.#options.dataDirectory, projectId).runs);
    const instances: Instance[] = [];
    for (const name of names.filter((each) => each.startsWith("run-"))) {
      const place = this.#place(projectId, name);
      const record = await findRunRecord(place.run);
      if (record === undefined || this.#starting.has(keyOf(record))) continue;
      const tracked = this.#tracked.get(keyOf(record)) ?? this.#track(record, place);
      await this.#look(keyOf(record));
      instances.push({ ...tracked.instance });
    }
    return instances;
  }

  #track(record: RunRecord, place: ContainerPlace): Tracked {
    const { projectId, runNumber, versionNumber, startedAt, bootId } = record;
    const key = keyOf(record);
    const exit = bootId === this.#bootId ? null : { code: 137, isOutOfMemory: false, at: new Date(startedAt), cause: "vanished" as const };
    const tracked: Tracked = {
      instance: { projectId, runNumber, versionNumber, startedAt: new Date(startedAt), exit },
      place,
      watch: exit === null ? watchDirectory(place.run, lookEveryMs, () => this.#look(key)) : null,
    };
    this.#tracked.set(key, tracked);
    return tracked;
  }

  /** Notices the end of a run, once. */
  async #look(key: string): Promise<void> {
    const tracked = this.#tracked.get(key);
    if (tracked === undefined || tracked.instance.exit !== null) return;
    const end = await findContainerEnd(this.#cgroups, tracked.place, () => this.#options.clock.now()).catch((error: unknown) => {
      this.#options.logger.error({ err: error, run: key }, "a run could not be looked at");
      return undefined;
    });
    if (end === undefined || tracked.instance.exit !== null || this.#tracked.get(key) !== tracked) return;
    tracked.instance.exit = end;
    tracked.watch?.close();
    for (const listener of this.#listeners) this.#tell(listener, tracked.instance);
  }

  #tell(listener: (ended: Instance) => void, instance: Instance): void {
    try {
      listener({ ...instance });
    } catch (error) {
      this.#options.logger.error({ err: error, run: keyOf(instance) }, "the end of a run could not be taken note of");
    }
  }

  #untrack(place: ContainerPlace): void {
    this.#tracked.get(place.group)?.watch?.close();
    this.#tracked.delete(place.group);
  }

  async #discard(place: ContainerPlace): Promise<void> {
    this.#untrack(place);
    await killContainer(this.#cgroups, place);
    await removeContainer(this.#cgroups, place);
  }

  async #sweep(): Promise<void> {
    const { dataDirectory } = this.#options;
    await mkdir(join(dataDirectory, "runs"), { recursive: true });
    for (const projectId of await directoryNames(join(dataDirectory, "runs"))) {
      for (const name of await directoryNames(projectPlace(dataDirectory, projectId).runs)) {
        const place = this.#place(projectId, name);
        const isOver = name.startsWith("install-") || endedName(name) !== undefined;
        if (isOver || (await this.#isHalfMade(place))) await this.#discard(place);
      }
    }
  }

  async #isHalfMade(place: ContainerPlace): Promise<boolean> {
    if ((await findRunRecord(place.run)) === undefined) return true;
    if (await isStarted(place.run)) return false;
    return !(await this.#cgroups.isPopulated(place.shimGroup));
  }

  /** Of a directory name in the project's runs. */
  #place(projectId: string, name: string): ContainerPlace {
    const ended = endedName(name);
    const place = containerPlace(this.#options.dataDirectory, projectId, ended ?? name);
    return ended === undefined ? place : endedPlace(place);
  }
}

function runName(runNumber: number): string {
  return `run-${runNumber}`;
}

/** Equal to the run's group. */
function keyOf({ projectId, runNumber }: { projectId: string; runNumber: number }): string {
  return `${projectId}/${runName(runNumber)}`;
}

async function isDirectory(path: string): Promise<boolean> {
  return stat(path).then(
    (found) => found.isDirectory(),
    () => false,
  );
}
