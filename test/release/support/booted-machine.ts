/**
 * Boots Debian with its own systemd, network and processes in a container of systemd-nspawn: a machine that is
 * installed, used and turned off as a server is, without the slowness of an emulated one. What it writes lies over
 * the tree and is kept across a reboot.
 *
 * It has no controllers of cgroup v2 where the kernel has given them to v1, so its projects have no limits.
 */

import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdir, open, readFile, rm, rmdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { stripVTControlCharacters } from "node:util";
import { exec } from "../../../agent/src/host/exec.ts";
import { until } from "../../support/until.ts";
import type { Wiring } from "./wiring.ts";
import { asRoot, DebianMachine, type Ran } from "./debian-machine.ts";

const bootTimeoutMs = 180_000;
const stopTimeoutMs = 60_000;
const runTimeoutMs = 300_000;

export interface MachineOptions extends Wiring {
  name: string;
  /** Tree of Debian that it begins with, which it does not change. */
  tree: string;
  /** Empty directory for what it writes. */
  directory: string;
}

export class BootedMachine extends DebianMachine implements AsyncDisposable {
  readonly #options: MachineOptions;
  readonly #groups: readonly string[];
  #nspawn: ChildProcess | undefined;

  private constructor(options: MachineOptions, groups: readonly string[]) {
    super();
    this.#options = options;
    this.#groups = groups;
  }

  /** Resolves once systemd has reached its target. */
  static async boot(options: MachineOptions): Promise<BootedMachine> {
    const { tree, directory, name } = options;
    for (const each of ["upper", "work", "root"]) await mkdir(join(directory, each), { recursive: true });
    const layers = `lowerdir=${tree},upperdir=${join(directory, "upper")},workdir=${join(directory, "work")}`;
    await exec(["mount", "-t", "overlay", "overlay", "-o", layers, join(directory, "root")]);
    const groups = ownGroups(name);
    for (const group of groups) await mkdir(group, { recursive: true });
    const machine = new BootedMachine(options, groups);
    await machine.#start();
    return machine;
  }

  override get name(): string {
    return this.#options.name;
  }

  /** Path here of one in the machine. */
  path(inside: string): string {
    return join(this.#options.directory, "root", inside);
  }

  override async try(
    argv: readonly string[],
    variables: Record<string, string> = {},
    input = "",
  ): Promise<Ran> {
    const enter = ["--target", String(await this.#leader()), "--all", "--wdns=/root", "--"];
    const child = spawn("nsenter", [...enter, ...asRoot(argv, variables)], { timeout: runTimeoutMs });
    child.stdin.on("error", () => {}); // of a program that ends before it has read all
    child.stdin.end(input);
    const closed = once(child, "close") as Promise<[number | null]>;
    const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), closed]);
    return { code: code ?? -1, stdout, stderr };
  }

  /**
   * Runs a program at a terminal, and types the next of `answers` at each question. Resolves with what the terminal
   * showed, without colours.
   */
  async talk(
    argv: readonly string[],
    variables: Record<string, string>,
    answers: readonly string[],
  ): Promise<{ code: number; shown: string }> {
    const enter = ["nsenter", "--target", String(await this.#leader()), "--all", "--wdns=/root", "--"];
    const command = [...enter, ...asRoot(argv, variables)].map(quoted).join(" ");
    const terminal = ["--quiet", "--return", "--command", command, "/dev/null"];
    const child = spawn("script", terminal, {
      timeout: runTimeoutMs,
      stdio: ["pipe", "pipe", "inherit"],
      env: { ...process.env, SHELL: "/bin/sh" },
    });
    const left = [...answers];
    let shown = "";
    let asked = "";
    child.stdin.on("error", () => {});
    child.stdout.setEncoding("utf8").on("data", (some: string) => {
      shown += some;
      asked += some;
      if (!/: (?:\x1b\[\w+)?$/.test(asked)) return;
      asked = "";
      child.stdin.write(`${left.shift() ?? ""}\n`);
    });
    const [code] = (await once(child, "close")) as [number | null];
    return { code: code ?? -1, shown: stripVTControlCharacters(shown).replaceAll("\r\n", "\n") };
  }

  override async reboot(): Promise<void> {
    await this.#stop("SIGRTMIN+4");
    await this.#start();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#stop("SIGKILL");
    await exec(["umount", "--lazy", join(this.#options.directory, "root")]);
    for (const group of this.#groups) await removeGroup(group);
  }

  async #start(): Promise<void> {
    const { name, bridge, address, router, nameServer } = this.#options;
    await writeFile(this.path("etc/hostname"), `${name}\n`);
    await writeFile(this.path("etc/hosts"), `127.0.0.1 localhost\n127.0.1.1 ${name}\n`);
    await rm(this.path("etc/resolv.conf"), { force: true });
    await writeFile(this.path("etc/resolv.conf"), `nameserver ${nameServer}\n`);
    const argv = [
      "--quiet",
      "--boot",
      "--register=no",
      "--keep-unit",
      "--resolv-conf=off",
      "--link-journal=no",
      `--machine=${name}`,
      `--directory=${this.path("")}`,
      "--network-veth",
      `--network-bridge=${bridge}`,
    ];
    const log = join(this.#options.directory, "console.log");
    await using output = await open(log, "w");
    this.#nspawn = inGroups(this.#groups, () =>
      spawn("systemd-nspawn", argv, {
        stdio: ["ignore", output.fd, output.fd],
        env: { ...process.env, SYSTEMD_NSPAWN_UNIFIED_HIERARCHY: "1" },
      }),
    );
    const isUp = async () => {
      if (this.#nspawn?.exitCode !== null) throw new Error(await readFile(log, "utf8"));
      const { stdout } = await this.try(["systemctl", "is-system-running"]).catch(() => ({ stdout: "" }));
      return /^(?:running|degraded)/.test(stdout);
    };
    await until(isUp, { timeoutMs: bootTimeoutMs, everyMs: 200 });
    await this.run(["ip", "address", "add", address, "dev", "host0"]);
    await this.run(["ip", "link", "set", "host0", "up"]);
    await this.run(["ip", "route", "add", "default", "via", router]);
  }

  /** PID here of the machine's own first process. */
  async #leader(): Promise<number> {
    const pid = this.#nspawn?.pid ?? -1;
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8");
    const leader = Number(children.trim().split(" ")[0]);
    if (!(leader > 0)) throw new Error(`${this.name} does not run`);
    return leader;
  }

  async #stop(how: "SIGKILL" | "SIGRTMIN+4"): Promise<void> {
    const nspawn = this.#nspawn;
    if (nspawn === undefined || nspawn.exitCode !== null || nspawn.signalCode !== null) return;
    const ended = once(nspawn, "close");
    const leader = await this.#leader().catch(() => undefined);
    if (leader !== undefined) await exec(["kill", "--signal", how, String(leader)]).catch(() => {});
    const timer = setTimeout(() => nspawn.kill("SIGKILL"), stopTimeoutMs);
    await ended;
    clearTimeout(timer);
  }
}

/** Returns the word for a shell's command line. */
function quoted(word: string): string {
  return `'${word.replaceAll("'", "'\\''")}'`;
}

/** Returns a control group of the machine's own in each hierarchy that systemd uses: two would share theirs. */
function ownGroups(name: string): string[] {
  const mounts = readFileSync("/proc/self/mounts", "utf8").split("\n");
  return mounts.flatMap((line) => {
    const [, mountPoint = "", type, options = ""] = line.split(" ");
    const isSystemds = type === "cgroup2" || (type === "cgroup" && options.includes("name=systemd"));
    return isSystemds ? [join(mountPoint, `tijolo-boot-${process.pid}-${name}`)] : [];
  });
}

/** Starts a process in the groups: this one enters them and leaves again, before anything else happens. */
function inGroups<T>(groups: readonly string[], start: () => T): T {
  const own = readFileSync("/proc/self/cgroup", "utf8").split("\n");
  const homes = groups.map((group) => {
    const mount = join(group, "..");
    const isUnified = readFileSync("/proc/self/mounts", "utf8").includes(` ${mount} cgroup2 `);
    const line = own.find((each) => (isUnified ? each.startsWith("0::") : each.includes(":name=systemd:")));
    return join(mount, line?.split(":").slice(2).join(":") ?? "/");
  });
  const enter = (group: string) => writeFileSync(join(group, "cgroup.procs"), String(process.pid));
  for (const group of groups) enter(group);
  try {
    return start();
  } finally {
    for (const home of homes) enter(home);
  }
}

async function removeGroup(group: string): Promise<void> {
  const { stdout } = await exec(["find", group, "-depth", "-type", "d"]);
  for (const each of stdout.split("\n").filter((line) => line !== ""))
    await until(
      () =>
        rmdir(each).then(
          () => true,
          (error: NodeJS.ErrnoException) => error.code === "ENOENT",
        ),
      { timeoutMs: 10_000, everyMs: 50 },
    );
}
