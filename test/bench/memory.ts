/**
 * Measures resident memory of central, of the agent, and of what each running project costs beside its own
 * processes.
 */

import { readlinkSync } from "node:fs";
import { basename } from "node:path";
import { DeployedProject, nodeProgram } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import type { Bench, Figure } from "./bench.ts";
import { nodeImage } from "./bench-images.ts";
import { memoryOf, type Memory } from "./process-figures.ts";
import { Sample } from "./sample.ts";

const projectCount = 10;
const settleMs = 12_000;
const aimCentralMb = 120;
const aimAgentMb = 90;
const aimProjectMb = 3;

export const memory: Bench = {
  name: "memory",
  async run(context): Promise<Figure[]> {
    const { resources, say } = context;
    await nodeImage(context);
    const cluster = resources.use(await RealCluster.create());
    const { client } = await cluster.createAccount();
    say(`starting ${projectCount} projects`);
    const projects: DeployedProject[] = [];
    for (let index = 0; index < projectCount; index++) {
      const project = await DeployedProject.create(client, nodeProgram("setInterval(() => {}, 1e6)"));
      await project.is("running");
      projects.push(project);
    }
    await new Promise((resolve) => setTimeout(resolve, settleMs));
    const central = memoryOf(cluster.central.pid ?? 0);
    const agent = memoryOf(cluster.host.agent.pid ?? 0);
    const perProject = projects.map(({ id }) => {
      const beside = cluster.host.pidsOf(id).filter((pid) => !isOwn(pid));
      return beside.reduce((sum, pid) => sum + memoryOf(pid).pssMb, 0);
    });
    return [
      programFigure("Central", central, aimCentralMb),
      programFigure("Agent", agent, aimAgentMb),
      {
        title: `Each of ${projectCount} running projects, beside the project itself`,
        unit: "MB",
        rows: [{ name: "PSS", sample: new Sample(perProject) }],
        aim: {
          of: "PSS",
          value: new Sample(perProject).median,
          unit: "MB",
          limit: aimProjectMb,
          isReachedBy: "at most",
        },
      },
    ];
  },
};

function programFigure(name: string, { pssMb, rssMb }: Memory, limit: number): Figure {
  const bare = bareNodeMemory();
  return {
    title: `${name}, with ${projectCount} projects running`,
    unit: "MB",
    rows: [
      { name: "PSS", sample: new Sample([pssMb]) },
      { name: "RSS", sample: new Sample([rssMb]) },
      { name: "RSS of this bench's own Node", sample: new Sample([bare.rssMb]) },
    ],
    aim: { of: "PSS", value: pssMb, unit: "MB", limit, isReachedBy: "at most" },
  };
}

function bareNodeMemory(): Memory {
  return memoryOf(process.pid);
}

/** The project's program is a Node; all that is there for its sake is none. */
function isOwn(pid: number): boolean {
  return basename(readlinkSync(`/proc/${pid}/exe`)) === "node";
}
