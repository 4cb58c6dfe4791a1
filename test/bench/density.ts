/**
 * Measures two hundred small projects on this machine: how long all take to start, what each costs beside its
 * process, and what all cost at rest.
 */

import { readFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import type { Bench, BenchContext, Figure, Row } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { ManyProjects } from "./many-projects.ts";
import { childrenOf, cpuSecondsOf, kernelMemoryMb, memoryOf } from "./process-figures.ts";
import { Sample } from "./sample.ts";

/** BENCH_PROJECTS is for trying the bench itself with fewer. */
const projectCount = Number(process.env.BENCH_PROJECTS ?? 200);
const settleMs = 15_000;
const restMs = 40_000;
const aimProjectMb = 3;
const aimRestPercent = 1;
/** The program of each project. */
const program = "sleep";

export const density: Bench = {
  name: "density",
  async run(context): Promise<Figure[]> {
    await nodeImage(context);
    const projects = context.resources.use(await ManyProjects.create(projectCount));
    const { host } = projects.cluster;
    const emptyKernelMb = kernelMemoryMb();
    const installed = await timed(context, `installing ${projectCount} projects`, () =>
      projects.install(`exec ${program} infinity`),
    );
    const started = await timed(context, "starting all", () => projects.startAll());
    const rest = await atRest(projects, context);
    const memory = memoryFigure(host.pids(), kernelMemoryMb() - emptyKernelMb);
    context.say("taking all off the machine, as a power cut does");
    await host.reboot();
    const bootedAt = new Date();
    const booted = await timed(context, "starting all after a restart of the host", async () => {
      await host.agent.launch();
      await projects.allRunSince(bootedAt);
    });
    const rows = [
      { name: "copies of one upload installed", sample: new Sample([installed]) },
      { name: "started by their owners", sample: new Sample([started]) },
      { name: "back after a restart of the host", sample: new Sample([booted]) },
    ];
    return [
      { title: `${projectCount} small projects on one host`, unit: "s", rows, aim: null },
      memory,
      rest,
    ];
  },
};

async function timed({ say }: BenchContext, text: string, work: () => Promise<void>): Promise<number> {
  say(text);
  const beganMs = performance.now();
  await work();
  return (performance.now() - beganMs) / 1_000;
}

/**
 * Measures memory beside the program itself. The kernel's part is measured for the whole machine: nothing
 * else may start or end there.
 */
function memoryFigure(pids: readonly number[], kernelMb: number): Figure {
  const sums = new Map<string, number>();
  for (const pid of pids) {
    const name = readFileSync(`/proc/${pid}/comm`, "utf8").trim();
    sums.set(name, (sums.get(name) ?? 0) + memoryOf(pid).pssMb);
  }
  const each = (sum: number) => new Sample([sum / projectCount]);
  const beside = [...sums].filter(([name]) => name !== program);
  const besideMb = beside.reduce((sum, [, mb]) => sum + mb, 0) / projectCount;
  return {
    title: `Memory per project, with ${projectCount} running`,
    unit: "MB",
    rows: [
      ...beside.map(([name, sum]): Row => ({ name: `${name}, PSS`, sample: each(sum) })),
      { name: `the project itself (${program}), PSS`, sample: each(sums.get(program) ?? 0) },
      { name: "in the kernel: disk, mounts, network, cgroups, processes", sample: each(kernelMb) },
    ],
    aim: {
      of: "PSS beside the project itself",
      value: besideMb,
      unit: "MB",
      limit: aimProjectMb,
      isReachedBy: "at most",
    },
  };
}

/** Measures percent of one core over a while without requests. */
async function atRest({ cluster }: ManyProjects, { say }: BenchContext): Promise<Figure> {
  const agent = cluster.host.agent.pid ?? 0;
  const helpers = childrenOf(agent);
  const spent = () => [
    cpuSecondsOf(agent).own,
    cpuSecondsOf(agent).ofChildren,
    helpers.reduce((sum, pid) => sum + cpuSecondsOf(pid).own, 0),
    cpuSecondsOf(cluster.central.pid ?? 0).own,
  ];
  await delay(settleMs);
  say(`at rest for ${restMs / 1_000} s`);
  const [before, beganMs] = [spent(), performance.now()];
  await delay(restMs);
  const seconds = (performance.now() - beganMs) / 1_000;
  const percents = spent().map((total, index) => ((total - (before[index] ?? 0)) / seconds) * 100);
  const [own = 0, programs = 0, resident = 0, central = 0] = percents;
  const row = (name: string, percent: number): Row => ({ name, sample: new Sample([percent]) });
  return {
    title: `Processor time with ${projectCount} projects at rest`,
    unit: "% of a core",
    rows: [
      row("agent", own),
      row("programs that it has run meanwhile", programs),
      row("its resolver and the starter of supervisors", resident),
      row("central", central),
    ],
    aim: {
      of: "the agent with what it runs",
      value: own + programs + resident,
      unit: "% of a core",
      limit: aimRestPercent,
      isReachedBy: "at most",
    },
  };
}
