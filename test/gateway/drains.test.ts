/** Gateways are asked to send no visits to a run that is about to be stopped for the next one. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Drain } from "@tijolo/protocol";
import { joinCluster, loadIdentity } from "@tijolo/protocol/kit/link";
import { RawAgent } from "../link/raw-agent.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
const asked: Drain[] = [];

before(async () => {
  cluster = await TestCluster.create();
  const { drains } = cluster.central.app;
  const gateway = {
    drain(drain: Drain) {
      asked.push(drain);
      drains.answer(gateway, drain.drainId);
    },
  };
  drains.register(gateway);
});
after(() => cluster[Symbol.asyncDispose]());

test("a restart, and new code, drain the site's run before it", async () => {
  const account = await cluster.createAccount();
  const config = { type: "site", memoryMb: 512, subdomain: "loja" };
  const site = await SimulatedProject.create(account, "sim listen", { config });
  await site.is("running");
  await account.client.restartProject({ id: site.id });
  await until(() => asked.length === 1);
  await site.is("running");
  await account.client.setSiteSettings({ id: site.id, body: { drainSeconds: 120 } });
  await site.upload("sim listen");
  await until(() => asked.length === 2);
  assert.deepEqual(
    asked.map(({ projectId, runNumber, seconds }) => [projectId, runNumber, seconds]),
    [
      [site.id, 1, 5],
      [site.id, 2, 120],
    ],
  );
});

test("a host drains no site of another host", async () => {
  asked.length = 0;
  const site = await SimulatedProject.create(await cluster.createAccount(), "sim listen", {
    config: { type: "site", memoryMb: 512, subdomain: "padaria" },
  });
  await site.is("running");
  const identity = await loadIdentity(join(cluster.directory, "liar.pem"));
  const { centralUrl } = cluster;
  const { token } = await cluster.admin.createJoinToken({ body: {} });
  const { hostId } = await joinCluster({ centralUrl, token, name: "liar", identity });
  using liar = await RawAgent.open(Number(new URL(centralUrl).port));
  await liar.hello({ hostId, identity });
  await liar.call("drainSite", { projectId: site.id, runNumber: 1, seconds: 300, hasStreams: true });
  assert.deepEqual(asked, []);
});

test("a bot is not drained", async () => {
  asked.length = 0;
  const account = await cluster.createAccount();
  const bot = await SimulatedProject.create(account, "sim run");
  await bot.is("running");
  await account.client.restartProject({ id: bot.id });
  await until(async () => (await account.client.getProject({ id: bot.id })).project.status === "running");
  await bot.is("running");
  assert.deepEqual(asked, []);
});
