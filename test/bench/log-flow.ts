/** Measures how many log lines per second reach a following client, and how long a single line takes. */

import { DeployedProject, nodeProgram } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { LogFollow } from "./follow-log.ts";
import { Sample } from "./sample.ts";

const pouredLines = 200_000;
const pours = 5;
const drippedLines = 60;
const aimPerSecond = 50_000;
const aimDelayMs = 50;

/** Prints by its start number: first a few lines, then many at once. */
const program = `
  const { setTimeout: delay } = require("node:timers/promises");
  const { once } = require("node:events");
  (async () => {
    await delay(1000);
    for (let i = 0; i < ${drippedLines}; i++) {
      console.log("drip " + Date.now());
      await delay(50);
    }
    for (let pour = 0; pour < ${pours}; pour++) {
      await delay(2000);
      for (let i = 0; i < ${pouredLines}; i += 500) {
        let text = "";
        for (let j = i; j < i + 500; j++) text += "pour " + pour + " " + j + " a line as a bot writes it\\n";
        if (!process.stdout.write(text)) await once(process.stdout, "drain");
      }
    }
    setInterval(() => {}, 1e6);
  })();
`;

export const logFlow: Bench = {
  name: "log-flow",
  async run(context): Promise<Figure[]> {
    const { resources, say } = context;
    await nodeImage(context);
    const cluster = resources.use(await RealCluster.create());
    const { client } = await cluster.createAccount();
    const project = await DeployedProject.create(client, nodeProgram(program));
    const log = resources.use(new LogFollow(project));
    const delaysMs: number[] = [];
    const arrived = Array.from({ length: pours }, () => ({ lines: 0, outOfPlace: 0, firstMs: 0, lastMs: 0 }));
    log.onLine(({ text, arrivedMs }) => {
      const [kind, first, second] = text.split(" ");
      if (kind === "drip") delaysMs.push(arrivedMs - Number(first));
      const pour = kind === "pour" ? arrived[Number(first)] : undefined;
      if (pour === undefined) return;
      if (Number(second) !== pour.lines) pour.outOfPlace++;
      if (pour.lines === 0) pour.firstMs = arrivedMs;
      pour.lines++;
      pour.lastMs = arrivedMs;
    });
    say(`${pours} times ${pouredLines.toLocaleString("en-US")} lines, as fast as the program can print`);
    await log
      .line(({ text }) => text.startsWith(`pour ${pours - 1} ${pouredLines - 1} `), 120_000)
      .catch(() => {});
    const rates = new Sample(
      arrived.map(({ lines, firstMs, lastMs }) => (lines * 1_000) / (lastMs - firstMs)),
    );
    const lost = arrived.reduce((sum, { lines }) => sum + pouredLines - lines, 0);
    const outOfPlace = arrived.reduce((sum, pour) => sum + pour.outOfPlace, 0);
    const delays = new Sample(delaysMs);
    return [
      {
        title: `Log lines that reach a following client (${lost} lost, ${outOfPlace} out of place)`,
        unit: "/s",
        rows: [{ name: "Tijolo", sample: rates }],
        aim: {
          of: lost === 0 ? "without loss" : `${lost} lost`,
          value: lost === 0 ? rates.median : 0,
          unit: "/s",
          limit: aimPerSecond,
          isReachedBy: "at least",
        },
      },
      {
        title: "One line at 20 lines/s, printed → seen by the client",
        unit: "ms",
        rows: [{ name: "Tijolo", sample: delays }],
        aim: { of: "median", value: delays.median, unit: "ms", limit: aimDelayMs, isReachedBy: "at most" },
      },
    ];
  },
};
