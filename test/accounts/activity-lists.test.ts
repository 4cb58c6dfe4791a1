/**
 * The lists of an account's activity and of a project's events: their order, their pages, and how long both
 * are kept.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { activityEntry, makeId, projectEvent, type ActivityEntry } from "@tijolo/protocol";
import { collectHistory } from "../../central/src/app/upkeep/collect-history.ts";
import { activePerson, entriesOf } from "../support/people/active-person.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const dayMs = 86_400_000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

suite("lists", { concurrency: 3 }, () => {
  test("activity comes newest first, in pages that lose and repeat nothing", async () => {
    const { ana, key, project } = await activePerson(cluster);
    for (let count = 0; count < 7; count++)
      await key.client.updateProject({ id: project.id, body: { description: `n ${count}` } });
    const { activity: all, nextCursor } = await key.client.listActivity();
    assert.equal(nextCursor, null);
    assert.deepEqual(
      all.map(({ id }) => id),
      (await entriesOf(cluster, ana.accountId)).map(({ id }) => id).toReversed(),
    );
    const paged: ActivityEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await key.client.listActivity({
        query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) },
      });
      assert.ok(page.activity.length === 2 || page.nextCursor === null);
      // What is new meanwhile does not move the pages.
      await key.client.updateProject({ id: project.id, body: { description: `later ${paged.length}` } });
      paged.push(...page.activity);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(paged, all);
    for (const entry of all) assert.ok(activityEntry.safeParse(entry).success);
  });

  test("a cursor that is none of ours, and a limit out of range, are invalid_request", async () => {
    const { key, project } = await activePerson(cluster);
    const paths = ["/account/activity", `/projects/${project.id}/events`];
    const queries = [
      "cursor=x",
      "cursor=",
      "cursor=1-1-1",
      "cursor=1-f1",
      "cursor=1-x00000000000000000000000000",
      "cursor=-1",
      "cursor=%00",
      `cursor=${"9".repeat(200)}`,
      "limit=0",
      "limit=201",
      "limit=x",
      "page=2",
    ];
    for (const path of paths) {
      for (const query of queries) {
        const { code } = await apiRequest(cluster.centralUrl, {
          method: "GET",
          path: `/api${path}?${query}`,
          token: key.secret,
        });
        assert.equal(code, "invalid_request", `${path}?${query}`);
      }
    }
    const other = await activePerson(cluster);
    await assert.rejects(other.key.client.listProjectEvents({ id: project.id }), { code: "not_found" });
    const foreign = await other.key.client.listActivity();
    assert.ok(!JSON.stringify(foreign).includes(project.id));
  });

  test("a project's events are what was done to it and how its runs ended, in one order over all pages", async () => {
    const { key, project } = await activePerson(cluster);
    await key.client.updateProject({ id: project.id, body: { command: "sim exit 3" } });
    cluster.clock.advance(1);
    await project.start();
    await project.is("crash_loop", 120_000);
    const { events } = await key.client.listProjectEvents({ id: project.id });
    for (const event of events) assert.ok(projectEvent.safeParse(event).success, JSON.stringify(event));
    const crashes = events.filter(({ kind }) => kind === "crash");
    assert.equal(crashes.length, 5);
    assert.deepEqual([crashes[0]?.exit, crashes[0]?.actor], [{ code: 3, isOutOfMemory: false }, null]);
    assert.deepEqual(
      events.filter(({ kind }) => kind !== "crash").map(({ kind, actor }) => [kind, actor?.name]),
      [
        ["crash_loop", undefined],
        ["start", "bot de deploy"],
        ["settings", "bot de deploy"],
        ["create", "bot de deploy"],
      ],
    );
    const times = events.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    for (const limit of [1, 2, 3, 7]) {
      const paged: typeof events = [];
      let cursor: string | undefined;
      do {
        const page = await key.client.listProjectEvents({
          id: project.id,
          query: { limit, ...(cursor === undefined ? {} : { cursor }) },
        });
        paged.push(...page.events);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(paged, events, `pages of ${limit}`);
    }
  });

  test("of events in one millisecond none is lost between pages", async () => {
    const { key, project, ana } = await activePerson(cluster);
    const { db } = cluster.central.app;
    const { host_id } = await db
      .selectFrom("placement")
      .select("host_id")
      .where("project_id", "=", project.id)
      .executeTakeFirstOrThrow();
    const [sample] = await db
      .selectFrom("activity")
      .selectAll()
      .where("project_id", "=", project.id)
      .execute();
    assert.ok(sample !== undefined);
    const at = cluster.clock.now() - 1_000;
    for (let index = 0; index < 3; index++) {
      const id = makeId(at, Buffer.alloc(10, index + 1));
      await db
        .insertInto("activity")
        .values({ ...sample, id, at, action: "project.restart" })
        .execute();
      const exit = { code: index, is_out_of_memory: 0, is_crash: index % 2, exited_at: at };
      await db
        .insertInto("project_exit")
        .values({ project_id: project.id, host_id, sequence: 1e9 + index, run_number: index, ...exit })
        .execute();
      const failure = { kind: "start_failed", error_code: "start_failed", error_details: "[]" };
      await db
        .insertInto("project_event")
        .values({
          id: makeId(at, Buffer.alloc(10, index)),
          project_id: project.id,
          at,
          ...failure,
          version_number: 1,
        })
        .execute();
    }
    const { events } = await key.client.listProjectEvents({ id: project.id });
    assert.equal(events.filter((event) => event.at === new Date(at).toISOString()).length, 9);
    const kinds = events.filter((event) => event.at === new Date(at).toISOString()).map(({ kind }) => kind);
    assert.deepEqual(kinds.slice(0, 3), Array(3).fill("start_failed"));
    assert.deepEqual(kinds.slice(6), Array(3).fill("restart"));
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await key.client.listProjectEvents({
        id: project.id,
        query: { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
      });
      paged.push(...page.events.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(
      paged,
      events.map(({ id }) => id),
    );
    assert.ok((await entriesOf(cluster, ana.accountId)).length > 3);
  });
});

test("activity is kept for 180 days, exits and failures for 30, and then goes in bounded steps", async () => {
  await using own = await TestCluster.create();
  const { app } = own.central;
  const ana = await PanelSession.signUp(own);
  const project = await SimulatedProject.create({ client: ana.client }, "sim exit 0");
  await until(async () =>
    (await ana.client.listProjectEvents({ id: project.id })).events.some(({ kind }) => kind === "exit"),
  );
  const [sample] = await app.db.selectFrom("activity").selectAll().execute();
  assert.ok(sample !== undefined);
  const old = app.clock.now() - 170 * dayMs;
  for (let index = 0; index < 600; index++) {
    const id = makeId(old + index, Buffer.alloc(10));
    await app.db
      .insertInto("activity")
      .values({ ...sample, id, at: old + index })
      .execute();
  }
  const failedAt = app.clock.now();
  const failure = { at: failedAt, kind: "start_failed", error_code: "start_failed", error_details: "[]" };
  await app.db
    .insertInto("project_event")
    .values({ id: makeId(failedAt, Buffer.alloc(10)), project_id: project.id, version_number: 1, ...failure })
    .execute();
  const counts = async () => {
    const rows = await app.db.selectFrom("activity").select("id").execute();
    const exits = await app.db.selectFrom("project_exit").select("sequence").execute();
    const failures = await app.db.selectFrom("project_event").select("id").execute();
    return [rows.length, exits.length, failures.length];
  };
  const [activity = 0, exits = 0] = await counts();
  assert.ok(activity > 600 && exits === 1);
  await collectHistory(app);
  assert.deepEqual(await counts(), [activity, exits, 1]);
  own.clock.advance(11 * dayMs);
  await collectHistory(app);
  assert.deepEqual(await counts(), [activity - 600, exits, 1]);
  own.clock.advance(20 * dayMs);
  await collectHistory(app);
  assert.deepEqual(await counts(), [activity - 600, 0, 0]);
  own.clock.advance(160 * dayMs);
  await collectHistory(app);
  assert.deepEqual(await counts(), [0, 0, 0]);
});
