/** Tests what a panel's live stream shows: all projects first, then each change. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { LiveReader } from "../support/live/live-reader.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

test("a stream begins with all projects, and shows each change and each deletion", async () => {
  const ana = await PanelSession.signUp(cluster);
  const first = await SimulatedProject.create(ana, "sim run");
  await first.is("running");
  await using live = await LiveReader.whole(ana);
  assert.deepEqual([...live.state.projects.keys()], [first.id]);
  assert.equal(live.state.account?.id, ana.accountId);
  assert.equal(live.state.unread, 0);

  const second = await SimulatedProject.create(ana, "sim run", { start: false });
  await live.shows(second.id, ({ project }) => project.status === "stopped");
  await until(() => live.state.account?.projects.used === 2);
  assert.ok(live.of("project").some(({ data }) => data.action === "installing"));

  await ana.client.updateProject({ id: first.id, body: { name: "outro nome" } });
  await live.shows(first.id, ({ project }) => project.name === "outro nome");
  await ana.client.updateProject({ id: first.id, body: { memoryMb: 300 } });
  await live.shows(
    first.id,
    ({ waiting, isRestartRequired }) => isRestartRequired && waiting.join() === "memoryMb",
  );
  await ana.client.setVariables({ id: first.id, body: { variables: { COLOUR: "red" } } });
  await live.shows(first.id, ({ waiting }) => waiting.join() === "memoryMb,variables");
  await first.restart();
  await live.shows(first.id, ({ project, waiting }) => project.status === "running" && waiting.length === 0);
  await ana.client.deleteProject({ id: first.id });
  await until(() => live.find(first.id) === undefined);
  assert.deepEqual(
    live.of("project_deleted").map(({ data }) => data.id),
    [first.id],
  );
  await until(() => live.state.account?.projects.used === 1);
});

test("what is in progress is told until it is done", async () => {
  const ana = await PanelSession.signUp(cluster);
  await using live = await LiveReader.whole(ana);
  const config = { installCommand: "sim gate" };
  const { id } = await SimulatedProject.create(ana, "sim ignore-term; run", { config });
  await live.shows(id, ({ action }) => action === "installing");
  cluster.host.machine.openGate(id);
  await live.shows(id, ({ project, action }) => project.status === "running" && action === null);
  await ana.client.restartProject({ id });
  await live.shows(id, ({ action }) => action === "restarting");
  await ana.client.stopProject({ id });
  await live.shows(id, ({ project, action }) => action === "stopping" && project.status === "running");
  await live.shows(id, ({ project, action }) => project.status === "stopped" && action === null);
});

test("the usage of all running projects comes again and again, without an id", async () => {
  const ana = await PanelSession.signUp(cluster);
  const project = await SimulatedProject.create(ana, "sim run");
  await project.is("running");
  await using live = await LiveReader.whole(ana);
  await until(() => live.of("usage").length >= 2);
  const [event] = live.of("usage");
  assert.equal(event?.id, undefined);
  assert.deepEqual(
    event?.data.projects.map(({ id }) => id),
    [project.id],
  );
  assert.ok(event?.data.projects[0]?.hostSeenAt);
});

test("a notice, its reading, and a suspension are shown", async () => {
  const ana = await PanelSession.signUp(cluster);
  await using live = await LiveReader.whole(ana);
  await cluster.admin.suspendAccount({ accountId: ana.accountId, body: {} });
  await until(() => live.state.account?.suspendedAt !== null);
  await cluster.admin.announce({ body: { text: "Hoje à noite" } });
  await until(() => live.state.unread === 1 && live.state.notice !== null);
  assert.match(live.state.notice?.message ?? "", /Hoje à noite/);
  await ana.client.readAllNotices({});
  await until(() => live.state.unread === 0);
});

test("another account's projects are never seen, not even by a place in its stream", async () => {
  const [ana, bia] = [await PanelSession.signUp(cluster), await PanelSession.signUp(cluster)];
  await using ofAna = await LiveReader.whole(ana);
  const hers = await SimulatedProject.create(ana, "sim run");
  await ofAna.shows(hers.id, ({ project }) => project.status === "running");
  await using ofBia = new LiveReader(bia, ofAna.lastEventId);
  await until(() => ofBia.state.isComplete);
  const own = await SimulatedProject.create(bia, "sim run");
  await ofBia.shows(own.id, ({ project }) => project.status === "running");
  await hers.stop();
  await ofAna.shows(hers.id, ({ project }) => project.status === "stopped");
  await own.stop();
  await ofBia.shows(own.id, ({ project }) => project.status === "stopped");
  assert.ok(!JSON.stringify(ofBia.events).includes(hers.id));
  assert.ok(!JSON.stringify(ofAna.events).includes(own.id));
});
