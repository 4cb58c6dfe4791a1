/**
 * Tests what visitors of a site meet while its code is replaced, while it restarts, and while it is slow to
 * start, on real containers behind a real HAProxy: they wait, and get an answer in time.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, type Upload } from "../support/projects/deployed-project.ts";
import { TestGateway } from "../../support/cluster/test-gateway.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { SteadyLoad, tellLoad } from "../support/projects/steady-load.ts";
import { visit } from "../support/projects/visit.ts";

/** Longest time for which a visit is held, with what a busy machine needs beside it. */
const answeredWithinMs = 10_000 + 4_000;

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

/** Returns a site that answers its version; it listens after a while, and ends itself at `/exit`. */
function site(subdomain: string, version: number, listenAfterMs = 0): Upload {
  const source = `
    const server = require("node:http").createServer((request, answer) => {
      if (request.url === "/exit") answer.on("finish", () => setTimeout(() => process.exit(9), 50));
      answer.end("version ${version}");
    });
    setTimeout(() => server.listen(process.env.PORT), ${listenAfterMs});`;
  return nodeProgram(source, { type: "site", subdomain });
}

async function deploy(upload: Upload): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, upload);
  await project.is("running");
  return project;
}

const reads = (subdomain: string, text: string) =>
  until(async () => (await visit(gateway.httpPort, subdomain)).text === text, {
    timeoutMs: 60_000,
    everyMs: 100,
  });
const load = (subdomain: string, perSecond?: number, port = gateway.httpPort) =>
  new SteadyLoad(port, subdomain, perSecond === undefined ? {} : { perSecond });

/** The bench `deploys` makes 50 at 200 requests a second, which a busy machine cannot answer. */
const ways = {
  "the gateway": () => gateway.httpPort,
  "central, where there is no gateway": () => cluster.gatewayPort,
};
for (const [way, port] of Object.entries(ways))
  test(`three deploys under 30 requests a second fail no visit through ${way}`, async (t) => {
    const project = await deploy(site("loja", 1));
    await reads("loja", "version 1");
    await using visitors = load("loja", 30, port());
    for (const version of [2, 3, 4]) {
      await project.upload(site("loja", version));
      await until(() => visitors.hasRead(`version ${version}`), { timeoutMs: 60_000, everyMs: 20 });
      await project.is("running");
    }
    const report = await visitors.end();
    tellLoad(t, report);
    assert.deepEqual([...report.failures], []);
    assert.deepEqual([...report.texts].sort(), ["version 1", "version 2", "version 3", "version 4"]);
    await cluster.operator.client().deleteProject({ id: project.id });
  });

test("a restart, and a new version that takes 5 s to listen, fail no visit", async (t) => {
  const project = await deploy(site("lenta", 1));
  await reads("lenta", "version 1");
  await using visitors = load("lenta", 30);
  await account.client.restartProject({ id: project.id });
  await project.is("running");
  await project.upload(site("lenta", 2, 5_000));
  await until(() => visitors.hasRead("version 2"), { timeoutMs: 60_000, everyMs: 20 });
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
  assert.ok(report.longestMs >= 5_000, "visits waited for the new version");
});

test("a site with a health path gets its visits once it answers there, under its own name", async (t) => {
  const source = (version: number, readyAfterMs: number) => `
    const began = Date.now();
    require("node:http").createServer((request, answer) => {
      const isReady = Date.now() - began > ${readyAfterMs};
      if (request.url === "/health") console.log(request.headers.host, request.headers["user-agent"], isReady);
      answer.writeHead(isReady ? 200 : 503).end("version ${version}");
    }).listen(process.env.PORT);`;
  const siteOf = (version: number, readyAfterMs: number) =>
    nodeProgram(source(version, readyAfterMs), { type: "site", subdomain: "saudavel" });
  const project = await deploy(siteOf(1, 0));
  await reads("saudavel", "version 1");
  await account.client.setSiteSettings({ id: project.id, body: { healthPath: "/health" } });
  await using visitors = load("saudavel", 30);
  await project.upload(siteOf(2, 3_000));
  await until(() => visitors.hasRead("version 2"), { timeoutMs: 60_000, everyMs: 20 });
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], [], "no visit met the program before it was ready");
  assert.ok(report.longestMs >= 3_000, "visits waited until it was");
  await project.prints("Tijolo-Health/1.0 true");
  const asked = (await project.output()).filter((line) => line.includes("Tijolo-Health"));
  // The first version may be asked, too, where the setting was quicker than the news that it is up.
  for (const line of asked) assert.match(line, /^saudavel\.\S+ Tijolo-Health\/1\.0 (?:true|false)$/);
  assert.ok(asked.some((line) => line.endsWith(" false")));
  assert.match(asked.at(-1) ?? "", / true$/);
});

test("a response of 12 s ends before its run is replaced, as its site wants, and visits wait for that", async (t) => {
  const source = `
    const began = Date.now();
    require("node:http").createServer((request, answer) => {
      if (request.url !== "/slow") return answer.end("began " + began);
      console.log("slow");
      answer.write("begin,");
      setTimeout(() => answer.end("end"), 12_000);
    }).listen(process.env.PORT);`;
  const project = await deploy(nodeProgram(source, { type: "site", subdomain: "paciente" }));
  await until(async () => (await visit(gateway.httpPort, "paciente")).text.startsWith("began"));
  await account.client.setSiteSettings({ id: project.id, body: { drainSeconds: 60 } });
  const slow = visit(gateway.httpPort, "paciente", "/slow");
  await project.prints("slow");
  const { text: before } = await visit(gateway.httpPort, "paciente");
  await account.client.restartProject({ id: project.id });
  await using visitors = load("paciente", 5);
  assert.equal((await slow).text, "begin,end");
  await until(async () => (await visit(gateway.httpPort, "paciente")).text !== before);
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
  assert.ok(report.longestMs > 10_000, "a visit waited for longer than for a run alone");
});

test("visits after a crash wait for the next run", async (t) => {
  const project = await deploy(site("queda", 1));
  await reads("queda", "version 1");
  await visit(gateway.httpPort, "queda", "/exit");
  await project.when(({ consecutiveCrashes }) => consecutiveCrashes === 1);
  await using visitors = load("queda", 30);
  await until(() => visitors.hasRead("version 1"), { timeoutMs: 30_000, everyMs: 20 });
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual([...report.failures], []);
});

test("visitors of a new version that crashes at its start get an answer in time, each", async (t) => {
  const project = await deploy(site("quebrada", 1));
  await reads("quebrada", "version 1");
  // Visitors may see it before its agent does, and only what the agent has seen is gone back to.
  await until(async () => (await account.client.getProject({ id: project.id })).isStarting === undefined);
  await using visitors = load("quebrada", 20);
  const broken = nodeProgram(`setTimeout(() => process.exit(3), 200);`, {
    type: "site",
    subdomain: "quebrada",
  });
  await project.upload(broken);
  await project.when(({ error }) => error?.code === "start_failed");
  const report = await visitors.end();
  tellLoad(t, report);
  assert.deepEqual(
    [...report.failures.keys()].filter((failure) => !failure.startsWith("503 ")),
    [],
  );
  assert.ok(report.longestMs < answeredWithinMs, `a visit took ${report.longestMs} ms`);
});

test("an agent that is killed in the middle of a swap leaves no visit hanging, and the site comes back", async (t) => {
  const { host } = cluster;
  const project = await deploy(site("morta", 1));
  await reads("morta", "version 1");
  const before = host.pidsOf(project.id);
  await using visitors = load("morta", 20);
  await project.upload(site("morta", 2, 1_000));
  await until(() => !before.some((pid) => host.pidsOf(project.id).includes(pid)), {
    timeoutMs: 60_000,
    everyMs: 5,
  });
  await host.agent.kill();
  await host.agent.start();
  await until(() => visitors.hasRead("version 2"), { timeoutMs: 60_000, everyMs: 20 });
  const report = await visitors.end();
  tellLoad(t, report);
  assert.ok(report.longestMs < answeredWithinMs, `a visit took ${report.longestMs} ms`);
  await project.is("running");
});

test("a site that is slow to listen is starting, for visitors and for its owner, and is not accused", async () => {
  const project = await deploy(site("devagar", 1, 15_000));
  const startedAt = performance.now();
  const page = await visit(gateway.httpPort, "devagar");
  assert.ok(performance.now() - startedAt < answeredWithinMs);
  assert.deepEqual([page.status, page.text.includes("O site está iniciando…")], [503, true]);
  const shown = await account.client.getProject({ id: project.id });
  assert.deepEqual([shown.isStarting, shown.project.status], [true, "running"]);
  await reads("devagar", "version 1");
  await until(async () => (await account.client.getProject({ id: project.id })).isStarting === undefined);
  const said = (await project.lines({ section: "app" })).map(({ text }) => text).join("\n");
  assert.doesNotMatch(said, /ouve a porta/);
});
