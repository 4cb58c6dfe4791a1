/**
 * Measures what visitors at a gateway notice of deploys, and of a central that is away: requests at a steady rate
 * while new code takes over again and again, in each of the two ways that runs give way, and then while central is
 * away for minutes (`BENCH_AWAY_MINUTES`, 2 by default).
 */

import { setTimeout as delay } from "node:timers/promises";
import { deployModes, type DeployMode } from "@tijolo/protocol";
import { DeployedProject, nodeProgram, type Upload } from "../real/support/projects/deployed-project.ts";
import { TestGateway } from "../support/cluster/test-gateway.ts";
import { RealCluster } from "../real/support/cluster/real-cluster.ts";
import { SteadyLoad, type LoadReport } from "../real/support/projects/steady-load.ts";
import { until } from "../support/until.ts";
import type { Bench, Figure } from "./bench.ts";
import { Sample } from "./sample.ts";

const deployCount = 50;
const perSecond = 200;
const settleMs = 2_000;
/** Minutes for which central is away. */
const awayMinutes = Number(process.env["BENCH_AWAY_MINUTES"] ?? 2);
const subdomain = "loja";
const patience = { timeoutMs: 120_000, everyMs: 20 };

export const deploys: Bench = {
  name: "deploys",
  async run({ resources, say }): Promise<Figure[]> {
    const cluster = resources.use(await RealCluster.create());
    const { client } = await cluster.createAccount();
    const project = await DeployedProject.create(client, site(1));
    await project.is("running");
    const gateway = resources.use(await TestGateway.start(cluster));
    const load = () => resources.use(new SteadyLoad(gateway.httpPort, subdomain, { perSecond }));
    let version = 1;
    const figures: Figure[] = [];
    for (const deploy of deployModes) {
      await client.setSiteSettings({ id: project.id, body: { deploy } });
      say(`${deployCount} deploys, ${deploy}`);
      const visitors = load();
      await until(() => visitors.hasRead(`version ${version}`), patience);
      const deployMs: number[] = [];
      for (let count = 0; count < deployCount; count++) {
        const askedMs = performance.now();
        await project.upload(site(++version));
        await until(() => visitors.hasRead(`version ${version}`), patience);
        deployMs.push(performance.now() - askedMs);
        await project.is("running");
      }
      figures.push(...figuresOf(deploy, deployMs, told(await visitors.end(), say)));
    }
    say(`central is killed for ${awayMinutes} min`);
    const unwatched = load();
    await delay(settleMs); // the gateway has heard of the last run
    await cluster.central.kill();
    await delay(awayMinutes * 60_000);
    const away = told(await unwatched.end(), say);
    await cluster.startCentral();
    return [
      ...figures,
      {
        title: `Visits at ${perSecond} requests a second while central is away for ${awayMinutes} min`,
        unit: "requests",
        rows: [
          { name: "all", sample: new Sample([away.requests]) },
          { name: "failed", sample: new Sample([away.failed]) },
        ],
        aim: { of: "failed", value: away.failed, unit: "requests", limit: 0, isReachedBy: "at most" },
      },
    ];
  },
};

function figuresOf(
  deploy: DeployMode,
  deployMs: number[],
  { requests, failed, longestMs }: ReturnType<typeof told>,
): Figure[] {
  return [
    {
      title: `Visits at ${perSecond} requests a second while ${deployCount} versions follow each other (${deploy})`,
      unit: "requests",
      rows: [
        { name: "all", sample: new Sample([requests]) },
        { name: "failed", sample: new Sample([failed]) },
      ],
      aim: { of: "failed", value: failed, unit: "requests", limit: 0, isReachedBy: "at most" },
    },
    {
      title: `Upload requested → first answer of the new version; longest wait of a visit (${deploy})`,
      unit: "ms",
      rows: [
        { name: "deploy", sample: new Sample(deployMs) },
        { name: "longest wait", sample: new Sample([longestMs]) },
      ],
      aim: null,
    },
  ];
}

function told({ requests, failures, longestMs }: LoadReport, say: (line: string) => void) {
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0);
  say(`${requests} requests, ${failed} failed, longest wait ${Math.round(longestMs)} ms`);
  for (const [failure, count] of failures) say(`${count} × ${failure}`);
  return { requests, failed, longestMs };
}

function site(version: number): Upload {
  const source = `require("node:http").createServer((_, answer) => answer.end("version ${version}")).listen(process.env.PORT);`;
  return nodeProgram(source, { type: "site", subdomain });
}
