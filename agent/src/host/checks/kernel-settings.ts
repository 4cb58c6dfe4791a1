/**
 * Sets and checks the kernel settings that projects' safety depends on: raises budgets that all projects
 * share, and reports doubtful settings.
 */

import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { HardenedSetting, MachineNews } from "@tijolo/protocol";
import type { Logger } from "pino";
import type { LaxSetting } from "./check-host.ts";
import { findLowOomFloor } from "../cgroups/oom-floor.ts";

interface SharedBudget {
  name: string;
  atLeast: number;
}

/**
 * Budgets that the kernel counts once for all containers together. The memory of what is used counts against
 * each container.
 */
const sharedBudgets: readonly SharedBudget[] = [
  { name: "fs.inotify.max_user_instances", atLeast: 65_536 },
  { name: "fs.inotify.max_user_watches", atLeast: 1_048_576 },
  { name: "kernel.pty.max", atLeast: 65_536 },
];

interface Hardening {
  name: HardenedSetting;
  isSafe: (value: number) => boolean;
  /** Value to set it to. */
  safe: number;
  why: string;
}

/**
 * Settings that harden the host. None of them is a hole by itself: the container's filter denies what they
 * guard, or they only disclose facts about the kernel. They are a second wall.
 * `kernel.unprivileged_userns_clone` exists in kernels of Debian and its derivatives only.
 */
const hardenings: readonly Hardening[] = [
  {
    name: "kernel.unprivileged_userns_clone",
    isSafe: (value) => value === 0,
    safe: 0,
    why: "Every user of the machine can make user namespaces",
  },
  {
    name: "kernel.unprivileged_bpf_disabled",
    isSafe: (value) => value >= 1,
    safe: 1,
    why: "Every user of the machine can load BPF programs",
  },
  {
    name: "vm.unprivileged_userfaultfd",
    isSafe: (value) => value === 0,
    safe: 0,
    why: "Every user of the machine can hold up the kernel with userfaultfd",
  },
  {
    name: "kernel.io_uring_disabled",
    isSafe: (value) => value >= 1,
    safe: 2,
    why: "Every user of the machine can use io_uring",
  },
  {
    name: "kernel.dmesg_restrict",
    isSafe: (value) => value >= 1,
    safe: 1,
    why: "Every user of the machine can read the kernel's log",
  },
  {
    name: "kernel.kptr_restrict",
    isSafe: (value) => value >= 1,
    safe: 2,
    why: "The kernel shows its addresses",
  },
  {
    name: "kernel.perf_event_paranoid",
    isSafe: (value) => value >= 2,
    safe: 3,
    why: "Every user of the machine can trace the kernel",
  },
  {
    name: "kernel.yama.ptrace_scope",
    isSafe: (value) => value >= 1,
    safe: 1,
    why: "Processes of one user can read each other's memory",
  },
];

/** `directory`: where settings are files, by their names with slashes for dots. */
export interface KernelSettingsOptions {
  directory?: string;
}

/**
 * At the agent's start: raises the shared budgets, and tells the operator of lax settings in the agent's log.
 */
export async function prepareKernel(logger: Pick<Logger, "info" | "warn">): Promise<void> {
  try {
    for (const setting of await raiseSharedBudgets())
      logger.info(
        { news: { code: "shared_limit_raised", setting } satisfies MachineNews },
        "raised a limit of the kernel that all projects share",
      );
  } catch (error) {
    logger.warn({ err: error }, "limits of the kernel that all projects share could not be raised");
  }
  const oomFloor = await findLowOomFloor();
  const lax = [...(await findLaxSettings()), ...(oomFloor === undefined ? [] : [oomFloor])];
  for (const { problem, howToFix, news } of lax) logger.warn({ news, howToFix }, problem);
}

/**
 * Raises what is too low for many projects, and keeps what an operator set higher. Returns what was raised.
 */
export async function raiseSharedBudgets({ directory = "/proc/sys" }: KernelSettingsOptions = {}): Promise<
  string[]
> {
  const raised: string[] = [];
  for (const { name, atLeast } of sharedBudgets) {
    const value = await findSetting(directory, name);
    if (value === undefined || value >= atLeast) continue;
    await writeFile(fileOf(directory, name), String(atLeast));
    raised.push(name);
  }
  return raised;
}

/**
 * Returns the settings that are less strict than they could be, with how to change them for good. Settings
 * that the kernel does not have are left out.
 */
export async function findLaxSettings({ directory = "/proc/sys" }: KernelSettingsOptions = {}): Promise<
  LaxSetting[]
> {
  const lax: LaxSetting[] = [];
  for (const { name, isSafe, safe, why } of hardenings) {
    const value = await findSetting(directory, name);
    if (value === undefined || isSafe(value)) continue;
    lax.push({
      news: { code: "lax_setting", setting: name, value },
      problem: `${why} (${name} is ${value}).`,
      howToFix: `echo '${name} = ${safe}' > /etc/sysctl.d/60-${name}.conf && sysctl --system`,
    });
  }
  if (await hasSwap(directory)) {
    lax.push({
      news: { code: "machine_swaps" },
      problem: "The machine swaps, and a memory hog can slow every project down.",
      howToFix: "swapoff --all, and remove swap from /etc/fstab; or keep it small and on a disk of its own.",
    });
  }
  return lax;
}

/** Undefined when the kernel has no such setting. */
async function findSetting(directory: string, name: string): Promise<number | undefined> {
  const text = await readFile(fileOf(directory, name), "utf8").catch(() => "");
  return /^-?\d+\s*$/.test(text) ? Number(text) : undefined;
}

function fileOf(directory: string, name: string): string {
  return join(directory, ...name.split("."));
}

/**
 * True when the machine has swap. Each container's swap is limited to nothing where the kernel can do that
 * (cgroup v2, or v1 with swap accounting).
 */
async function hasSwap(directory: string): Promise<boolean> {
  const swaps = await readFile(join(directory, "../swaps"), "utf8").catch(() => "");
  return swaps.trim().split("\n").length > 1;
}
