/**
 * A host counts as connected once it has told what it holds: a change before that might reuse a number of a
 * newer state that it has.
 */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { loadIdentity } from "@tijolo/protocol/kit/link";
import { RawAgent } from "../link/raw-agent.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

test("an agent is connected when it asks what is wanted", async () => {
  await using cluster = await TestCluster.create();
  const { host } = cluster;
  const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
  await project.is("running");
  const hostId = host.agent?.hostId ?? "";
  const epoch = cluster.central.epoch;
  await host.stop();
  await until(async () => (await cluster.connectedHosts()) === 0);
  const identity = await loadIdentity(join(host.dataDirectory, "identity.pem"));
  using raw = await RawAgent.open(Number(new URL(cluster.centralUrl).port));
  await raw.hello({ hostId, identity }, { more: { epoch } });
  assert.equal(await cluster.connectedHosts(), 0);
  await assert.rejects(project.stop(), { code: "server_unavailable" });
  await raw.call("inventory", { projects: [] });
  assert.equal(await cluster.connectedHosts(), 0);
  void raw.call("desired", { revision: 0, setHash: "" }, "subscription").catch(() => {});
  await until(async () => (await cluster.connectedHosts()) === 1);
  // A newer connection takes the place of the one that told.
  using newer = await RawAgent.open(Number(new URL(cluster.centralUrl).port));
  await newer.hello({ hostId, identity }, { more: { epoch } });
  assert.equal(await cluster.connectedHosts(), 0);
});
