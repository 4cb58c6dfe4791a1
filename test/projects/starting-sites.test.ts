/** Tests that a site which runs and does not listen yet is shown as starting, until it listens. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { freePort } from "../support/machine/free-port.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

test("a site is starting until it listens, and again after each start", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount();
  const { machine } = cluster.host;
  const config = { type: "site", memoryMb: 512, port: await freePort(), subdomain: "lento" };
  const site = await SimulatedProject.create(account, "sim run", { config, start: false });
  const isStarting = async () => (await site.client.getProject({ id: site.id })).isStarting;
  const startingIds = async (query = {}) => (await site.client.listProjects({ query })).startingIds;
  await site.is("stopped");
  assert.equal(await isStarting(), undefined);
  assert.equal(await startingIds(), undefined);
  machine.silentSites.add(site.id);
  for (const ask of [() => site.start(), () => site.restart()]) {
    await ask();
    await until(isStarting);
    assert.equal((await site.get()).status, "running");
    for (const query of [{}, { limit: 1 }]) assert.deepEqual(await startingIds(query), [site.id]);
    machine.silentSites.delete(site.id);
    await until(async () => (await isStarting()) === undefined);
    for (const query of [{}, { limit: 1 }]) assert.equal(await startingIds(query), undefined);
    await site.is("running");
    machine.silentSites.add(site.id);
  }
});

test("an agent that begins anew goes on watching a site that does not listen yet", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount();
  const { host } = cluster;
  const config = { type: "site", memoryMb: 512, port: await freePort(), subdomain: "lento" };
  const site = await SimulatedProject.create(account, "sim run", { config, start: false });
  const isStarting = async () => (await site.client.getProject({ id: site.id })).isStarting;
  await site.is("stopped");
  host.machine.silentSites.add(site.id);
  await site.start();
  await until(isStarting);
  await host.stop();
  await host.start();
  await cluster.untilConnected();
  assert.equal(await isStarting(), true);
  host.machine.silentSites.delete(site.id);
  await until(async () => (await isStarting()) === undefined);
});
