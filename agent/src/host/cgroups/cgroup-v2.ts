/** Uses the unified hierarchy directly, below a directory that is the agent's own. */

import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import {
  cpuPeriodUs,
  depthMax,
  descendantsMax,
  type CgroupLimits,
  type Cgroups,
  type CgroupUsage,
  type GroupFigures,
} from "./cgroup.ts";
import {
  childNames,
  field,
  isTreePopulated,
  killTree,
  makeGroup,
  removeTree,
  treePids,
} from "./cgroup-tree.ts";
import { KeptFigures } from "./kept-figures.ts";

const controllers = ["memory", "cpu", "pids"] as const;

export class CgroupsV2 implements Cgroups {
  readonly version = "v2";
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /**
   * `root` is a directory in which no process is, or which does not exist yet; its parents hand down the
   * controllers.
   */
  static async create(root: string): Promise<CgroupsV2> {
    await makeGroup(root);
    await enableControllers(root);
    return new CgroupsV2(root);
  }

  async create(group: string, limits: CgroupLimits | null): Promise<void> {
    const directory = this.#directory(group);
    const parent = dirname(directory);
    if (parent !== this.#root) {
      await makeGroup(parent);
      await enableControllers(parent);
    }
    await makeGroup(directory);
    const { memoryBytes, cpuPercent, cpuWeight, pids } = limits ?? {};
    if (memoryBytes !== undefined) {
      await writeFile(join(directory, "memory.max"), String(memoryBytes));
      await ifPresent(join(directory, "memory.swap.max"), "0"); // absent in a kernel without swap accounting
    }
    if (cpuWeight !== undefined) await writeFile(join(directory, "cpu.weight"), String(cpuWeight));
    if (cpuPercent !== undefined)
      await writeFile(join(directory, "cpu.max"), `${cpuQuota(cpuPercent)} ${cpuPeriodUs}`);
    await this.#limitIo(directory, limits ?? {});
    // A file that an earlier run wrote counts as its parent's once that run's group is gone, until the kernel
    // notices who writes it now.
    if (parent !== this.#root) await this.#limitIo(parent, limits ?? {});
    if (pids !== undefined) {
      await writeFile(join(directory, "pids.max"), String(pids));
      await writeFile(join(directory, "cgroup.max.descendants"), String(descendantsMax));
      await writeFile(join(directory, "cgroup.max.depth"), String(depthMax));
    }
  }

  joinFiles(group: string): string[] {
    return [join(this.#directory(group), "cgroup.procs")];
  }

  killFile(group: string): string {
    return join(this.#directory(group), "cgroup.kill");
  }

  payloadLimits(group: string, memoryBytes: number): { file: string; value: string }[] {
    return [{ file: join(this.#directory(group), "payload", "memory.max"), value: String(memoryBytes) }];
  }

  isPopulated(group: string): Promise<boolean> {
    return isTreePopulated(this.#directory(group));
  }

  pids(group: string): Promise<number[]> {
    return treePids(this.#directory(group));
  }

  kill(group: string, deadlineMs = 10_000): Promise<void> {
    return killTree(this.#directory(group), deadlineMs);
  }

  remove(group: string): Promise<void> {
    return removeTree(this.#directory(group));
  }

  async usage(group: string): Promise<CgroupUsage> {
    using figures = this.figures(group);
    return figures.usage();
  }

  figures(group: string, whole: string = group): GroupFigures {
    const directory = this.#directory(group);
    return new KeptFigures(
      {
        events: join(directory, "cgroup.events"),
        memory: join(directory, "memory.current"),
        memoryDetails: join(directory, "memory.stat"),
        reclaimable: "inactive_file",
        cpu: join(this.#directory(whole), "cpu.stat"),
        oom: join(directory, "memory.events"),
      },
      (text) => field(text, "usage_usec"),
    );
  }

  children(group: string): Promise<string[]> {
    return childNames(this.#directory(group));
  }

  /**
   * The weight counts where the disk's scheduler is bfq or its cost is modelled; the ceilings hold for
   * buffered writes too.
   */
  async #limitIo(directory: string, { cpuWeight, io }: CgroupLimits): Promise<void> {
    if (cpuWeight !== undefined) {
      await ifPresent(join(directory, "io.weight"), `default ${cpuWeight}`);
      await ifPresent(join(directory, "io.bfq.weight"), `default ${Math.min(1000, cpuWeight)}`);
    }
    if (io == null) return;
    const { devices, bytesPerSecond: bps, operationsPerSecond: iops } = io;
    for (const device of devices) {
      await ifPresent(
        join(directory, "io.max"),
        `${device} rbps=${bps} wbps=${bps} riops=${iops} wiops=${iops}`,
      );
    }
  }

  #directory(group: string): string {
    return join(this.#root, group);
  }
}

/** Returns the ceiling in microseconds per period. */
function cpuQuota(cpuPercent: number | null): string {
  return cpuPercent === null ? "max" : String(Math.round((cpuPercent / 100) * cpuPeriodUs));
}

/** Enables the controllers for the groups below `directory`. */
export async function enableControllers(directory: string): Promise<void> {
  // Not every kernel has it, and not every parent hands it down.
  await writeFile(join(directory, "cgroup.subtree_control"), "+io").catch(() => {});
  await writeFile(join(directory, "cgroup.subtree_control"), controllers.map((name) => `+${name}`).join(" "));
}

async function ifPresent(file: string, value: string): Promise<void> {
  try {
    await writeFile(file, value, { flag: "r+" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES")))
      throw error;
  }
}
