/**
 * Measures what visitors notice of deploys: requests at a steady rate while new code takes over again and
 * again.
 */

import { DeployedProject, nodeProgram, type Upload } from "../real/support/projects/deployed-project.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { SteadyLoad } from "../real/support/projects/steady-load.ts";
import { until } from "../support/until.ts";
import type { Bench, Figure } from "./bench.ts";
import { Sample } from "./sample.ts";

const deployCount = 20;
const perSecond = 100;
const subdomain = "loja";
const patience = { timeoutMs: 120_000, everyMs: 20 };

export const deploys: Bench = {
  name: "deploys",
  async run({ resources, say }): Promise<Figure[]> {
    const cluster = resources.use(await RealCluster.create());
    const { client } = await cluster.createAccount();
    const project = await DeployedProject.create(client, site(1));
    await project.is("running");
    const visitors = resources.use(new SteadyLoad(cluster.gatewayPort, subdomain, { perSecond }));
    await until(() => visitors.hasRead("version 1"), patience);
    const deployMs: number[] = [];
    for (let version = 2; version <= deployCount + 1; version++) {
      const askedMs = performance.now();
      await project.upload(site(version));
      await until(() => visitors.hasRead(`version ${version}`), patience);
      deployMs.push(performance.now() - askedMs);
      await project.is("running");
    }
    const { requests, failures, longestMs } = await visitors.end();
    const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
    say(`${requests} requests, ${failed} failed, longest wait ${Math.round(longestMs)} ms`);
    for (const [failure, count] of failures) say(`${count} × ${failure}`);
    return [
      {
        title: `Visits at ${perSecond} requests a second while ${deployCount} versions follow each other`,
        unit: "requests",
        rows: [
          { name: "all", sample: new Sample([requests]) },
          { name: "failed", sample: new Sample([failed]) },
        ],
        aim: { of: "failed", value: failed, unit: "requests", limit: 0, isReachedBy: "at most" },
      },
      {
        title: "Upload requested → first answer of the new version; longest wait of a visit",
        unit: "ms",
        rows: [
          { name: "deploy", sample: new Sample(deployMs) },
          { name: "longest wait", sample: new Sample([longestMs]) },
        ],
        aim: null,
      },
    ];
  },
};

function site(version: number): Upload {
  const source = `require("node:http").createServer((_, answer) => answer.end("version ${version}")).listen(process.env.PORT);`;
  return nodeProgram(source, { type: "site", subdomain });
}
