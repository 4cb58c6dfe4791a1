/**
 * Provides other ways to run a command on a root directory: a bare fork, bubblewrap, crun, podman and
 * systemd-nspawn, each with as few options as it runs with here.
 */

import { execFileSync, spawn } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { BenchContext } from "./bench.ts";
import { hasTool } from "./install-tool.ts";

export interface ContainerTool {
  name: string;
  /** Returns the process that runs the shell command in a new container `id`, and lasts as long. */
  start(command: string, id: string): Promise<ToolProcess>;
}

export interface ToolProcess {
  argv: string[];
  environment?: Record<string, string>;
  /** Asks the program to end. Null: by a signal to the program itself, for which the tool has no command. */
  stop: string[] | "terminate the tool" | null;
}

/** Environment of the programs. */
export const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };

export const bareFork = "bare fork (chroot)";
export const stockNspawn = "stock systemd-nspawn";
export const unfilteredNspawn = "systemd-nspawn without its system call filter";

/** Returns the tools that can be had on this machine. */
export async function containerTools(root: string, context: BenchContext): Promise<ContainerTool[]> {
  const isThere = { bwrap: hasTool("bwrap", "bubblewrap", context), crun: hasTool("crun", "crun", context) };
  const needsMounts = isThere.crun;
  const mounts = needsMounts ? await mountNamespaceWithoutUnified(context.resources) : "";
  return [
    { name: bareFork, start: async (command) => ({ argv: ["chroot", root, ...shell(command)], stop: null }) },
    ...(isThere.bwrap ? [bubblewrap(root)] : []),
    ...(isThere.crun ? [await crun(root, mounts, context.resources)] : []),
    ...(isThere.crun && hasTool("podman", "podman", context)
      ? [await podman(root, mounts, context.resources)]
      : []),
    nspawn(root, unfilteredNspawn, { SYSTEMD_SECCOMP: "0" }),
    nspawn(root, stockNspawn, {}),
  ];
}

function shell(command: string): string[] {
  return ["/bin/sh", "-c", command];
}

function bubblewrap(root: string): ContainerTool {
  const options = [
    "--unshare-all",
    "--die-with-parent",
    "--bind",
    root,
    "/",
    "--proc",
    "/proc",
    "--dev",
    "/dev",
  ];
  return {
    name: "bubblewrap",
    start: async (command) => ({ argv: ["bwrap", ...options, ...shell(command)], stop: null }),
  };
}

/** Runs crun with the namespaces of `crun spec`, and no cgroup. */
async function crun(root: string, mounts: string, resources: AsyncDisposableStack): Promise<ContainerTool> {
  const bundle = await mkdtemp(join(tmpdir(), "tijolo-bench-crun-"));
  resources.defer(() => rm(bundle, { recursive: true }));
  execFileSync("crun", ["spec"], { cwd: bundle });
  const config = JSON.parse(await readFile(join(bundle, "config.json"), "utf8"));
  const enter = ["nsenter", `--mount=${mounts}`, "crun", "--cgroup-manager=disabled"];
  return {
    name: "crun",
    async start(command, id) {
      config.root = { path: root, readonly: false };
      config.process = {
        ...config.process,
        terminal: false,
        args: shell(command),
        env: [`PATH=${environment.PATH}`],
      };
      await writeFile(join(bundle, "config.json"), JSON.stringify(config));
      return { argv: [...enter, "run", `--bundle=${bundle}`, id], stop: [...enter, "kill", id, "TERM"] };
    },
  };
}

/**
 * Runs podman as root, over crun, without a network of its own; the limits are ones that a root with fewer
 * capabilities may set.
 */
async function podman(root: string, mounts: string, resources: AsyncDisposableStack): Promise<ContainerTool> {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-bench-podman-"));
  const store = ["root", "run", "tmp"].map((name) => join(directory, name));
  for (const path of store) await mkdir(path);
  const [kept = "", run = "", tmp = ""] = store;
  const places = [
    `--root=${kept}`,
    `--runroot=${run}`,
    `--tmpdir=${tmp}`,
    "--events-backend=none",
    "--cgroup-manager=cgroupfs",
  ];
  const enter = ["nsenter", `--mount=${mounts}`, "podman", ...places];
  resources.defer(async () => {
    execFileSync(enter[0] ?? "", [...enter.slice(1), "rm", "--all", "--force", "--time=0"], {
      stdio: "ignore",
    });
    await rm(directory, { recursive: true, force: true });
  });
  const options = [
    "--rm",
    "--network=none",
    "--ulimit=nofile=1024:1024",
    "--ulimit=nproc=1024:1024",
    "--log-driver=k8s-file",
  ];
  return {
    name: "podman",
    start: async (command, id) => ({
      argv: [...enter, "run", ...options, `--name=${id}`, "--rootfs", root, ...shell(command)],
      stop: [...enter, "stop", "--time=10", id],
    }),
  };
}

/** Runs nspawn with the options that it needs on a machine without systemd; its defaults otherwise. */
function nspawn(root: string, name: string, more: Record<string, string>): ContainerTool {
  const options = [
    "--quiet",
    "--register=no",
    "--keep-unit",
    "--pipe",
    "--kill-signal=SIGTERM",
    `--directory=${root}`,
  ];
  return {
    name,
    start: async (command) => ({
      argv: ["systemd-nspawn", ...options, ...shell(command)],
      environment: { ...environment, ...more },
      stop: "terminate the tool",
    }),
  };
}

/** crun refuses machines that have both versions of cgroups, so it sees only one of them. */
async function mountNamespaceWithoutUnified(resources: AsyncDisposableStack): Promise<string> {
  const script = "umount /sys/fs/cgroup/unified 2> /dev/null; echo ready; exec sleep infinity";
  const holder = spawn("unshare", ["--mount", "--propagation=private", "sh", "-c", script], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  resources.defer(() => void holder.kill());
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  return `/proc/${holder.pid}/ns/mnt`;
}
