/**
 * A host whose line goes dead without a word: calls end at a deadline, nothing is changed, and what was
 * accepted is not lost.
 */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { simulatedBot, TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

/** Creates a cluster whose only host dials through the proxy. */
async function clusterBehind(): Promise<{ cluster: TestCluster; proxy: FaultyProxy }> {
  const cluster = await TestCluster.create();
  const proxy = await FaultyProxy.start(Number(new URL(cluster.centralUrl).port));
  await cluster.host.stop();
  cluster.host.centralUrl = `http://127.0.0.1:${proxy.port}`;
  await cluster.host.start();
  await cluster.untilConnected();
  return { cluster, proxy };
}

suite("a silent host", { concurrency: 2 }, () => {
  test("ends a log that is being asked for with server_unavailable, and soon every action, with nothing changed", async () => {
    const { cluster, proxy } = await clusterBehind();
    await using _cluster = cluster;
    await using _proxy = proxy;
    const { key, client } = await cluster.createAccount({ scopes: ["projects:settings"] });
    const project = await SimulatedProject.create({ client }, "sim print up; run");
    const before = await project.is("running");
    const ask = async (method: string, path: string): Promise<ApiAnswer> =>
      apiRequest(cluster.centralUrl, { method, path: `/api/projects/${project.id}/${path}`, token: key });
    const logs = () => ask("GET", "logs?follow=false");
    await until(async () => (await logs()).text.includes("up"));

    proxy.mode = "silent";
    const unanswered = await logs();
    assertContract("streamLogs", unanswered);
    assert.equal(unanswered.code, "server_unavailable");
    await cluster.untilConnected(0);
    const unavailable = { name: "ApiError", code: "server_unavailable", status: 503 };
    await assert.rejects(project.start(), unavailable);
    await assert.rejects(project.stop(), unavailable);
    await assert.rejects(project.restart(), unavailable);
    await assert.rejects(project.upload("sim exit 1"), unavailable);
    await assert.rejects(client.updateProject({ id: project.id, body: { memoryMb: 512 } }), unavailable);
    await assert.rejects(
      client.createProject({ fields: {}, file: await simulatedBot("sim run") }),
      unavailable,
    );
    const { usage: _before, ...kept } = before;
    const { usage: _now, ...now } = await project.get();
    assert.deepEqual(now, kept);

    proxy.mode = "pass";
    proxy.cut();
    await until(async () => (await cluster.connectedHosts()) === 1, { timeoutMs: 40_000 });
    await until(async () => (await logs()).text.includes("up"));
    assert.equal((await project.get()).startedAt, before.startedAt, "the program never noticed");
    assert.equal(cluster.host.machine.startCounts.get(project.id), 1);
  });

  test("that nobody has noticed yet gets what was accepted for it when the line is back", async () => {
    const { cluster, proxy } = await clusterBehind();
    await using _cluster = cluster;
    await using _proxy = proxy;
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run", { start: false });
    await project.is("stopped");
    proxy.mode = "silent";
    assert.equal((await project.start()).status, "restarting");
    assert.equal(cluster.host.machine.startCounts.get(project.id), undefined, "the host has not heard of it");
    await cluster.untilConnected(0);
    proxy.mode = "pass";
    proxy.cut();
    await project.is("running", 40_000);
    assert.equal(cluster.host.machine.startCounts.get(project.id), 1);
  });
});
