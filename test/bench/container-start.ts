/**
 * Measures how long a container takes to its program's first instruction, through `node -e 0`, and to end
 * when asked; beside others with the same root.
 */

import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { until } from "../support/until.ts";
import { ContainerHost } from "../real/support/host/container-host.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import {
  bareFork,
  containerTools,
  environment,
  stockNspawn,
  unfilteredNspawn,
  type ContainerTool,
  type ToolProcess,
} from "./container-tools.ts";
import { mountRoot } from "./mount-root.ts";
import { childrenOf } from "./process-figures.ts";
import { interleave, Sample } from "./sample.ts";

const rounds = 20;
const warmUps = 3;
const aimOverBareMs = 20;
/** Limit of the requirement "Within 20 %". */
const aimOfNspawn = 1.2;
const ours = "Tijolo";

/** Each answers with milliseconds. */
interface Contestant {
  name: string;
  /** Returns the time from the call to the time that the command writes. */
  start(command: string): Promise<number>;
  /** Returns the time from the request to the end of a program that ends as soon as it is asked to. */
  stop(): Promise<number>;
}

/** The program tells the time itself, so that nothing counts which comes after it. */
const clockCommand = "exec date +%s%N";
const polite = "perl";
const politeCommand = `exec ${polite} -e '$SIG{TERM} = sub { exit 0 }; $| = 1; print "ready\\n"; sleep 1 while 1'`;
const stopDeadlineMs = 20_000;

export const containerStart: Bench = {
  name: "container-start",
  async run(context) {
    const layers = await nodeImage(context);
    const root = await mountRoot(layers, context.resources);
    const tools = await containerTools(root, context);
    const contestants = [...tools.map(contestantOf), await tijolo(layers, context.resources)];
    context.say(`${contestants.length} ways to start a container, ${rounds} rounds each`);
    const first = await measure(contestants, (each) => each.start(clockCommand));
    const node = await measure(contestants, (each) => each.start(`node -e 0; ${clockCommand}`));
    const stop = await measure(contestants, (each) => each.stop());
    return [
      overBare("Container start to the program's first instruction", first),
      besideNspawn("the program's first instruction", first, stockNspawn),
      besideNspawn("the program's first instruction", first, unfilteredNspawn),
      overBare("Container start through `node -e 0`", node),
      besideNspawn("the end of `node -e 0`", node, stockNspawn),
      besideNspawn("the end of `node -e 0`", node, unfilteredNspawn),
      {
        title: "Container stop: program asked to end → nothing of it is left",
        unit: "ms",
        rows: rowsOf(stop),
        aim: null,
      },
    ];
  },
};

type Samples = Record<string, Sample>;

function measure(
  contestants: readonly Contestant[],
  take: (each: Contestant) => Promise<number>,
): Promise<Samples> {
  const named = async (each: Contestant) => {
    try {
      return await take(each);
    } catch (cause) {
      throw new Error(`${each.name} failed`, { cause });
    }
  };
  return interleave(Object.fromEntries(contestants.map((each) => [each.name, () => named(each)] as const)), {
    rounds,
    warmUps,
  });
}

function rowsOf(samples: Samples): Figure["rows"] {
  return Object.entries(samples).map(([name, sample]) => ({ name, sample }));
}

function medianOf(samples: Samples, name: string): number {
  return samples[name]?.median ?? Number.NaN;
}

function overBare(title: string, samples: Samples): Figure {
  const value = medianOf(samples, ours) - medianOf(samples, bareFork);
  return {
    title,
    unit: "ms",
    rows: rowsOf(samples),
    aim: { of: "over the bare fork", value, unit: "ms", limit: aimOverBareMs, isReachedBy: "at most" },
  };
}

function besideNspawn(end: string, samples: Samples, nspawn: string): Figure {
  const value = medianOf(samples, ours) / medianOf(samples, nspawn);
  return {
    title: `Start to ${end}, as a multiple of ${nspawn}`,
    unit: "×",
    rows: [{ name: ours, sample: new Sample([value]) }],
    aim: { of: `beside ${nspawn}`, value, unit: "×", limit: aimOfNspawn, isReachedBy: "at most" },
  };
}

function contestantOf(tool: ContainerTool): Contestant {
  let number = 0;
  const nextId = () => `tijolo-bench-${process.pid}-${++number}`;
  return {
    name: tool.name,
    async start(command) {
      const { argv, environment: env = environment } = await tool.start(command, nextId());
      const [file = "", ...rest] = argv;
      const startedMs = now();
      const { stdout } = await promisify(execFile)(file, rest, { encoding: "utf8", env });
      return Number(stdout.trim()) / 1e6 - startedMs;
    },
    async stop() {
      const { argv, environment: env = environment, stop } = await tool.start(politeCommand, nextId());
      const [file = "", ...rest] = argv;
      const running = spawn(file, rest, { env, stdio: ["ignore", "pipe", "ignore"] });
      const ended = once(running, "exit", { signal: AbortSignal.timeout(stopDeadlineMs) });
      await once(running.stdout, "data", { signal: AbortSignal.timeout(stopDeadlineMs) });
      const program = stop === null ? await programBelow(running.pid ?? 0) : 0;
      const askedMs = now();
      const asked = ask(stop, { tool: running.pid ?? 0, program });
      await Promise.all([asked, ended]);
      return now() - askedMs;
    },
  };
}

async function ask(stop: ToolProcess["stop"], pids: { tool: number; program: number }): Promise<void> {
  if (stop === null) process.kill(pids.program, "SIGTERM");
  else if (stop === "terminate the tool") process.kill(pids.tool, "SIGTERM");
  else await promisify(execFile)(stop[0] ?? "", stop.slice(1), { env: environment });
}

/** Returns the pid, on the host, of the program that a tool runs. */
async function programBelow(pid: number): Promise<number> {
  if ((await readFile(`/proc/${pid}/comm`, "utf8")).trim() === polite) return pid;
  for (const child of childrenOf(pid)) {
    const found = await programBelow(child);
    if (found !== 0) return found;
  }
  return 0;
}

/** The whole of it: files, cgroups, network namespace, limits, filter, init and log writer. */
async function tijolo(layers: string[], resources: AsyncDisposableStack): Promise<Contestant> {
  const host = resources.use(await ContainerHost.create());
  const request = {
    imageLayers: layers,
    environment,
    limits: { memoryMb: 512, cpuPercent: null, cpuWeight: 100, pids: 256 },
  };
  // What a run left is removed a moment later, which is not to fall into another's time.
  const removed = () =>
    until(async () => (await readdir(join(host.dataDirectory, "runs", "prj_test"))).length === 0);
  return {
    name: ours,
    async start(command) {
      const startedMs = now();
      const { stdout, stderr } = await host.run(command, request);
      await removed();
      const [line] = stdout;
      if (line === undefined) throw new Error(`the container wrote nothing: ${stderr.join("\n")}`);
      return Number(line.trim()) / 1e6 - startedMs;
    },
    async stop() {
      const lines = async () => (await host.log()).stdout.length;
      const before = await lines();
      const instance = await host.start(politeCommand, request);
      await until(async () => (await lines()) > before);
      const askedMs = now();
      await host.runtime.stop(instance.projectId, { graceMs: stopDeadlineMs });
      const tookMs = now() - askedMs;
      await host.exitOf(instance);
      await host.runtime.forget(instance);
      await removed();
      return tookMs;
    },
  };
}

function now(): number {
  return performance.timeOrigin + performance.now();
}
