/**
 * Simulates the runtime for tests of everything above it: containers are objects in memory, their programs
 * are scripts (`simulated-program.ts`).
 */

import { appendFile, mkdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { KeyedQueue } from "@tijolo/protocol/kit";
import {
  StartError,
  type ContainerLimits,
  type Enforcement,
  type InstallOutcome,
  type InstallRequest,
  type Instance,
  type InstanceExit,
  type LimitsInEffect,
  type Runtime,
  type StartRequest,
  type StopOptions,
  type UsageCounters,
} from "./runtime.ts";
import type { SiteHealth } from "../diagnosis/ask-health.ts";
import type { Listener } from "../diagnosis/listeners.ts";
import { SimulatedImages } from "../images/simulated-images.ts";
import { streamName } from "../logs/writer/log-files.ts";
import { SimulatedContainer } from "./simulated-container.ts";
import { SimulatedLog } from "./simulated-log.ts";

interface SimulatedRun {
  instance: Instance;
  container: SimulatedContainer;
  limits: ContainerLimits;
}

/**
 * Holds what outlives an agent: the containers of one host. It is handed to each {@link SimulatedRuntime}
 * that stands for an agent on it.
 */
export class SimulatedMachine {
  readonly runs = new Map<string, SimulatedRun>();
  readonly queue = new KeyedQueue();
  /** Called with exits: the callback of the agent that runs. */
  onEnd: ((instance: Instance) => void) | null = null;
  /** Images on the simulated machine's disk. */
  readonly images = new SimulatedImages();
  /** Projects whose disk cannot be opened. */
  readonly damagedDisks = new Set<string>();
  /** Sites whose program listens on no port. */
  readonly silentSites = new Set<string>();
  /** Status that each site answers with for its health path. Default: 200. */
  readonly healthStatus = new Map<string, number>();
  /** The path that each site was asked for last, to know that it is ready. */
  readonly healthAsked = new Map<string, SiteHealth>();
  /** Number of starts of each project. */
  readonly startCounts = new Map<string, number>();
  /**
   * Variables that the newest install step and the newest run of each project were given, by `install <id>`
   * and `run <id>`.
   */
  readonly environments = new Map<string, Record<string, string>>();
  readonly #gates = new Map<string, PromiseWithResolvers<void>>();
  readonly #holds = new Map<string, Hold>();

  /** Holds up starts and stops of the project until it is disposed of. */
  hold(projectId: string): Disposable & { reached: Promise<void> } {
    const hold = { reached: Promise.withResolvers<void>(), ended: Promise.withResolvers<void>() };
    this.#holds.set(projectId, hold);
    return {
      reached: hold.reached.promise,
      [Symbol.dispose]: () => {
        this.#holds.delete(projectId);
        hold.ended.resolve();
      },
    };
  }

  async passHold(projectId: string): Promise<void> {
    const hold = this.#holds.get(projectId);
    hold?.reached.resolve();
    await hold?.ended.promise;
  }

  /** Returns the gate that the project's programs wait for in their step `gate`. */
  gate(projectId: string): PromiseWithResolvers<void> {
    const gate = this.#gates.get(projectId) ?? Promise.withResolvers<void>();
    this.#gates.set(projectId, gate);
    return gate;
  }

  /** Opens the gate for all who wait now or later. */
  openGate(projectId: string): void {
    this.gate(projectId).resolve();
  }

  /** Returns what the program of the project's newest run listens on. */
  listeners(projectId: string): Listener[] {
    const port = Number(this.environments.get(`run ${projectId}`)?.["PORT"] ?? NaN);
    const newest = [...this.runs.values()].findLast(({ instance }) => instance.projectId === projectId);
    if (this.silentSites.has(projectId) || newest === undefined) return [];
    const listens = newest.instance.exit === null && newest.container.listens;
    return listens && !Number.isNaN(port) ? [{ on: "any", port }] : [];
  }

  /** Switches the machine off and on: every container is gone, and is reported as vanished. */
  reboot(): void {
    for (const run of this.runs.values()) {
      if (run.instance.exit !== null) continue;
      run.instance.exit = { code: 137, isOutOfMemory: false, at: run.instance.startedAt, cause: "vanished" };
      run.container.kill();
    }
  }

  /** Kills all of one project from outside, its supervisor included. */
  kill(projectId: string, now: Date): void {
    for (const run of this.runs.values()) {
      if (run.instance.projectId !== projectId || run.instance.exit !== null) continue;
      run.instance.exit = { code: 137, isOutOfMemory: false, at: now, cause: "killed" };
      run.container.kill();
      this.onEnd?.({ ...run.instance });
    }
  }
}

interface Hold {
  /** Resolves when a start or stop of the project waits. */
  reached: PromiseWithResolvers<void>;
  ended: PromiseWithResolvers<void>;
}

export interface SimulatedRuntimeOptions {
  dataDirectory: string;
  machine: SimulatedMachine;
  clock: { now(): Date };
}

export class SimulatedRuntime implements Runtime {
  readonly name = "simulated";
  readonly canRunBeside = true;
  readonly #options: SimulatedRuntimeOptions;
  readonly #log: SimulatedLog;
  readonly #listeners: ((ended: Instance) => void)[] = [];
  readonly #tell = (instance: Instance) => {
    for (const listener of this.#listeners) listener(instance);
  };

  constructor(options: SimulatedRuntimeOptions) {
    this.#options = options;
    this.#log = new SimulatedLog(options.clock);
    options.machine.onEnd = this.#tell;
  }

  install(request: InstallRequest, signal: AbortSignal): Promise<InstallOutcome> {
    return this.#options.machine.queue.run(request.projectId, async () => {
      signal.throwIfAborted();
      this.#options.machine.environments.set(`install ${request.projectId}`, request.environment);
      const container = this.#container(request, "succeed");
      let isLate = false;
      const timer = setTimeout(() => {
        isLate = true;
        container.kill();
      }, request.timeoutMs);
      const onAbort = () => container.kill();
      signal.addEventListener("abort", onAbort, { once: true });
      const end = await container.ended;
      clearTimeout(timer);
      signal.removeEventListener("abort", onAbort);
      signal.throwIfAborted();
      if (isLate) return { status: "failed", code: "install_timeout", exitCode: null };
      if (end.code !== 0)
        return {
          status: "failed",
          code: end.isOutOfMemory ? "install_out_of_memory" : "install_failed",
          exitCode: end.code,
        };
      await mkdir(request.resultDirectory, { recursive: true });
      await appendFile(join(request.resultDirectory, "simulated-install"), `${request.command}\n`);
      return { status: "installed" };
    });
  }

  start(request: StartRequest): Promise<Instance> {
    const { machine, clock } = this.#options;
    return machine.queue.run(request.projectId, async () => {
      await machine.passHold(request.projectId);
      for (const { instance } of this.#runsOf(request.projectId)) {
        if (instance.runNumber === request.runNumber) return { ...instance };
        if (instance.exit === null && request.isBeside !== true)
          throw new StartError(`run ${instance.runNumber} of the project is still there`);
      }
      const { projectId, runNumber, versionNumber } = request;
      const instance: Instance = { projectId, runNumber, versionNumber, startedAt: clock.now(), exit: null };
      const container = this.#container(request, "run");
      machine.runs.set(keyOf(instance), { instance, container, limits: request.limits });
      machine.environments.set(`run ${projectId}`, request.environment);
      machine.startCounts.set(projectId, (machine.startCounts.get(projectId) ?? 0) + 1);
      void container.ended.then(({ code, isOutOfMemory }) => {
        if (instance.exit !== null) return;
        const exit: InstanceExit = { code, isOutOfMemory, at: clock.now(), cause: "exited" };
        instance.exit = exit;
        machine.onEnd?.({ ...instance });
      });
      return { ...instance };
    });
  }

  stop(projectId: string, { graceMs, runNumber }: StopOptions): Promise<void> {
    return this.#options.machine.queue.run(projectId, async () => {
      await this.#options.machine.passHold(projectId);
      for (const { instance, container } of this.#runsOf(projectId)) {
        if (instance.exit !== null || (runNumber ?? instance.runNumber) !== instance.runNumber) continue;
        container.terminate();
        const timer = setTimeout(() => container.kill(), graceMs);
        await container.ended;
        clearTimeout(timer);
      }
    });
  }

  async instances(): Promise<Instance[]> {
    return [...this.#options.machine.runs.values()].map(({ instance }) => ({ ...instance }));
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#listeners.push(listener);
  }

  async forget(instance: Instance): Promise<void> {
    this.#options.machine.runs.delete(keyOf(instance));
  }

  /** Returns invented figures that grow: 20 MB, and 10 ms of CPU for each second of running. */
  async usage(): Promise<Map<string, UsageCounters>> {
    const nowMs = this.#options.clock.now().getTime();
    const running = [...this.#options.machine.runs.values()].filter(({ instance }) => instance.exit === null);
    return new Map(
      running.map(({ instance }): [string, UsageCounters] => {
        const cpuUsec = Math.max(0, nowMs - instance.startedAt.getTime()) * 10;
        return [
          instance.projectId,
          { runNumber: instance.runNumber, memoryBytes: 20_000_000, cpuUsec, oomKills: 0 },
        ];
      }),
    );
  }

  async enforcement(): Promise<Enforcement> {
    return { cgroups: null, io: "none" };
  }

  /** Returns the limits as they were requested. */
  async limits(): Promise<Map<string, LimitsInEffect>> {
    const running = [...this.#options.machine.runs.values()].filter(({ instance }) => instance.exit === null);
    return new Map(
      running.map(({ instance, limits: { io: _noDevices, ...limits } }): [string, LimitsInEffect] => [
        instance.projectId,
        { limits: { ...limits, openFiles: null, io: null }, pids: 1 },
      ]),
    );
  }

  async remove(projectId: string): Promise<void> {
    await this.stop(projectId, { graceMs: 0 });
    for (const { instance } of this.#runsOf(projectId)) await this.forget(instance);
    await rm(join(this.#options.dataDirectory, "projects", projectId), { recursive: true, force: true });
  }

  async close(): Promise<void> {
    const { machine } = this.#options;
    if (machine.onEnd === this.#tell) machine.onEnd = null;
  }

  #runsOf(projectId: string): SimulatedRun[] {
    return [...this.#options.machine.runs.values()].filter(
      ({ instance }) => instance.projectId === projectId,
    );
  }

  #container(request: InstallRequest | StartRequest, atLast: "run" | "succeed"): SimulatedContainer {
    const write = (stream: "stdout" | "stderr", text: string) =>
      this.#log.append(join(request.logDirectory, streamName(stream, request.logSet ?? "first")), text);
    try {
      const gate = this.#options.machine.gate(request.projectId).promise;
      return new SimulatedContainer({ command: request.command, atLast, gate, write });
    } catch (cause) {
      throw new StartError(cause instanceof Error ? cause.message : String(cause), { cause });
    }
  }
}

function keyOf({ projectId, runNumber }: { projectId: string; runNumber: number }): string {
  return `${projectId}/${runNumber}`;
}
