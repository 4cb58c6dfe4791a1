/** Tests how a live stream goes on: after a cut, after a restart of central, and while a host is away. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LiveReader } from "../support/live/live-reader.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

test("a reader that comes back gets what changed meanwhile, and nothing else", async () => {
  await using cluster = await TestCluster.create();
  const ana = await PanelSession.signUp(cluster);
  const [kept, changed, gone] = [
    await SimulatedProject.create(ana, "sim run"),
    await SimulatedProject.create(ana, "sim run"),
    await SimulatedProject.create(ana, "sim run"),
  ];
  for (const project of [kept, changed, gone]) await project.is("running");
  const cut = await LiveReader.whole(ana);
  await cut[Symbol.asyncDispose]();
  await changed.stop();
  await changed.is("stopped");
  await ana.client.deleteProject({ id: gone.id });
  await using back = new LiveReader(ana, cut.lastEventId);
  await back.shows(changed.id, ({ project }) => project.status === "stopped");
  await until(() => back.of("project_deleted").length === 1);
  assert.deepEqual(back.of("snapshot"), []);
  assert.equal(back.find(kept.id), undefined);
  const header = await ana.call("GET", "/events?follow=false", { headers: { "last-event-id": "7-7" } });
  assert.equal(header.status, 200);
  await using stranger = new LiveReader(ana, "no place of a stream");
  await until(() => stranger.state.isComplete);
});

test("after a restart of central, an old place brings everything again", async () => {
  await using cluster = await TestCluster.create();
  const ana = await PanelSession.signUp(cluster);
  const project = await SimulatedProject.create(ana, "sim run");
  await project.is("running");
  await using before = await LiveReader.whole(ana);
  await cluster.stopCentral();
  await until(() => before.isOver);
  assert.equal(before.state.ended, null);
  await cluster.startCentral();
  await using after = new LiveReader(ana, before.lastEventId);
  await until(() => after.state.isComplete);
  assert.notEqual(after.lastEventId?.split("-")[0], before.lastEventId?.split("-")[0]);
  await after.shows(project.id, ({ isHostAway, project: { status } }) => !isHostAway && status === "running");
});

test("a host that is away is told at once, with the last contact, and that it is back", async () => {
  await using cluster = await TestCluster.create();
  const ana = await PanelSession.signUp(cluster);
  const project = await SimulatedProject.create(ana, "sim run");
  await project.is("running");
  await using live = await LiveReader.whole(ana);
  assert.equal(live.find(project.id)?.isHostAway, false);
  await cluster.host.stop();
  const away = await live.shows(project.id, ({ isHostAway }) => isHostAway);
  assert.equal(away.project.status, "running");
  assert.ok(away.hostSeenAt !== null);
  await cluster.host.start();
  await live.shows(project.id, ({ isHostAway }) => !isHostAway);
});
