/**
 * Tests static sites through a gateway on their host's machine: nginx answers, whatever becomes of central, of the
 * gateway's program and of the agent.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { TestGateway } from "../../support/cluster/test-gateway.ts";
import { until } from "../../support/until.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { DeployedProject, type Upload } from "../support/projects/deployed-project.ts";
import { SteadyLoad } from "../support/projects/steady-load.ts";

let cluster: RealCluster;
let gateway: TestGateway;
let account: TestAccount;
before(async () => {
  cluster = await RealCluster.create();
  gateway = await TestGateway.start(cluster);
  account = await cluster.createAccount({ scopes: ["projects:settings"] });
});
after(async () => {
  await gateway[Symbol.asyncDispose]();
  await cluster[Symbol.asyncDispose]();
});

function site(subdomain: string, version: number, files: Record<string, string> = {}): Upload {
  return {
    files: { "index.html": `version ${version}`, "404.html": `none in ${version}`, ...files },
    config: { language: "static", subdomain },
  };
}

const get = (subdomain: string, path = "/") => gateway.get(`${subdomain}.localhost`, { path });

/** True when nginx answers: its answers alone have an ETag that is not weak. */
async function isByNginx(subdomain: string): Promise<boolean> {
  const { headers } = await get(subdomain);
  return headers.etag !== undefined && !headers.etag.startsWith("W/");
}

async function deploy(upload: Upload): Promise<DeployedProject> {
  const project = await DeployedProject.create(account.client, upload);
  await project.is("running");
  await until(() => isByNginx(String(upload.config?.["subdomain"])), { timeoutMs: 120_000, everyMs: 50 });
  return project;
}

test("deploys under load fail no visit", async (t) => {
  const project = await deploy(site("vitrine", 1));
  await using visitors = new SteadyLoad(gateway.httpPort, "vitrine", { perSecond: 30 });
  for (const version of [2, 3, 4]) {
    await project.upload(site("vitrine", version));
    await until(() => visitors.hasRead(`version ${version}`), { timeoutMs: 60_000, everyMs: 20 });
    await project.is("running");
  }
  const report = await visitors.end();
  t.diagnostic(`${report.requests} requests; longest wait ${Math.round(report.longestMs)} ms`);
  assert.deepEqual([...report.failures], []);
  assert.deepEqual([...report.texts].sort(), ["version 1", "version 2", "version 3", "version 4"]);
  assert.deepEqual(await get("vitrine", "/none").then(({ status, body }) => [status, body]), [
    404,
    "none in 4",
  ]);
  assert.equal((await get("vitrine", "/svc.json")).status, 404);
});

test("a visit needs neither central nor the agent, and the next ones take over what serves", async () => {
  const project = await deploy(site("sozinha", 1, { "docs/index.html": "docs" }));
  await cluster.central.kill();
  await cluster.host.agent.kill();
  for (const [path, status, body] of [
    ["/", 200, "version 1"],
    ["/docs/", 200, "docs"],
    ["/none", 404, "none in 1"],
  ] as const)
    assert.deepEqual(await get("sozinha", path).then((answer) => [answer.status, answer.body]), [
      status,
      body,
    ]);
  assert.equal((await get("sozinha", "/docs")).headers.location, "/docs/");
  await cluster.host.agent.start();
  assert.equal((await get("sozinha")).body, "version 1");
  await cluster.startCentral();
  await cluster.untilConnected();
  await project.upload(site("sozinha", 2));
  await until(async () => (await get("sozinha")).body === "version 2", { timeoutMs: 60_000, everyMs: 50 });
  assert.ok(await isByNginx("sozinha"));
});

test("maintenance, a stop and a start are followed, and a removed site leaves no file behind", async () => {
  const project = await deploy(site("pausada", 1));
  const { client } = account;
  const settings = { maintenance: true, hsts: true, compression: true };
  await client.setSiteSettings({ id: project.id, body: settings });
  await until(async () => (await get("pausada")).status === 503);
  await client.setSiteSettings({ id: project.id, body: { ...settings, maintenance: false } });
  await until(() => isByNginx("pausada"));
  await client.stopProject({ id: project.id });
  await project.is("stopped");
  await until(async () => (await get("pausada")).body.includes("parado"));
  await client.startProject({ id: project.id });
  await project.is("running");
  await until(() => isByNginx("pausada"));
  await cluster.operator.client().deleteProject({ id: project.id });
  await until(async () => (await get("pausada")).status === 404, { timeoutMs: 60_000 });
});
