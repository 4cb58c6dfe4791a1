/**
 * Uses the v1 controllers, each in a hierarchy of its own, with the empty unified hierarchy beside them for
 * membership and killing.
 */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  cpuPeriodUs,
  depthMax,
  descendantsMax,
  type CgroupLimits,
  type Cgroups,
  type CgroupUsage,
  type GroupFigures,
  type IoLimits,
} from "./cgroup.ts";
import { childNames, isTreePopulated, killTree, makeGroup, removeTree, treePids } from "./cgroup-tree.ts";
import { KeptFigures } from "./kept-figures.ts";

/** Mount points by controller. */
export interface V1Mounts {
  unified: string;
  memory: string;
  pids: string;
  cpu: string;
  cpuacct: string;
  /** Mount point; null: the disks cannot be limited. */
  blkio: string | null;
  /** The hierarchy `name=systemd`, where there is one: nspawn makes groups in it. */
  systemd: string | null;
}

export class CgroupsV1 implements Cgroups {
  readonly version = "v1";
  readonly #mounts: V1Mounts;
  readonly #name: string;
  /** Hierarchies, the unified one first: its membership decides. */
  readonly #hierarchies: string[];

  constructor(mounts: V1Mounts, name: string) {
    this.#mounts = mounts;
    this.#name = name;
    const { unified, memory, pids, cpu, cpuacct, blkio, systemd } = mounts;
    this.#hierarchies = [
      ...new Set([
        unified,
        memory,
        pids,
        cpu,
        cpuacct,
        ...[blkio, systemd].filter((mount) => mount !== null),
      ]),
    ];
  }

  async create(group: string, limits: CgroupLimits | null): Promise<void> {
    await Promise.all(this.#hierarchies.map((mount) => makeGroup(this.#in(mount, group))));
    const { memoryBytes, cpuPercent, cpuWeight, pids, io } = limits ?? {};
    const memory = this.#in(this.#mounts.memory, group);
    const cpu = this.#in(this.#mounts.cpu, group);
    if (memoryBytes !== undefined) {
      await writeFile(join(memory, "memory.limit_in_bytes"), String(memoryBytes));
      await ifSwapAccounted(join(memory, "memory.memsw.limit_in_bytes"), String(memoryBytes));
    }
    if (cpuWeight !== undefined)
      await writeFile(join(cpu, "cpu.shares"), String(Math.max(2, Math.round((cpuWeight * 1024) / 100))));
    if (cpuPercent !== undefined) {
      await writeFile(join(cpu, "cpu.cfs_period_us"), String(cpuPeriodUs));
      const quota = cpuPercent === null ? -1 : Math.round((cpuPercent / 100) * cpuPeriodUs);
      await writeFile(join(cpu, "cpu.cfs_quota_us"), String(quota));
    }
    if (io != null) await this.#limitIo(group, io);
    if (pids !== undefined) await this.#limitCounts(group, pids);
  }

  async #limitCounts(group: string, pids: number): Promise<void> {
    const unified = this.#in(this.#mounts.unified, group);
    await writeFile(join(this.#in(this.#mounts.pids, group), "pids.max"), String(pids));
    await writeFile(join(unified, "cgroup.max.descendants"), String(descendantsMax));
    await writeFile(join(unified, "cgroup.max.depth"), String(depthMax));
  }

  /**
   * Sets limits for reading and for direct writing. What is written through the page cache is written later
   * by the kernel, and counts for no group.
   */
  async #limitIo(
    group: string,
    { devices, bytesPerSecond: bps, operationsPerSecond: iops }: IoLimits,
  ): Promise<void> {
    const { blkio } = this.#mounts;
    if (blkio === null) return;
    const ceilings = { read_bps: bps, write_bps: bps, read_iops: iops, write_iops: iops };
    for (const device of devices) {
      for (const [name, value] of Object.entries(ceilings)) {
        await writeFile(join(this.#in(blkio, group), `blkio.throttle.${name}_device`), `${device} ${value}`);
      }
    }
  }

  joinFiles(group: string): string[] {
    return this.#hierarchies.map((mount) => join(this.#in(mount, group), "cgroup.procs"));
  }

  killFile(group: string): string {
    return join(this.#in(this.#mounts.unified, group), "cgroup.kill");
  }

  payloadLimits(): { file: string; value: string }[] {
    return [];
  }

  isPopulated(group: string): Promise<boolean> {
    return isTreePopulated(this.#in(this.#mounts.unified, group));
  }

  pids(group: string): Promise<number[]> {
    return treePids(this.#in(this.#mounts.unified, group));
  }

  kill(group: string, deadlineMs = 10_000): Promise<void> {
    return killTree(this.#in(this.#mounts.unified, group), deadlineMs);
  }

  async remove(group: string): Promise<void> {
    for (const mount of this.#hierarchies) await removeTree(this.#in(mount, group));
  }

  async usage(group: string): Promise<CgroupUsage> {
    using figures = this.figures(group);
    return figures.usage();
  }

  figures(group: string, whole: string = group): GroupFigures {
    const { unified, memory, cpuacct } = this.#mounts;
    return new KeptFigures(
      {
        events: join(this.#in(unified, group), "cgroup.events"),
        memory: join(this.#in(memory, group), "memory.usage_in_bytes"),
        memoryDetails: join(this.#in(memory, group), "memory.stat"),
        reclaimable: "total_inactive_file",
        cpu: join(this.#in(cpuacct, whole), "cpuacct.usage"),
        oom: join(this.#in(memory, group), "memory.oom_control"),
      },
      (nanoseconds) => Math.round(Number(nanoseconds) / 1000),
    );
  }

  children(group: string): Promise<string[]> {
    return childNames(this.#in(this.#mounts.unified, group));
  }

  #in(mount: string, group: string): string {
    return join(mount, this.#name, group);
  }
}

async function ifSwapAccounted(file: string, value: string): Promise<void> {
  try {
    await writeFile(file, value, { flag: "r+" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES")))
      throw error;
  }
}
