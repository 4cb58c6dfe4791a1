/** Says in plain words what a machine lacks to run projects in containers. */

import { access, constants, readFile } from "node:fs/promises";
import { release } from "node:os";
import { join } from "node:path";
import type { MachineNews } from "@tijolo/protocol";
import { detectCgroups, type CgroupLayout } from "../cgroups/cgroup-detect.ts";
import { exec, hostEnvironment } from "../exec.ts";

export interface HostProblem {
  /** Names what is missing, in one sentence. */
  problem: string;
  /** Says in one sentence what to do about it. */
  howToFix: string;
}

/** Describes a setting that could be stricter; the agent serves all the same. */
export interface LaxSetting extends HostProblem {
  news: MachineNews;
}

/** Commands that the agent starts, by the Debian package that contains them. */
const packageOfCommand: Record<string, string> = {
  "systemd-nspawn": "systemd-container",
  mmdebstrap: "mmdebstrap",
  ip: "iproute2",
  nft: "nftables",
  unshare: "util-linux",
  nsenter: "util-linux",
  mount: "mount",
  losetup: "mount",
  "mkfs.ext4": "e2fsprogs",
  e2fsck: "e2fsprogs",
  resize2fs: "e2fsprogs",
  mkfifo: "coreutils",
  dash: "dash",
  perl: "perl-base",
};

/** Oldest kernel that has overlays above layers with shifted ids. */
const oldestKernel = [5, 19] as const;

/** Thrown when the machine cannot run projects in containers; the message says why and what to do. */
export class HostNotFitError extends Error {
  override name = "HostNotFitError";

  constructor(problems: readonly HostProblem[]) {
    super(problems.map(({ problem, howToFix }) => `${problem} → ${howToFix}`).join("\n"));
  }
}

/** Throws {@link HostNotFitError} unless projects can run here. */
export async function assertHostFit(): Promise<void> {
  const problems = await checkHost();
  if (problems.length > 0) throw new HostNotFitError(problems);
}

/**
 * Returns every problem, not only the first; an empty list means that projects can run here. Its only change
 * to the host is loading `overlay`.
 */
export async function checkHost(): Promise<HostProblem[]> {
  const looked = await Promise.all([
    checkCommands(),
    checkOverlay(),
    checkKernelFeatures(),
    checkCgroups(),
    checkRootMount(),
  ]);
  return [...checkMachine(), ...checkRoot(), ...checkKernel(), ...looked.flat()];
}

function checkMachine(): HostProblem[] {
  if (process.platform === "linux" && (process.arch === "x64" || process.arch === "arm64")) return [];
  return [
    {
      problem: `This is ${process.platform} on ${process.arch}.`,
      howToFix: "Use Linux on an x86-64 or arm64 machine; Debian 12 or newer is what is tested.",
    },
  ];
}

function checkRoot(): HostProblem[] {
  if (process.getuid?.() === 0) return [];
  return [
    {
      problem: "Containers are started by root, and this is another user.",
      howToFix: "Start it again as root (sudo).",
    },
  ];
}

function checkKernel(): HostProblem[] {
  if (isKernelAtLeast(release(), oldestKernel)) return [];
  return [
    {
      problem: `The kernel is ${release()}; containers need ${oldestKernel.join(".")} or newer.`,
      howToFix:
        "Upgrade to Debian 12 or newer, or install a newer kernel (linux-image-amd64 from backports), and restart.",
    },
  ];
}

/** `text` is what `uname -r` says. */
export function isKernelAtLeast(text: string, [major, minor]: readonly [number, number]): boolean {
  const match = /^(\d+)\.(\d+)/.exec(text);
  if (match === null) return false;
  const [, ownMajor, ownMinor] = match.map(Number);
  return (ownMajor ?? 0) > major || (ownMajor === major && (ownMinor ?? 0) >= minor);
}

async function checkCommands(): Promise<HostProblem[]> {
  const missing: string[] = [];
  for (const command of Object.keys(packageOfCommand)) if (!(await isCommand(command))) missing.push(command);
  if (missing.length === 0) return [];
  const packages = [...new Set(missing.map((command) => packageOfCommand[command]))].join(" ");
  return [
    {
      problem: `Not installed: ${missing.join(", ")}.`,
      howToFix: `apt-get install --no-install-recommends ${packages}`,
    },
  ];
}

async function checkOverlay(): Promise<HostProblem[]> {
  if (await hasOverlay()) return [];
  await exec(["modprobe", "overlay"]).catch(() => {}); // judged by what is there afterwards
  if (await hasOverlay()) return [];
  return [
    {
      problem: "The kernel has no overlayfs.",
      howToFix:
        "Use a kernel with CONFIG_OVERLAY_FS (every Debian kernel has it); inside a container, use the machine itself.",
    },
  ];
}

async function checkKernelFeatures(): Promise<HostProblem[]> {
  const problems: HostProblem[] = [];
  if (Number(await textOf("/proc/sys/user/max_user_namespaces")) < 1) {
    problems.push({
      problem: "The kernel makes no user namespaces.",
      howToFix: "sysctl user.max_user_namespaces=100000 (and in /etc/sysctl.d/ to keep it)",
    });
  }
  if (!/\berrno\b/.test(await textOf("/proc/sys/kernel/seccomp/actions_avail"))) {
    problems.push({
      problem: "The kernel has no seccomp filters.",
      howToFix: "Use a kernel with CONFIG_SECCOMP_FILTER (every Debian kernel has it).",
    });
  }
  return problems;
}

async function checkRootMount(): Promise<HostProblem[]> {
  if (!isInitramfsRoot(await textOf("/proc/self/mountinfo"))) return [];
  return [
    {
      problem:
        "The machine's root is its initramfs, which pivot_root(2) cannot leave: the resolver of projects' names cannot close itself in.",
      howToFix: "Let the initramfs go on to another root (switch_root), be it a tmpfs with the same files.",
    },
  ];
}

/** `mountinfo` is the text of /proc/self/mountinfo; the last mount on a path is the one that is seen. */
export function isInitramfsRoot(mountinfo: string): boolean {
  const root = mountinfo.split("\n").findLast((line) => line.split(" ")[4] === "/");
  return root?.split(" - ")[1]?.split(" ")[0] === "rootfs";
}

async function checkCgroups(): Promise<HostProblem[]> {
  const layout = await detectCgroups();
  if (layout.kind !== "v2") return checkLayout(layout);
  const controllers = (await textOf(join(layout.mount, "cgroup.controllers"))).trim().split(" ");
  const missing = ["memory", "cpu", "pids"].filter((name) => !controllers.includes(name));
  if (missing.length === 0) return [];
  return [
    {
      problem: `Limits cannot be set: the cgroup controllers ${missing.join(", ")} are not available.`,
      howToFix:
        "Remove cgroup_disable=… from the kernel's command line; inside a container, use the machine itself.",
    },
  ];
}

/** Checks the layouts without version 2's controllers by what is mounted. */
export function checkLayout(layout: Exclude<CgroupLayout, { kind: "v2" }>): HostProblem[] {
  if (layout.kind === "unusable") {
    return [
      {
        problem: `Limits cannot be set: ${layout.missing}.`,
        howToFix:
          "Start the machine with systemd and cgroup v2 (Debian's default), or mount the hierarchies.",
      },
    ];
  }
  if (layout.mounts.systemd !== null) return [];
  // Without it, nspawn makes its groups in plain directories, or finds none at all and ends.
  return [
    {
      problem:
        "The controllers are those of cgroup v1, and the hierarchy name=systemd, in which systemd-nspawn makes its groups, is not mounted.",
      howToFix:
        "mkdir -p /sys/fs/cgroup/systemd && mount -t cgroup -o none,name=systemd cgroup /sys/fs/cgroup/systemd; or start the machine with systemd and cgroup v2.",
    },
  ];
}

async function hasOverlay(): Promise<boolean> {
  return /\boverlay$/m.test(await textOf("/proc/filesystems"));
}

async function isCommand(name: string): Promise<boolean> {
  for (const directory of (hostEnvironment.PATH ?? "").split(":")) {
    const found = await access(join(directory, name), constants.X_OK).then(
      () => true,
      () => false,
    );
    if (found) return true;
  }
  return false;
}

function textOf(file: string): Promise<string> {
  return readFile(file, "utf8").catch(() => "");
}
