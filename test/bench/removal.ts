/**
 * Measures the removal of a project whose owner has made as many files as a disk allows, and what the others
 * notice meanwhile.
 */

import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as delay } from "node:timers/promises";
import { ContainerHost } from "../real/support/host/container-host.ts";
import type { Bench, Figure } from "./bench.ts";
import { Sample } from "./sample.ts";

const trees = {
  "500,000 files in one directory": `for (1 .. 500_000) { open(my $file, ">", "file-$_") or die $! }`,
  "5,000 directories in each other": `for (1 .. 5_000) { mkdir("x" x 50) && chdir("x" x 50) or die $! }`,
};
const quietStarts = 10;

export const removal: Bench = {
  name: "removal",
  async run(context): Promise<Figure[]> {
    const host = await ContainerHost.create();
    context.resources.use(host);
    /** Returns the milliseconds from the order to start a project to the end of its program. */
    const start = async () => {
      const at = performance.now();
      const instance = await host.start("true", { projectId: "prj_other" });
      await host.exitOf(instance);
      const tookMs = performance.now() - at;
      await host.runtime.forget(instance);
      return tookMs;
    };
    const quiet: number[] = [];
    for (let round = -2; round < quietStarts; round++) {
      const tookMs = await start();
      if (round >= 0) quiet.push(tookMs);
    }
    const figures: Figure[] = [];
    for (const [name, script] of Object.entries(trees)) {
      context.say(`making ${name}`);
      const disk = join(host.dataDirectory, "projects", "prj_large", "disk");
      mkdirSync(disk, { recursive: true });
      execFileSync("perl", ["-e", `chdir $ARGV[0] or die; ${script}`, disk]);
      context.say("removing them");
      figures.push(
        ...(await measure(name, {
          remove: () => host.runtime.remove("prj_large"),
          start,
          quiet: new Sample(quiet),
        })),
      );
    }
    return figures;
  },
};

interface Measured {
  remove(): Promise<void>;
  start(): Promise<number>;
  quiet: Sample;
}

async function measure(name: string, { remove, start, quiet }: Measured): Promise<Figure[]> {
  const loop = monitorEventLoopDelay({ resolution: 5 });
  loop.enable();
  const beginsAtMs = performance.now();
  let isRemoved = false;
  const removing = remove().finally(() => (isRemoved = true));
  const meanwhile: number[] = [];
  do {
    meanwhile.push(await start());
    await delay(50);
  } while (!isRemoved);
  await removing;
  const seconds = (performance.now() - beginsAtMs) / 1000;
  loop.disable();
  return [
    {
      title: `Removing a project: ${name}`,
      unit: "s",
      rows: [{ name: "in all", sample: new Sample([seconds]) }],
      aim: null,
    },
    {
      title: `Another project's start and end meanwhile (${name})`,
      unit: "ms",
      rows: [
        { name: "quiet", sample: quiet },
        { name: "meanwhile", sample: new Sample(meanwhile) },
      ],
      aim: null,
    },
    {
      title: `The agent's event loop meanwhile (${name})`,
      unit: "ms",
      rows: [{ name: "longest stall", sample: new Sample([loop.max / 1e6]) }],
      aim: { of: "longest stall", value: loop.max / 1e6, unit: "ms", limit: 250, isReachedBy: "at most" },
    },
  ];
}
