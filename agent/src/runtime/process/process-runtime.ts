/**
 * Runs projects as plain processes of the agent's own user, for development on a machine without root or
 * Linux containers.
 *
 * There is NO isolation: a project can read and change whatever that user can, its memory, CPU, processes and
 * disk have no limit, and all projects share the machine's network. Files of a run:
 * - `<data>/projects/<id>/disk/app` is /app itself: the version's layers copied, and what the project wrote
 *   (see `lay-files.ts`);
 * - `<data>/projects/<id>/disk/home` HOME;
 * - `<data>/runs/<id>/run-<n>` and `install-<n>` see `supervise.pl`.
 */

import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Logger } from "pino";
import type { OwnerMessage } from "@tijolo/protocol";
import { KeyedQueue } from "@tijolo/protocol/kit";
import { removeTree } from "../../host/files/trees.ts";
import { directoryNames, findRunRecord, isStarted, type RunRecord } from "../run-record.ts";
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
import { killCommand, removeRun, terminateCommand } from "./command-run.ts";
import { launchRun } from "./launch-run.ts";
import type { LocalPorts } from "./local-ports.ts";
import { findMissingLanguage } from "./own-environment.ts";
import { runInstallCommand } from "./install-command.ts";
import { TrackedCommands } from "./tracked-commands.ts";

export interface ProcessRuntimeOptions {
  dataDirectory: string;
  /** Id that distinguishes this boot of the machine from others; see `host/boot-id.ts`. */
  bootId: string;
  /** PATH with the languages of this machine. */
  hostPath: string;
  ports: LocalPorts;
  /** Writes a line of the agent in the log of the project. */
  say: (projectId: string, section: "install" | "app", message: OwnerMessage) => Promise<void>;
  logger: Pick<Logger, "warn" | "error">;
  clock: { now(): Date };
}

export class ProcessRuntime implements Runtime {
  readonly name = "process";
  readonly canRunBeside = false;
  readonly #options: ProcessRuntimeOptions;
  readonly #queue = new KeyedQueue();
  readonly #runs: TrackedCommands;
  /** Runs that are being started, whose state cannot be judged yet. */
  readonly #starting = new Set<string>();

  private constructor(options: ProcessRuntimeOptions) {
    this.#options = options;
    this.#runs = new TrackedCommands(options);
  }

  /**
   * Opens the runtime on the existing files, and ends what an earlier agent left unfinished (install steps,
   * half-made starts).
   */
  static async create(options: ProcessRuntimeOptions): Promise<ProcessRuntime> {
    const runtime = new ProcessRuntime(options);
    await mkdir(join(options.dataDirectory, "runs"), { recursive: true });
    await runtime.#sweep();
    return runtime;
  }

  install(request: InstallRequest, signal: AbortSignal): Promise<InstallOutcome> {
    const { projectId, versionNumber } = request;
    const { hostPath, say, clock, bootId } = this.#options;
    return this.#queue.run(`${projectId} install`, async () => {
      const run = join(this.#runsOf(projectId), `install-${versionNumber}`);
      const missing = await findMissingLanguage(request.language, hostPath);
      if (missing !== undefined) {
        await say(projectId, "install", missing);
        return { status: "failed", code: "install_failed", exitCode: 127 };
      }
      const home = await this.#home(projectId);
      const runsIn = join(this.#disk(projectId), "app");
      return runInstallCommand(
        { request, run, runsIn, home, hostPath, bootId, now: () => clock.now() },
        signal,
      );
    });
  }

  start(request: StartRequest): Promise<Instance> {
    return this.#queue.run(request.projectId, () => this.#start(request));
  }

  stop(projectId: string, options: StopOptions): Promise<void> {
    return this.#queue.run(projectId, () => this.#stop(projectId, options));
  }

  async instances(): Promise<Instance[]> {
    const projectIds = await directoryNames(join(this.#options.dataDirectory, "runs"));
    return (await Promise.all(projectIds.map((id) => this.#adopt(id)))).flat();
  }

  onExit(listener: (ended: Instance) => void): void {
    this.#runs.onExit(listener);
  }

  forget({ projectId, runNumber }: Instance): Promise<void> {
    return this.#queue.run(projectId, () => this.#discard(projectId, runName(runNumber)));
  }

  usage(): Promise<Map<string, UsageCounters>> {
    return this.#runs.usage();
  }

  async enforcement(): Promise<Enforcement> {
    return { cgroups: null, io: "none" };
  }

  async limits(): Promise<Map<string, LimitsInEffect>> {
    return new Map();
  }

  remove(projectId: string): Promise<void> {
    return this.#queue.run(projectId, async () => {
      for (const name of await directoryNames(this.#runsOf(projectId))) await this.#discard(projectId, name);
      for (const directory of [this.#project(projectId), this.#runsOf(projectId)])
        await removeTree(directory);
    });
  }

  async close(): Promise<void> {
    this.#runs.close();
  }

  async #start(request: StartRequest): Promise<Instance> {
    const { projectId, runNumber, versionNumber, language } = request;
    const { hostPath, bootId, clock, ports, say } = this.#options;
    for (const instance of await this.#adopt(projectId)) {
      if (instance.runNumber === runNumber) return instance;
      if (instance.exit === null)
        throw new StartError(`run ${instance.runNumber} of the project is still there`);
    }
    const missing = await findMissingLanguage(language, hostPath);
    if (missing !== undefined) throw new StartError(`the machine has no ${language}`, { forOwner: missing });
    const name = runName(runNumber);
    const run = join(this.#runsOf(projectId), name);
    const record: RunRecord = {
      projectId,
      runNumber,
      versionNumber,
      name,
      bootId,
      startedAt: clock.now().toISOString(),
    };
    this.#starting.add(keyOf(request));
    try {
      const home = await this.#home(projectId);
      await launchRun(run, { request, record, home, disk: this.#disk(projectId), hostPath, ports, say });
    } catch (cause) {
      await this.#discard(projectId, name);
      if (cause instanceof StartError) throw cause;
      throw new StartError(`the command could not be prepared: ${String(cause)}`, { cause });
    } finally {
      this.#starting.delete(keyOf(request));
    }
    const started = { ...this.#runs.track(record, run) };
    // It may have ended before it was watched.
    setImmediate(() => void this.#runs.look(record));
    return started;
  }

  async #stop(projectId: string, { graceMs, runNumber }: StopOptions): Promise<void> {
    const running = (await this.#adopt(projectId)).filter(({ exit }) => exit === null);
    for (const instance of running) {
      if ((runNumber ?? instance.runNumber) !== instance.runNumber) continue;
      const run = join(this.#runsOf(projectId), runName(instance.runNumber));
      await terminateCommand(run, graceMs);
      await killCommand(run);
      await this.#runs.look(instance);
    }
  }

  /** Finds every run of the project by its directories; those that run are watched from now on. */
  async #adopt(projectId: string): Promise<Instance[]> {
    const instances: Instance[] = [];
    for (const name of await directoryNames(this.#runsOf(projectId))) {
      if (!name.startsWith("run-")) continue;
      const run = join(this.#runsOf(projectId), name);
      const record = await findRunRecord(run);
      if (record === undefined || this.#starting.has(keyOf(record))) continue;
      const instance = this.#runs.track(record, run);
      await this.#runs.look(record);
      instances.push({ ...instance });
    }
    return instances;
  }

  /** Kills what is left of a run of this boot, and removes its directory. */
  async #discard(projectId: string, name: string): Promise<void> {
    const run = join(this.#runsOf(projectId), name);
    const record = await findRunRecord(run);
    if (record !== undefined) this.#runs.untrack(record);
    // Under another boot the pids are of other processes.
    if (record === undefined || record.bootId === this.#options.bootId) await killCommand(run);
    await removeRun(run);
  }

  async #sweep(): Promise<void> {
    for (const projectId of await directoryNames(join(this.#options.dataDirectory, "runs"))) {
      for (const name of await directoryNames(this.#runsOf(projectId))) {
        const run = join(this.#runsOf(projectId), name);
        const isHalfMade = (await findRunRecord(run)) === undefined || !(await isStarted(run));
        if (name.startsWith("install-") || isHalfMade) await this.#discard(projectId, name);
      }
    }
  }

  async #home(projectId: string): Promise<string> {
    const home = join(this.#disk(projectId), "home");
    await mkdir(home, { recursive: true });
    return home;
  }

  #disk(projectId: string): string {
    return join(this.#project(projectId), "disk");
  }

  #project(projectId: string): string {
    return join(this.#options.dataDirectory, "projects", projectId);
  }

  #runsOf(projectId: string): string {
    return join(this.#options.dataDirectory, "runs", projectId);
  }
}

function runName(runNumber: number): string {
  return `run-${runNumber}`;
}

function keyOf({ projectId, runNumber }: { projectId: string; runNumber: number }): string {
  return `${projectId}/${runNumber}`;
}
