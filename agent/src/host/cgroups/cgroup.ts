/**
 * Defines one interface over the kernel's cgroup hierarchies: v2, v1 with an empty v2 beside it, and v2 below
 * a unit of systemd.
 */

/**
 * The groups of one agent, named by path below its own root (`<projectId>/run-3`).
 * Groups are the identity of a run: membership comes from the kernel and cannot be confused by a reused pid.
 */
export interface Cgroups {
  readonly version: "v1" | "v2";
  /**
   * Makes the group and its parent. Limits hold for all in it and below it together; what is not given has
   * none.
   */
  create(group: string, limits: CgroupLimits | null): Promise<void>;
  /** Returns the files into each of which a process writes `0` to become a member. */
  joinFiles(group: string): string[];
  /** Returns the file to which writing `1` kills all processes in the group. */
  killFile(group: string): string;
  /**
   * Returns what to write into which file so that a program inside sees its own limit, once nspawn has made
   * its subgroup `payload`. Empty where the hierarchy cannot show it.
   */
  payloadLimits(group: string, memoryBytes: number): { file: string; value: string }[];
  /** True when a process is in the group or below it. False when there is no such group. */
  isPopulated(group: string): Promise<boolean>;
  /** Returns the pids in the group and below it, in the agent's pid namespace. */
  pids(group: string): Promise<number[]>;
  /** Kills all processes in the group and waits until it is empty. Throws at the deadline. */
  kill(group: string, deadlineMs?: number): Promise<void>;
  /** Removes the empty group with what is below it. Does nothing when there is no such group. */
  remove(group: string): Promise<void>;
  usage(group: string): Promise<CgroupUsage>;
  /**
   * Opens the figures of a group for repeated reading. The group need not exist yet, and may come back.
   * Memory is the group's own, as its limit is. Processor time is that of `whole`, a group around it.
   * Default: its own.
   */
  figures(group: string, whole?: string): GroupFigures;
  /** Returns the names of the groups directly below `group`. */
  children(group: string): Promise<string[]>;
}

export interface CgroupLimits {
  memoryBytes?: number;
  /** 100 = one core; null = no ceiling. */
  cpuPercent?: number | null;
  /**
   * 1 to 10,000; 100 is the default of every group. Also the weight of the group's part in disks that are
   * busy.
   */
  cpuWeight?: number;
  /** Processes and threads. Where they are limited, so are the groups that can be made below. */
  pids?: number;
  /** Ceilings: null = none. */
  io?: IoLimits | null;
}

/**
 * Limits that hold for each of the devices alone. Reading and writing have the same ceilings and do not share
 * them.
 */
export interface IoLimits {
  /** `major:minor` of whole disks. */
  devices: readonly string[];
  bytesPerSecond: number;
  operationsPerSecond: number;
}

/**
 * Current figures that the kernel reports for one group. Keeps up to five files open from the first read
 * until it is closed.
 */
export interface GroupFigures extends Disposable {
  /** See {@link Cgroups.isPopulated}. */
  isPopulated(): boolean;
  /** Returns the usage; all zero when there is no such group. */
  usage(): CgroupUsage;
}

/** Cumulative, except `memoryBytes`. */
export interface CgroupUsage {
  /** Memory in use without the page cache that the kernel takes back first, as `docker stats` counts it. */
  memoryBytes: number;
  cpuUsec: number;
  oomKills: number;
}

/** The cpu ceilings are accounted over this period. */
export const cpuPeriodUs = 100_000;
/** Groups that a container can make below its own (nspawn itself needs two). */
export const descendantsMax = 20;
/** Levels of groups that a project may nest below its own (`cgroup.max.depth`). */
export const depthMax = 5;
