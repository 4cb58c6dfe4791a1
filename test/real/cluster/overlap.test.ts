/**
 * Tests what visitors of a site meet whose next run starts beside the one before (`deploy: overlap`), on real
 * containers behind a real HAProxy: they do not even wait.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { TestGateway } from "../../support/cluster/test-gateway.ts";
import { until } from "../../support/until.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { DeployedProject, nodeProgram, type Upload } from "../support/projects/deployed-project.ts";
import { SteadyLoad, tellLoad } from "../support/projects/steady-load.ts";
import { visit } from "../support/projects/visit.ts";

/** Time that a program of these tests takes to listen: visits that waited for it would wait as long. */
const slowMs = 6_000;

let cluster: RealCluster;
let gateway: TestGateway;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  gateway = await TestGateway.start(cluster);
  account = await cluster.createAccount();
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

/** A site that answers its version and what it has written; at `/slow` it answers after 8 s. */
function site(subdomain: string, version: number, listenAfterMs = 0): Upload {
  const source = `
    const { existsSync, writeFileSync } = require("node:fs");
    const hadFile = existsSync("mine");
    writeFileSync("mine", "");
    const server = require("node:http").createServer((request, answer) => {
      if (request.url === "/file") return answer.end(String(hadFile));
      if (request.url !== "/slow") return answer.end("version ${version}");
      console.log("slow ${version}");
      answer.write("version ");
      setTimeout(() => answer.end("${version}"), 8_000);
    });
    setTimeout(() => server.listen(process.env.PORT), ${listenAfterMs});`;
  return nodeProgram(source, { type: "site", subdomain });
}

async function overlapping(subdomain: string): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, site(subdomain, 1));
  await project.is("running");
  await reads(subdomain, "version 1");
  await account.client.setSiteSettings({ id: project.id, body: { deploy: "overlap", drainSeconds: 30 } });
  return project;
}

const reads = (subdomain: string, text: string) =>
  until(async () => (await visit(gateway.httpPort, subdomain)).text === text, {
    timeoutMs: 60_000,
    everyMs: 100,
  });
const load = (subdomain: string, perSecond = 30) =>
  new SteadyLoad(gateway.httpPort, subdomain, { perSecond });

/** Resolves once the project has so many runs. */
const hasRuns = ({ id }: DeployedProject, count: number) =>
  until(() => cluster.host.runNames(id).filter((name) => name.startsWith("run-")).length === count, {
    timeoutMs: 60_000,
    everyMs: 5,
  });

test("three deploys and a restart of a site that is slow to listen: no visit fails, and none waits for it", async (t) => {
  const project = await overlapping("loja");
  await using visitors = load("loja");
  for (const version of [2, 3, 4]) {
    await project.upload(site("loja", version, slowMs));
    await until(() => visitors.hasRead(`version ${version}`), { timeoutMs: 90_000, everyMs: 20 });
    await hasRuns(project, 1);
  }
  await account.client.restartProject({ id: project.id });
  await hasRuns(project, 2);
  await hasRuns(project, 1);
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
  assert.ok(report.longestMs < slowMs, "the run before answered meanwhile");
  assert.equal(
    (await visit(gateway.httpPort, "loja", "/file")).text,
    "false",
    "what a run writes goes with it",
  );
});

test("of a version that does not come up no visitor sees anything, and a response under way ends whole", async (t) => {
  const project = await overlapping("firme");
  await using visitors = load("firme");
  const broken = nodeProgram("setTimeout(() => process.exit(3), 200);", { type: "site", subdomain: "firme" });
  await project.upload(broken);
  await project.when(({ error }) => error?.code === "start_failed");
  await hasRuns(project, 1);
  const slow = visit(gateway.httpPort, "firme", "/slow");
  await project.prints("slow 1");
  await project.upload(site("firme", 3));
  await until(() => visitors.hasRead("version 3"), { timeoutMs: 60_000, everyMs: 20 });
  assert.equal((await slow).text, "version 1");
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([[...report.failures], [...report.texts].sort()], [[], ["version 1", "version 3"]]);
});

test("an agent that is killed while two runs are there: no visit fails, and the new version takes over", async (t) => {
  const project = await overlapping("morta");
  await using visitors = load("morta");
  await project.upload(site("morta", 2, slowMs));
  await hasRuns(project, 2);
  await cluster.host.agent.kill();
  await cluster.host.agent.start();
  await until(() => visitors.hasRead("version 2"), { timeoutMs: 60_000, everyMs: 20 });
  await hasRuns(project, 1);
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
  await project.is("running");
});
