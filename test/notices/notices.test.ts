/**
 * Tests that what happens to a project and its host becomes notices: in the list, once each, with a count and
 * read state.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { Client, Notice, NoticeKind } from "@tijolo/protocol";
import { noteLimits } from "../../central/src/app/notices/note-limits.ts";
import { createSilenceCheck } from "../../central/src/app/notices/silent-hosts.ts";
import { collectHistory } from "../../central/src/app/upkeep/collect-history.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { makeNotice } from "../support/notices/make-notice.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const account = () =>
  cluster.createAccount({ plan: "Empresas", scopes: ["notices:write", "projects:settings"] });

async function noticesOf({ client }: Pick<TestAccount, "client">, kind?: NoticeKind): Promise<Notice[]> {
  const { notices } = await client.listNotices();
  return kind === undefined ? notices : notices.filter((notice) => notice.kind === kind);
}

async function noticeOf(owner: Pick<TestAccount, "client">, kind: NoticeKind): Promise<Notice> {
  return until(async () => (await noticesOf(owner, kind))[0]);
}

suite("a project", { concurrency: 4 }, () => {
  test("that runs out of memory is one notice, however often it does within the hour", async () => {
    const owner = await cluster.createAccount({ plan: "Free" });
    const project = await SimulatedProject.create(owner, "sim oom after 20");
    await project.is("error");
    const notice = await noticeOf(owner, "out_of_memory");
    assert.deepEqual([notice.projectId, notice.isRead, notice.count], [project.id, false, 1]);
    assert.match(notice.message, /128 MB/);
    await project.start();
    const again = await until(async () => (await noticesOf(owner)).find(({ count }) => count === 2));
    assert.equal(again.id, notice.id);
    assert.ok(Date.parse(again.lastAt) > Date.parse(again.at));
  });

  test("that crashes 5 times in a row is a notice with the exit code, in the reader's language", async () => {
    const owner = await account();
    const project = await SimulatedProject.create(owner, "sim exit 3");
    await project.is("crash_loop");
    const notice = await noticeOf(owner, "crash_loop");
    assert.match(notice.title, /5 quedas seguidas/);
    assert.match(notice.message, /código de saída: 3\./);
    const { json } = await apiRequest(cluster.centralUrl, {
      method: "GET",
      path: "/api/notices",
      token: owner.key,
      headers: { "accept-language": "en" },
    });
    assert.match((json as { notices: Notice[] }).notices[0]?.title ?? "", /5 crashes in a row/);
  });

  test("whose new version is not installed, or does not come up, is a notice with the version", async () => {
    const owner = await account();
    const project = await SimulatedProject.create(owner, "sim run");
    await project.is("running");
    await project.upload("sim run", { installCommand: "sim exit 1" });
    const install = await noticeOf(owner, "install_failed");
    assert.deepEqual([install.projectId, install.data["versionNumber"]], [project.id, 2]);
    assert.match(install.title, /versão 2/);
    const other = await SimulatedProject.create(owner, "sim fail-start broken");
    const start = await noticeOf(owner, "start_failed");
    assert.deepEqual([start.projectId, start.data["versionNumber"]], [other.id, 1]);
  });
});

test("limits are told of at 75, 90 and 100 %, once each, and again after a fall, also by the next central", async () => {
  await using own = await TestCluster.create();
  const owner = await own.createAccount({ plan: "Empresas", scopes: ["notices:write", "projects:settings"] });
  const project = await SimulatedProject.create(owner, "sim run", { config: { memoryMb: 1000 } });
  await project.is("running");
  await own.host.stop();
  const [host] = await own.operator.hosts();
  const report = (memoryMb: number, projectId = project.id, hostId = host?.id ?? "") => {
    own.clock.advance(minuteMs);
    const counters = { runNumber: 1, cpuUsec: 0, networkInBytes: 0, networkOutBytes: 0 };
    return noteLimits(own.central.app, hostId, {
      uptimeMs: 1,
      host: { memoryUsedMb: 1, cpuPercent: 1, diskFreeMb: 1 },
      projects: [{ projectId, memoryMb, diskMb: null, ...counters }],
    });
  };
  const told = async () =>
    (await noticesOf(owner, "limit")).map(({ data, count }) => `${String(data["percent"])}×${count}`);
  await report(740);
  assert.deepEqual(await told(), []);
  for (const used of [750, 800, 760, 740, 900, 1000, 1000]) await report(used);
  assert.deepEqual(await told(), ["100×1", "90×1", "75×1"]);
  await own.stopCentral();
  await own.startCentral();
  await report(990);
  assert.deepEqual(await told(), ["100×1", "90×1", "75×1"], "the next central knows what was told");
  await report(600);
  await report(760);
  assert.deepEqual(await told(), ["100×1", "90×1", "75×2"]);
  // A host that speaks of another one's project is not believed.
  await report(600);
  await report(1000, project.id, "01J0000000000000000000000A");
  assert.deepEqual(await told(), ["100×1", "90×1", "75×2"]);
});

test("a machine that is silent for ten minutes is told of once, and not because central was away", async () => {
  await using own = await TestCluster.create();
  const owner = await own.createAccount({ plan: "Empresas", scopes: ["notices:write", "projects:settings"] });
  const stranger = await own.createAccount({ plan: "Empresas" });
  const project = await SimulatedProject.create(owner, "sim run");
  await project.is("running");
  let check = createSilenceCheck(own.central.app);
  own.clock.advance(20 * minuteMs);
  await until(async () => (await own.connectedHosts()) === 1);
  await check();
  assert.deepEqual(await noticesOf(owner), [], "it is connected");
  await own.host.stop();
  await until(async () => (await own.connectedHosts()) === 0);
  await check();
  own.clock.advance(11 * minuteMs);
  await check();
  await check();
  const [notice, ...more] = await noticesOf(owner, "host_maintenance");
  assert.deepEqual([notice?.count, notice?.projectId, more], [1, null, []]);
  assert.match(notice?.message ?? "", /1 projeto seu/);
  assert.deepEqual(await noticesOf(stranger), []);
  await own.stopCentral();
  own.clock.advance(3 * 60 * minuteMs);
  await own.startCentral();
  check = createSilenceCheck(own.central.app);
  await check();
  own.clock.advance(11 * minuteMs);
  await check();
  assert.equal((await noticesOf(owner)).length, 1, "told already, by the central before");
});

test("notices are read one by one and all at once; another account's cannot be", async () => {
  const [owner, other] = [await account(), await account()];
  const ids: string[] = [];
  for (let index = 0; index < 5; index++) {
    ids.push(await makeNotice(cluster, owner.id));
    cluster.clock.advance(1); // those of one millisecond have no order
  }
  const list = async (client: Client, unread: boolean) => {
    const page = await client.listNotices({ query: { unread } });
    return [page.notices.length, page.unread];
  };
  assert.deepEqual(await list(owner.client, true), [5, 5]);
  const [first = ""] = ids;
  await assert.rejects(other.client.readNotice({ noticeId: first }), { code: "not_found" });
  const { notice } = await owner.client.readNotice({ noticeId: first });
  assert.ok(notice.isRead);
  assert.deepEqual(
    [await list(owner.client, true), await list(owner.client, false)],
    [
      [4, 4],
      [5, 4],
    ],
  );
  const once = { idempotencyKey: "read-all" };
  assert.deepEqual(await owner.client.readAllNotices({}, once), { read: 4 });
  assert.deepEqual(await owner.client.readAllNotices({}, once), { read: 4 }, "the first answer again");
  assert.deepEqual(await owner.client.readAllNotices(), { read: 0 });
  assert.deepEqual(await list(owner.client, true), [0, 0]);
  const pages: string[] = [];
  for (let cursor: string | undefined, end = false; !end;) {
    const query: { limit: number; cursor?: string } =
      cursor === undefined ? { limit: 2 } : { limit: 2, cursor };
    const page = await owner.client.listNotices({ query });
    pages.push(...page.notices.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
    end = cursor === undefined;
  }
  assert.deepEqual(pages, ids.toReversed());
  await assert.rejects(owner.client.listNotices({ query: { cursor: "x" } }), { code: "invalid_request" });
});

test("notices are removed after 90 days, with what waited of them", async () => {
  await using own = await TestCluster.create({ hosts: 0 });
  const owner = await own.createAccount();
  const old = await makeNotice(own, owner.id);
  own.clock.advance(91 * dayMs);
  const kept = await makeNotice(own, owner.id);
  await collectHistory(own.central.app);
  assert.deepEqual(
    (await noticesOf(owner)).map(({ id }) => id),
    [kept],
  );
  assert.notEqual(old, kept);
});
