/**
 * Defines what the agent needs of a thing that runs projects; implemented by `nspawn/` (real), `process/` (no
 * isolation, for development) and `simulated.ts` (fakes only the container).
 */

import type { HostMachine, Language, OwnerMessage, RunLimits } from "@tijolo/protocol";
import type { IoLimits } from "../host/cgroups/cgroup.ts";
import type { LogSet } from "../logs/writer/log-files.ts";

/**
 * Runs the install step and the instances of projects.
 *
 * Files on the host (`<data>` is the agent's data directory):
 * - `<data>/projects/<id>/versions/<n>/code` the files of one upload, owned 0:0, never written after
 *   extraction;
 * - `<data>/projects/<id>/versions/<n>/<step>` what a step of the install added, an overlay layer above
 *   `code`;
 * - `<data>/projects/<id>/disk/app` what the project itself wrote under /app (upper layer of every run),
 *   `disk/home` its HOME; of a run that keeps nothing, both lie in its scratch directory;
 * - `<data>/runs/<id>/<runNumber>` one run: request, fifos, pid, exit file.
 *
 * Every method is idempotent and has a deadline of its own. Nothing a project does can make one hang.
 */
export interface Runtime {
  readonly name: "nspawn" | "process" | "simulated";
  /** True where two runs of a project can go on at once. */
  readonly canRunBeside: boolean;

  /**
   * Runs one step of a version's install in a container of its own and keeps what it wrote under /app as the
   * layer `resultDirectory`. An earlier result there is thrown away first. Resolves with the outcome; rejects
   * only for faults of the host (the caller reports `install_interrupted`). Aborting `signal` kills the step
   * and rejects with the signal's reason, with nothing left over.
   */
  install(request: InstallRequest, signal: AbortSignal): Promise<InstallOutcome>;

  /**
   * Starts one instance and resolves once its process has been started (not: is ready). Refuses a second one
   * of the project unless `isBeside` is set.
   * Rejects with {@link StartError} when it cannot come up at all; then nothing is left over.
   */
  start(request: StartRequest): Promise<Instance>;

  /**
   * Sends SIGTERM, then after `graceMs` SIGKILL to all; resolves when no process of the project is left.
   * Without an instance, resolves at once. `runNumber`: stops that run alone.
   */
  stop(projectId: string, options: StopOptions): Promise<void>;

  /**
   * Returns every instance on this host, from the kernel and the run directories, not from memory: the
   * running ones, and those that ended and were not yet {@link forget forgotten} (also while the agent was
   * not running).
   */
  instances(): Promise<Instance[]>;

  /**
   * Calls back once for each instance that ends, until it is forgotten. Also fires for instances adopted by
   * {@link instances}.
   */
  onExit(listener: (ended: Instance) => void): void;

  /** Frees what an ended instance left (run directory, cgroup). Must be called after its exit is recorded. */
  forget(instance: Instance): Promise<void>;

  /** Returns the cumulative counters of each running instance, by project id; of two, the later one's. */
  usage(): Promise<Map<string, UsageCounters>>;

  /** Returns how limits of runs are enforced here. */
  enforcement(): Promise<Enforcement>;

  /**
   * Returns the limits that the kernel enforces on each running instance, by project id, which can differ
   * from those requested; of two, the later one's. Empty where nothing is limited.
   */
  limits(): Promise<Map<string, LimitsInEffect>>;

  /**
   * Stops the project and removes all its files (versions, disk, runs), also those that it made undeletable.
   */
  remove(projectId: string): Promise<void>;

  /** Releases watchers and timers. Leaves every container running. */
  close(): Promise<void>;
}

/** Settings of a container that the install step and a run have in common. */
export interface ContainerRequest {
  projectId: string;
  versionNumber: number;
  language: Language;
  /**
   * Directories of the read-only root file system, topmost layer first (from `images/`). Files in them are
   * owned 0-based.
   */
  imageLayers: string[];
  /** Layers of /app below what the project itself writes, topmost first. */
  appLayers: readonly AppLayer[];
  /** A network namespace of the project (from `network/`). */
  networkNamespace: string;
  /** The container's /etc/resolv.conf. */
  resolvConf: string;
  /** Files of the host that the container sees, absolute paths. */
  bindReadOnly: readonly { source: string; target: string }[];
  /** First uid and gid of the project's own range of 65,536. */
  uidBase: number;
  /** Host name that the process sees: the project's `internalHost`. */
  hostname: string;
  /** The environment of the process, complete. */
  environment: Record<string, string>;
  /** Text that the container's `/bin/sh -c` runs in /app. */
  command: string;
  /** Directory in which the log writer keeps this step's lines (see `logs/writer/log-files.ts`). */
  logDirectory: string;
  /** Set of the streams there that no other run writes to. Default: the first. */
  logSet?: LogSet;
  limits: ContainerLimits;
}

/** A directory that is read-only in containers. */
export interface AppLayer {
  directory: string;
  /**
   * Owner of the layer's files on the disk: the id that stands for the container's root (0, or the range that
   * a container made them with).
   */
  uidBase: number;
}

export interface ContainerLimits {
  memoryMb: number;
  /** 100 = one core; null = no ceiling. */
  cpuPercent: number | null;
  /**
   * Weight of the whole project against the others of the host; 100 is the kernel's default. The latest start
   * sets it.
   */
  cpuWeight: number;
  pids: number;
  /** Limits of the devices that the project's files and image lie on; absent: none. */
  io?: IoLimits;
}

export interface InstallRequest extends ContainerRequest {
  /**
   * Directory for the result, made by the step and owned by the project's ids; gone when the step fails. Lies
   * on the project's own disk.
   */
  resultDirectory: string;
  /** HOME of the step, on the project's own disk; default: the project's own. */
  homeDirectory?: string;
  timeoutMs: number;
}

export type InstallOutcome =
  | { status: "installed" }
  | {
      status: "failed";
      code: "install_failed" | "install_timeout" | "install_out_of_memory";
      exitCode: number | null;
      isDiskFull?: boolean;
    };

export interface StartRequest extends ContainerRequest {
  /** Number that grows with each start of the project on this host; names the run. */
  runNumber: number;
  /** True while an earlier run of the project goes on. Default: false. */
  isBeside?: boolean;
  /** True where what the run writes under /app and in its HOME goes with it. Default: it is kept. */
  keepsNothing?: boolean;
}

export interface StopOptions {
  graceMs: number;
  /** Default: every run of the project. */
  runNumber?: number;
}

/** One run of a project in a container. */
export interface Instance {
  projectId: string;
  runNumber: number;
  versionNumber: number;
  startedAt: Date;
  /** Exit of the run; null while it runs. */
  exit: InstanceExit | null;
}

export interface InstanceExit {
  /** Exit code; 128 + signal for a death by signal. */
  code: number;
  /**
   * True when the kernel killed a process of this run for memory (from the cgroup's counters, never from the
   * code).
   */
  isOutOfMemory: boolean;
  at: Date;
  /**
   * Cause of the end. `exited`: its process ended by itself or by a stop, the code is exact. `killed`:
   * everything was killed from outside, supervisor included. `vanished`: the host was restarted under it; not
   * a crash.
   */
  cause: "exited" | "killed" | "vanished";
}

/**
 * Cumulative since the instance started, except `memoryBytes`, which is the current value without the page
 * cache that the kernel takes back first.
 */
export interface UsageCounters {
  runNumber: number;
  memoryBytes: number;
  cpuUsec: number;
  /** Out-of-memory kills so far, in this run. */
  oomKills: number;
}

/** For `io` see `HostMachine` of the protocol. */
export type Enforcement = Pick<HostMachine, "cgroups" | "io">;

export interface LimitsInEffect {
  limits: RunLimits;
  /** Number of processes and threads now; null where they are not counted. */
  pids: number | null;
}

/**
 * Thrown when the start could not be made at all (image gone, mount refused, no such start file …). `message`
 * is for the operator's log.
 */
export class StartError extends Error {
  override name = "StartError";
  /** Message for the project's owner on what to do; null when the fault is the host's. */
  readonly forOwner: OwnerMessage | null;

  constructor(message: string, options: { forOwner?: OwnerMessage; cause?: unknown } = {}) {
    super(message, { cause: options.cause });
    this.forOwner = options.forOwner ?? null;
  }
}
