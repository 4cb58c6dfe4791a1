import assert from "node:assert/strict";
import { test } from "node:test";
import { projectWhen, simulatedBot, TestCluster } from "../support/test-cluster.ts";

test("an uploaded bot is installed, started, stopped and started again", async () => {
  await using cluster = await TestCluster.create();
  const { client } = await cluster.createAccount();
  const { project } = await client.createProject({ fields: { start: "true" }, file: await simulatedBot("sim log 3; run") });
  assert.equal(project.status, "creating");
  const running = await projectWhen(client, project.id, ({ status }) => status === "running");
  assert.ok(running.startedAt !== null);
  const stopping = await client.stopProject({ id: project.id });
  assert.equal(stopping.project.status, "running");
  const stopped = await projectWhen(client, project.id, ({ status }) => status === "stopped");
  assert.equal(stopped.consecutiveCrashes, 0);
  assert.equal(stopped.lastExit?.code, 143);
  assert.equal((await client.startProject({ id: project.id })).project.status, "restarting");
  await projectWhen(client, project.id, ({ status }) => status === "running");
});
