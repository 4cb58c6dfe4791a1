/**
 * Measures how long a start, a restart and an upload take for the caller, with central and agent as processes
 * of their own.
 */

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { DeployedProject, nodeProgram } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { until } from "../support/until.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { LogFollow } from "./follow-log.ts";
import { mountRoot } from "./mount-root.ts";
import { interleave, Sample } from "./sample.ts";

const rounds = 15;
const warmUps = 2;
const uploads = 8;
const aimBeyondProgramMs = 60;
const aimUploadMs = 1_000;
const program = `console.log("ready"); setInterval(() => {}, 1e6);`;
const now = () => performance.timeOrigin + performance.now();

export const projectStart: Bench = {
  name: "project-start",
  async run(context): Promise<Figure[]> {
    const { resources } = context;
    const root = await mountRoot(await nodeImage(context), resources);
    const cluster = resources.use(await RealCluster.create());
    const { client } = await cluster.createAccount();
    context.say("uploading");
    const uploadMs: number[] = [];
    const projects: DeployedProject[] = [];
    for (let index = 0; index <= uploads; index++) {
      const askedMs = now();
      const uploaded = await DeployedProject.create(client, nodeProgram(program));
      await uploaded.is("running");
      if (index > 0) uploadMs.push(now() - askedMs);
      projects.push(uploaded);
    }
    const [project, ...others] = projects;
    if (project === undefined) throw new Error("nothing was uploaded");
    const operator = cluster.operator.client();
    for (const { id } of others) await operator.deleteProject({ id });

    const log = resources.use(new LogFollow(project));
    await log.opened();
    const { id } = project;
    const first = async (ask: () => Promise<unknown>) => {
      const line = log.line(({ text }) => text === "ready");
      const askedMs = now();
      await ask();
      return (await line).arrivedMs - askedMs;
    };
    // What the last run left is removed a moment later, which is not to fall into the next one's time.
    const settled = (runs: number) => until(() => cluster.host.runNames(id).length === runs, { everyMs: 20 });
    context.say("starting and restarting");
    await writeFile(join(root, "program.js"), `console.log("ready")`);
    const starts = await interleave(
      {
        program: async () => {
          const askedMs = now();
          await promisify(execFile)("chroot", [root, "node", "/program.js"], {
            env: { PATH: "/usr/local/bin:/usr/sbin:/usr/bin:/bin" },
          });
          return now() - askedMs;
        },
        start: async () => {
          await client.stopProject({ id });
          await project.is("stopped");
          await settled(0);
          return first(() => client.startProject({ id }));
        },
        restart: async () => {
          await project.is("running");
          await settled(1);
          return first(() => client.restartProject({ id }));
        },
      },
      { rounds, warmUps },
    );
    const alone = { name: "the program alone, in a bare fork", sample: starts.program };
    const beyond = (sample: Sample) =>
      ({
        of: "beyond the program",
        value: sample.median - starts.program.median,
        unit: "ms",
        limit: aimBeyondProgramMs,
        isReachedBy: "at most",
      }) as const;
    return [
      {
        title: "Start requested → first line seen by the client",
        unit: "ms",
        rows: [{ name: "Tijolo", sample: starts.start }, alone],
        aim: beyond(starts.start),
      },
      {
        title: "Restart requested → first line of the new run seen",
        unit: "ms",
        rows: [{ name: "Tijolo", sample: starts.restart }, alone],
        aim: beyond(starts.restart),
      },
      {
        title: "Upload of a bot without dependencies → running",
        unit: "ms",
        rows: [{ name: "Tijolo", sample: new Sample(uploadMs) }],
        aim: {
          of: "upload → running",
          value: new Sample(uploadMs).median,
          unit: "ms",
          limit: aimUploadMs,
          isReachedBy: "at most",
        },
      },
    ];
  },
};
