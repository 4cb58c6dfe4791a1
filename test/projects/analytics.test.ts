/** Visits to a site, from the gateway to `GET /projects/{id}/analytics`. */

import assert from "node:assert/strict";
import { request } from "node:http";
import { readFile, readdir } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { after, before, suite, test } from "node:test";
import { analyticsAnswer, VisitSums, TopValues, type Analytics } from "@tijolo/protocol";
import { createMetricCollector } from "../../central/src/app/metrics/metric-keeping.ts";
import { condenseVisits, storeVisits } from "../../central/src/app/visits/visit-keeping.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const firefox = "Mozilla/5.0 (X11; Linux x86_64; rv:142.0) Gecko/20100101 Firefox/142.0";
const quarterMs = 900_000;
const hourMs = 3_600_000;
const dayMs = 86_400_000;

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas" });
});
after(() => cluster[Symbol.asyncDispose]());

type Query = Parameters<TestAccount["client"]["getAnalytics"]>[0]["query"];

async function analyticsOf(id: string, query: Query = {}): Promise<Analytics> {
  return (await account.client.getAnalytics({ id, query })).analytics;
}

/** A site that nobody visited. */
function site(): Promise<SimulatedProject> {
  return SimulatedProject.create(account, "sim run", {
    start: false,
    config: { type: "site", memoryMb: 512 },
  });
}

interface Counted {
  at: number;
  requests?: number;
  visitors?: readonly number[];
  paths?: readonly string[];
}

/** Stores counts as a gateway hands them over. */
function store(own: TestCluster, projectId: string, counted: readonly Counted[]): Promise<void> {
  const counts = counted.map(({ at, requests = 1, visitors = [1], paths = [] }) => {
    const sums = new VisitSums();
    sums.requests = requests;
    sums.bytes = 100 * requests;
    sums.latency.add(40);
    for (const visitor of visitors) sums.visitors.add(visitor);
    const top = new TopValues();
    for (const path of paths) top.count(path, 100, 1);
    return {
      projectId,
      at: Math.floor(at / quarterMs) * (quarterMs / 1000),
      sums,
      tops: new Map([["paths", top] as const]),
    };
  });
  return storeVisits(own.central.app, counts);
}

suite("analytics of a site", () => {
  test("visits of the gateway are counted, also those that a page answers; no address is stored anywhere", async () => {
    await using own = await TestCluster.create();
    const { client } = await own.createAccount({ plan: "Empresas" });
    const svcJson = JSON.stringify({ language: "static", subdomain: "contado" });
    const file = new File([await zipOf({ "svc.json": svcJson, "index.html": "hello" })], "site.zip");
    const { project } = await client.createProject({ fields: { start: "true" }, file });
    const port = Number(new URL(own.central.pagesUrl).port);
    const get = (path: string, headers: Record<string, string>) =>
      visitOnce(port, "contado.localhost", path, headers);
    await until(async () => (await get("/", { "user-agent": "curl/8.5.0" })) === 200);
    const bots = async () => (await client.getAnalytics({ id: project.id })).analytics.totals.botRequests;
    await until(async () => (await bots()) > 0, { timeoutMs: 30_000, everyMs: 100 });
    const before = (await client.getAnalytics({ id: project.id })).analytics.totals;

    const headers = { "user-agent": firefox, referer: "https://news.example/story?id=1" };
    assert.equal(await get("/?token=secret", headers), 200);
    assert.equal(await get("/missing", headers), 404);
    await own.stopCentral();
    for (const name of await readdir(own.directory, { recursive: true })) {
      if (!/\.(sqlite|sqlite-wal)$/.test(name)) continue;
      const bytes = await readFile(join(own.directory, name), "latin1");
      assert.ok(!bytes.includes("token=secret"), name);
      if (name.includes("metrics")) assert.ok(!/127\.0\.0\.1|Mozilla/.test(bytes), name);
    }
    await own.startCentral();
    const { analytics } = await client.getAnalytics({ id: project.id, query: { interval: "15m" } });
    const { totals, top, latencyMs } = analytics;
    assert.equal(totals.requests - before.requests, 2);
    assert.equal(totals.botRequests, before.botRequests);
    assert.equal(totals.visits, 1);
    assert.ok(totals.bytes > before.bytes);
    assert.ok((latencyMs.p50 ?? 0) > 0);
    const named = (list: { value: string; visits: number; requests: number }[]) =>
      list.map(({ value, visits, requests }) => [value, visits, requests]);
    assert.deepEqual(named(top.paths), [
      ["/", 1, 1],
      ["/missing", 1, 1],
    ]);
    assert.deepEqual(named(top.referrers), [["news.example", 1, 2]]);
    assert.deepEqual(named(top.browsers), [["Firefox", 1, 2]]);
    assert.equal(top.statuses.find(({ value }) => value === "404")?.requests, 1);
    assert.equal(top.bots[0]?.value, "curl");
  });

  test("an empty period has the full shape, and another account's site is not found", async () => {
    const { id } = await site();
    const analytics = await analyticsOf(id);
    assert.ok(analyticsAnswer.safeParse({ analytics }).success);
    assert.deepEqual(
      { ...analytics, start: "", end: "" },
      {
        start: "",
        end: "",
        intervalSeconds: 3_600,
        totals: { visits: 0, requests: 0, bytes: 0, botRequests: 0 },
        latencyMs: { p50: null, p95: null, p99: null },
        series: [],
        top: {
          paths: [],
          referrers: [],
          countries: [],
          devices: [],
          browsers: [],
          systems: [],
          statuses: [],
          methods: [],
          bots: [],
        },
      },
    );
    const other = await cluster.createAccount();
    await assert.rejects(other.client.getAnalytics({ id }), { code: "not_found" });
  });

  test("a period over 31 days, one that ends first and a time that is none are refused, with the field", async () => {
    const { id } = await site();
    for (const [query, field] of [
      ["start=2026-01-01T00:00:00Z&end=2026-02-01T00:00:01Z", "start"],
      ["start=2026-01-02T00:00:00Z&end=2026-01-01T00:00:00Z", "start"],
      ["start=9999-01-01T00:00:00Z", "start"],
      ["start=yesterday", "start"],
      ["end=2026-13-01T00:00:00Z", "end"],
      ["end=1e9", "end"],
      ["interval=5m", "interval"],
      ["interval=15m&interval=1h", "interval"],
    ]) {
      const path = `/api/projects/${id}/analytics?${query}`;
      const answer = await apiRequest(cluster.centralUrl, { method: "GET", path, token: account.key });
      assert.deepEqual(
        [answer.status, answer.code, fieldOf(answer.json)],
        [400, "invalid_request", field],
        query,
      );
    }
    const whole = await analyticsOf(id, { start: "2026-01-01T00:00:00Z", end: "2026-02-01T00:00:00Z" });
    assert.equal(whole.start, "2026-01-01T00:00:00.000Z");
    assert.equal(whole.end, "2026-02-01T00:00:00.000Z");
  });

  test("counts of one step merge: a visitor of both is one, of another day another", async () => {
    const { id } = await site();
    const day = Math.floor(cluster.clock.now() / dayMs) * dayMs - dayMs;
    await store(cluster, id, [{ at: day + hourMs, requests: 2, visitors: [1, 2], paths: ["/", "/"] }]);
    await store(cluster, id, [
      { at: day + hourMs + quarterMs, requests: 3, visitors: [2, 3], paths: ["/", "/a"] },
      { at: day - hourMs, visitors: [1] },
    ]);
    const start = new Date(day - dayMs).toISOString();
    const end = new Date(day + dayMs).toISOString();
    const days = await analyticsOf(id, { start, end, interval: "1d" });
    assert.deepEqual(
      days.series.map(({ visits, requests }) => [visits, requests]),
      [
        [1, 1],
        [3, 5],
      ],
    );
    assert.deepEqual(days.totals, { visits: 4, requests: 6, bytes: 600, botRequests: 0 });
    assert.deepEqual(
      days.top.paths.map(({ value, requests }) => [value, requests]),
      [
        ["/", 3],
        ["/a", 1],
      ],
    );
    const quarters = await analyticsOf(id, { start, end, interval: "15m" });
    assert.deepEqual(
      quarters.series.map(({ at, visits }) => [Date.parse(at) - day, visits]),
      [
        [-hourMs, 1],
        [hourMs, 2],
        [hourMs + quarterMs, 2],
      ],
    );
    const hours = await analyticsOf(id, { start, end });
    assert.deepEqual(
      hours.series.map(({ visits, requests }) => [visits, requests]),
      [
        [1, 1],
        [3, 5],
      ],
    );
  });

  test("quarters are kept for a week and hours for a month; what is older is removed", async () => {
    await using own = await TestCluster.create();
    const { client } = await own.createAccount({ plan: "Empresas" });
    const { id } = await SimulatedProject.create({ client }, "sim run", { start: false });
    const first = own.clock.now();
    const many = Array.from({ length: 60 }, (_, index) => `/${index}`);
    await store(own, id, [{ at: first, paths: [...many, ...many, "/most", "/most", "/most"] }]);
    const rows = async (stepSeconds: number) => {
      const { metrics } = own.central.app;
      return (
        await metrics.selectFrom("visit_step").selectAll().where("step_seconds", "=", stepSeconds).execute()
      ).length;
    };
    const read = async (interval: "15m" | "1h") => {
      const query = {
        start: new Date(first - hourMs).toISOString(),
        end: new Date(first + hourMs).toISOString(),
        interval,
      };
      return (await client.getAnalytics({ id, query })).analytics;
    };
    assert.equal((await read("15m")).intervalSeconds, 900);

    own.clock.advance(2 * hourMs);
    await condenseVisits(own.central.app);
    const { paths } = (await read("1h")).top;
    assert.deepEqual([paths.length, paths[0]?.value], [32, "/most"]);

    own.clock.advance(9 * dayMs);
    await condenseVisits(own.central.app);
    assert.deepEqual([await rows(900), await rows(3_600)], [0, 1]);
    const later = await read("15m");
    assert.deepEqual([later.intervalSeconds, later.totals.requests], [3_600, 1]);

    own.clock.advance(25 * dayMs);
    await condenseVisits(own.central.app);
    assert.deepEqual([await rows(900), await rows(3_600)], [0, 0]);
    assert.deepEqual(await own.central.app.metrics.selectFrom("visit_top").selectAll().execute(), []);
  });

  test("counts of a project that is gone, from next week or from last year are left out, the rest is stored", async () => {
    const { id } = await site();
    const now = cluster.clock.now();
    await store(cluster, id, [{ at: now + 7 * dayMs }, { at: now - 365 * dayMs }, { at: now }]);
    await store(cluster, "01ARZ3NDEKTSV4RRFFQ69G5FAV", [{ at: now }]);
    const start = new Date(now - dayMs).toISOString();
    assert.equal(
      (await analyticsOf(id, { start, end: new Date(now + 8 * dayMs).toISOString() })).totals.requests,
      1,
    );
  });

  test("with a project its visits go", async () => {
    await using own = await TestCluster.create();
    const owner = await own.createAccount({ plan: "Empresas" });
    const { id } = await SimulatedProject.create(owner, "sim run", { start: false });
    await store(own, id, [{ at: own.clock.now(), paths: ["/"] }]);
    const { metrics, db } = own.central.app;
    await db.deleteFrom("project_event").where("project_id", "=", id).execute();
    await db.deleteFrom("placement").where("project_id", "=", id).execute();
    await db.deleteFrom("version").where("project_id", "=", id).execute();
    await db.deleteFrom("project").where("id", "=", id).execute();
    await createMetricCollector(own.central.app)();
    assert.deepEqual(await metrics.selectFrom("visit_step").selectAll().execute(), []);
    assert.deepEqual(await metrics.selectFrom("visit_top").selectAll().execute(), []);
  });

  test("a day's salt survives a restart, and is gone from the disk once the day is over", async () => {
    await using own = await TestCluster.create();
    const saltFile = join(own.directory, "central", "visit-salt");
    const salt = await readFile(saltFile, "utf8");
    await own.stopCentral();
    await own.startCentral();
    assert.equal(await readFile(saltFile, "utf8"), salt);
    own.clock.advance(dayMs);
    await own.central.app.visitSalt.renew();
    const next = await readFile(saltFile, "utf8");
    assert.notEqual(next.slice(11), salt.slice(11));
    own.clock.setBack(3 * dayMs);
    await own.central.app.visitSalt.renew();
    assert.notEqual(
      (await readFile(saltFile, "utf8")).slice(11),
      next.slice(11),
      "a clock that was set back",
    );
  });
});

/** Returns the field that an error names. */
function fieldOf(body: unknown): unknown {
  return typeof body === "object" && body !== null && "field" in body ? body.field : undefined;
}

/** Visits once, on a connection of its own; returns the status. */
function visitOnce(
  port: number,
  host: string,
  path: string,
  headers: Record<string, string>,
): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    request({ host: "127.0.0.1", port, path, headers: { ...headers, host }, agent: false }, (response) => {
      text(response).then(() => resolve(response.statusCode), reject);
    })
      .once("error", reject)
      .end();
  });
}
