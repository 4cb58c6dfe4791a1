/** The unified hierarchy, used directly below a directory that is the agent's own. */

import { writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { cpuPeriodUs, descendantsMax, type CgroupLimits, type Cgroups, type CgroupUsage } from "./cgroup.ts";
import { childNames, field, isTreePopulated, killTree, makeGroup, readOrEmpty, removeTree, treePids } from "./cgroup-tree.ts";

const controllers = ["memory", "cpu", "pids"] as const;

export class CgroupsV2 implements Cgroups {
  readonly version = "v2";
  readonly #root: string;

  private constructor(root: string) {
    this.#root = root;
  }

  /** `root` is a directory in which no process is, or which does not exist yet; its parents hand down the controllers. */
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
    if (limits === null) return;
    await writeFile(join(directory, "memory.max"), String(limits.memoryBytes));
    await ifPresent(join(directory, "memory.swap.max"), "0"); // absent in a kernel without swap accounting
    await writeFile(join(directory, "pids.max"), String(limits.pids));
    await writeFile(join(directory, "cpu.weight"), String(limits.cpuWeight));
    await writeFile(join(directory, "cpu.max"), `${cpuQuota(limits.cpuPercent)} ${cpuPeriodUs}`);
    await writeFile(join(directory, "cgroup.max.descendants"), String(descendantsMax));
  }

  joinFiles(group: string): string[] {
    return [join(this.#directory(group), "cgroup.procs")];
  }

  killFile(group: string): string {
    return join(this.#directory(group), "cgroup.kill");
  }

  payloadLimits(group: string, limits: CgroupLimits): { file: string; value: string }[] {
    return [{ file: join(this.#directory(group), "payload", "memory.max"), value: String(limits.memoryBytes) }];
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
    const directory = this.#directory(group);
    const [memory, cpu, events] = await Promise.all(
      ["memory.current", "cpu.stat", "memory.events"].map((name) => readOrEmpty(join(directory, name))),
    );
    return {
      memoryBytes: Number(memory ?? 0),
      cpuUsec: field(cpu ?? "", "usage_usec"),
      oomKills: field(events ?? "", "oom_kill"),
    };
  }

  children(group: string): Promise<string[]> {
    return childNames(this.#directory(group));
  }

  #directory(group: string): string {
    return join(this.#root, group);
  }
}

/** The ceiling in microseconds per period. */
export function cpuQuota(cpuPercent: number | null): string {
  return cpuPercent === null ? "max" : String(Math.round((cpuPercent / 100) * cpuPeriodUs));
}

async function enableControllers(directory: string): Promise<void> {
  await writeFile(join(directory, "cgroup.subtree_control"), controllers.map((name) => `+${name}`).join(" "));
}

async function ifPresent(file: string, value: string): Promise<void> {
  try {
    await writeFile(file, value, { flag: "r+" });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "EACCES"))) throw error;
  }
}
