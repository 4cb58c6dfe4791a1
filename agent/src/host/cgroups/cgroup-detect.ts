/** Finds out which cgroup hierarchies the host has and opens the agent's own part of them. */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Cgroups } from "./cgroup.ts";
import { CgroupsV1, type V1Mounts } from "./cgroup-v1.ts";
import { CgroupsV2, enableControllers } from "./cgroup-v2.ts";
import { delegatedDirectory } from "./cgroup-delegation.ts";
import { projectsWeight } from "./projects-weight.ts";
import { exec } from "../exec.ts";

export type CgroupLayout =
  | { kind: "v1"; mounts: V1Mounts }
  | { kind: "v2"; mount: string; isSystemd: boolean }
  | { kind: "unusable"; missing: string };

/**
 * Opens the groups of the instance `name` (`tijolo-<instanceName>`), and weighs the group around them against
 * what else runs on the machine ({@link projectsWeight}).
 */
export async function openCgroups(name: string): Promise<Cgroups> {
  const layout = await detectCgroups();
  await favorMoves(layout);
  switch (layout.kind) {
    case "v1": {
      const cgroups = new CgroupsV1(layout.mounts, name);
      await cgroups.create("", { cpuWeight: projectsWeight() });
      return cgroups;
    }
    case "v2": {
      if (layout.isSystemd) return CgroupsV2.create(await delegatedDirectory(layout.mount, name));
      await enableControllers(layout.mount);
      const root = join(layout.mount, name);
      const cgroups = await CgroupsV2.create(root);
      await writeFile(join(root, "cpu.weight"), String(projectsWeight()));
      return cgroups;
    }
    case "unusable":
      throw new Error(`cgroups cannot be used: ${layout.missing}`);
  }
}

export async function detectCgroups(): Promise<CgroupLayout> {
  const [mounts, init] = await Promise.all([
    readFile("/proc/self/mounts", "utf8"),
    readFile("/proc/1/comm", "utf8"),
  ]);
  return readCgroupLayout(mounts, init.trim() === "systemd");
}

/** `mounts` is the text of /proc/self/mounts. */
export function readCgroupLayout(mounts: string, isSystemd: boolean): CgroupLayout {
  const controllers = new Map<string, string>();
  let unified: string | null = null;
  for (const line of mounts.split("\n")) {
    const [, mountPoint, type, options] = line.split(" ");
    if (mountPoint === undefined || options === undefined) continue;
    if (type === "cgroup2") unified ??= mountPoint;
    if (type === "cgroup")
      for (const option of options.split(","))
        if (!controllers.has(option)) controllers.set(option, mountPoint);
  }
  if (unified === null) return { kind: "unusable", missing: "no cgroup2 file system is mounted" };
  const memory = controllers.get("memory");
  if (memory === undefined) return { kind: "v2", mount: unified, isSystemd };
  const pids = controllers.get("pids");
  const cpu = controllers.get("cpu");
  const cpuacct = controllers.get("cpuacct");
  if (pids === undefined || cpu === undefined || cpuacct === undefined) {
    return { kind: "unusable", missing: "the controllers memory, pids, cpu and cpuacct are not all mounted" };
  }
  return {
    kind: "v1",
    mounts: {
      unified,
      memory,
      pids,
      cpu,
      cpuacct,
      blkio: controllers.get("blkio") ?? null,
      systemd: controllers.get("name=systemd") ?? null,
    },
  };
}

/**
 * Sets the option that makes moves fast. Without it, which was every kernel's behaviour until 6.0, each move
 * of a process into a group waits for about 10 ms; a container's start makes four. Older kernels neither know
 * nor need it.
 */
async function favorMoves(layout: CgroupLayout): Promise<void> {
  if (layout.kind === "unusable") return;
  const mount = layout.kind === "v1" ? layout.mounts.unified : layout.mount;
  const line = (await readFile("/proc/self/mounts", "utf8"))
    .split("\n")
    .find((each) => each.split(" ")[1] === mount);
  const options = line?.split(" ")[3]?.split(",") ?? [];
  if (options.includes("favordynmods")) return;
  const kept = options.filter(
    (option) => option.startsWith("nsdelegate") || option.startsWith("memory_") || option.startsWith("pids_"),
  );
  const argv = ["mount", "--options", ["remount", ...kept, "favordynmods"].join(","), mount];
  await exec(argv, { okCodes: [0, 1, 32] });
}
