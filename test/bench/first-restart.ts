/**
 * Measures how long a program that crashed is away: from its end to the first instruction of its next run,
 * beside the same program that a bare process starts again.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DeployedProject, nodeProgram } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { until } from "../support/until.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { LogFollow } from "./follow-log.ts";
import { mountRoot } from "./mount-root.ts";
import { interleave } from "./sample.ts";

const rounds = 15;
const warmUps = 2;
const aimBesideProgramMs = 100;
const patience = { timeoutMs: 60_000, everyMs: 5 };
/** Crashes in every other run, and says when it begins and when it ends. */
const program = `const fs = require("node:fs");
const say = (word) => fs.writeSync(1, word + " " + (performance.timeOrigin + performance.now()) + "\\n");
say("begins");
const isSecond = fs.existsSync("crashed");
if (isSecond) fs.rmSync("crashed");
else {
  fs.writeFileSync("crashed", "");
  setTimeout(() => { say("ends"); process.exit(1); }, 300);
}
setInterval(() => {}, 1e6);`;

export const firstRestart: Bench = {
  name: "first-restart",
  async run(context): Promise<Figure[]> {
    const { resources, say } = context;
    const root = await mountRoot(await nodeImage(context), resources);
    await writeFile(join(root, "program.js"), program);
    const cluster = resources.use(await RealCluster.create());
    const { client } = await cluster.createAccount();
    const project = await DeployedProject.create(client, nodeProgram(program));
    await project.when(({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running");
    const log = resources.use(new LogFollow(project));
    await log.opened();
    const printed: string[] = [];
    log.onLine(({ text }) => void printed.push(text));
    say("crashing");
    const samples = await interleave(
      {
        bare: () => bareRestart(root),
        tijolo: async () => {
          // What the last run left is removed a moment later, which is not to fall into this time.
          await until(() => cluster.host.runNames(project.id).length === 1, patience);
          printed.length = 0;
          await client.restartProject({ id: project.id });
          await until(() => printed.length >= 3, patience);
          await project.is("running");
          return awayMs(printed);
        },
      },
      { rounds, warmUps },
    );
    return [
      {
        title: "Crash → first instruction of the next run, the first time",
        unit: "ms",
        rows: [
          { name: "Tijolo", sample: samples.tijolo },
          { name: "the program alone, started again by a bare spawn", sample: samples.bare },
        ],
        aim: {
          of: "beside the program",
          value: samples.tijolo.median - samples.bare.median,
          unit: "ms",
          limit: aimBesideProgramMs,
          isReachedBy: "at most",
        },
      },
    ];
  },
};

/** Returns the time from the end that a run says to the beginning that the next one says. */
function awayMs(lines: readonly string[]): number {
  const [, ended = "", begun = ""] = lines;
  if (!ended.startsWith("ends ") || !begun.startsWith("begins ")) throw new Error(lines.join("\n"));
  return Number(begun.split(" ")[1]) - Number(ended.split(" ")[1]);
}

/** Starts the program again as soon as it has ended. */
async function bareRestart(root: string): Promise<number> {
  const lines: string[] = [];
  const start = () => {
    const running = spawn("chroot", [root, "node", "/program.js"], {
      env: { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/bin" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    running.stdout.on("data", (chunk: Buffer) => void lines.push(...chunk.toString().trim().split("\n")));
    return running;
  };
  await rm(join(root, "crashed"), { force: true });
  await once(start(), "close");
  const second = start();
  await until(() => lines.length >= 3, patience);
  const ended = once(second, "exit");
  second.kill("SIGKILL");
  await ended;
  return awayMs(lines);
}
