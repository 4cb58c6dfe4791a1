/** How long a container takes to its program's first instruction, and through `node -e 0`; beside others with the same root. */

import { execFile, execFileSync, spawn, spawnSync } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../support/until.ts";
import { ContainerHost } from "../real/support/container-host.ts";
import type { Bench, BenchContext, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { mountRoot } from "./mount-root.ts";
import { interleave } from "./sample.ts";

const rounds = 20;
const warmUps = 3;
const aimOverBareMs = 20;

/** Each way of starting runs a shell command on the same root and answers with what the command wrote. */
type Starter = (command: string) => Promise<string>;

/** The program tells the time itself, so that nothing counts which comes after it. */
const clockCommand = "exec date +%s%N";
const payloads = [
  { title: "Container start to the program's first instruction", command: clockCommand },
  { title: "Container start through `node -e 0`", command: `node -e 0; ${clockCommand}` },
];

export const containerStart: Bench = {
  name: "container-start",
  async run(context) {
    const layers = await nodeImage(context);
    const root = await mountRoot(layers, context.resources);
    const starters: Record<string, Starter> = {
      "bare fork (chroot)": (command) => run("chroot", [root, "/bin/sh", "-c", command]),
      ...(await crun(root, context)),
      Tijolo: await tijolo(layers, context.resources),
      "stock systemd-nspawn": (command) => run("systemd-nspawn", [...nspawnOptions, `--directory=${root}`, "/bin/sh", "-c", command]),
    };
    const figures: Figure[] = [];
    for (const { title, command } of payloads) figures.push(await figureOf(title, command, starters));
    return figures;
  },
};

/** What it needs on a machine without systemd; its defaults otherwise. */
const nspawnOptions = ["--quiet", "--register=no", "--keep-unit", "--pipe"];

async function figureOf(title: string, command: string, starters: Record<string, Starter>): Promise<Figure> {
  const timed = Object.entries(starters).map(([name, start]) => [name, () => timeOf(start, command)] as const);
  const samples = await interleave(Object.fromEntries(timed), { rounds, warmUps });
  const medianOf = (name: string) => samples[name]?.median ?? Number.NaN;
  return {
    title,
    unit: "ms",
    rows: Object.entries(samples).map(([name, sample]) => ({ name, sample })),
    aim: {
      of: "over the bare fork",
      value: medianOf("Tijolo") - medianOf("bare fork (chroot)"),
      unit: "ms",
      limit: aimOverBareMs,
      isReachedBy: "at most",
    },
  };
}

async function timeOf(start: Starter, command: string): Promise<number> {
  const startedMs = performance.timeOrigin + performance.now();
  const written = await start(command);
  return Number(written.trim()) / 1e6 - startedMs;
}

async function run(file: string, argv: string[]): Promise<string> {
  const { stdout } = await promisify(execFile)(file, argv, { encoding: "utf8", env: environment });
  return stdout;
}

const environment = { PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin" };

/** The whole of it: files, cgroups, network namespace, limits, filter, init and log writer. */
async function tijolo(layers: string[], resources: AsyncDisposableStack): Promise<Starter> {
  const host = resources.use(await ContainerHost.create());
  return async (command) => {
    const { stdout, stderr } = await host.run(command, {
      imageLayers: layers,
      environment,
      limits: { memoryMb: 512, cpuPercent: null, cpuWeight: 100, pids: 256 },
    });
    const [line] = stdout;
    // What the run left is removed a moment later, which is not to fall into another's time.
    await until(async () => (await readdir(join(host.dataDirectory, "runs", "prj_test"))).length === 0);
    if (line === undefined) throw new Error(`the container wrote nothing: ${stderr.join("\n")}`);
    return line;
  };
}

/** With user namespace and network namespace of its own; none where it cannot be had. */
async function crun(root: string, { say, resources }: BenchContext): Promise<Record<string, Starter>> {
  if (spawnSync("crun", ["--version"]).status !== 0) {
    say("installing crun to compare with");
    if (spawnSync("apt-get", ["install", "--yes", "--no-install-recommends", "crun"], { stdio: "ignore" }).status !== 0) {
      say("crun cannot be installed; the comparison is left out");
      return {};
    }
  }
  const bundle = await mkdtemp(join(tmpdir(), "tijolo-bench-crun-"));
  resources.defer(() => rm(bundle, { recursive: true }));
  execFileSync("crun", ["spec"], { cwd: bundle });
  const config = JSON.parse(await readFile(join(bundle, "config.json"), "utf8"));
  const mounts = await mountNamespaceWithoutUnified(resources);
  let number = 0;
  return {
    crun: async (command) => {
      config.root = { path: root, readonly: false };
      config.process = { ...config.process, terminal: false, args: ["/bin/sh", "-c", command], env: [`PATH=${environment.PATH}`] };
      await writeFile(join(bundle, "config.json"), JSON.stringify(config));
      const argv = ["crun", "--cgroup-manager=disabled", "run", `--bundle=${bundle}`, `tijolo-bench-${process.pid}-${++number}`];
      return run("nsenter", [`--mount=${mounts}`, ...argv]);
    },
  };
}

/** crun refuses machines that have both versions of cgroups, so it sees only one of them. */
async function mountNamespaceWithoutUnified(resources: AsyncDisposableStack): Promise<string> {
  const script = "umount /sys/fs/cgroup/unified 2> /dev/null; echo ready; exec sleep infinity";
  const holder = spawn("unshare", ["--mount", "--propagation=private", "sh", "-c", script], { stdio: ["ignore", "pipe", "inherit"] });
  resources.defer(() => void holder.kill());
  await new Promise((resolve) => holder.stdout.once("data", resolve));
  return `/proc/${holder.pid}/ns/mnt`;
}
