/** A project's usage, from its host's reports to `GET /projects/{id}/metrics`. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { metricRanges, metrics, type MetricPoint, type UsageReport } from "@tijolo/protocol";
import {
  createMetricCollector,
  condenseMetrics,
  writeMetrics,
} from "../../central/src/app/metrics/metric-keeping.ts";
import { takeUsage } from "../../central/src/app/metrics/metric.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create({ hosts: 2 });
  account = await cluster.createAccount({ plan: "Empresas" });
});
after(() => cluster[Symbol.asyncDispose]());

const longestStepMs = 7_200_000;
const refused = (code: string) => ({ name: "ApiError", code });

/**
 * A host's reports as the link hands them on, for one project and with the counters of the test's choice. Its
 * own agent is to be silent.
 */
class Reporter {
  readonly #cluster: TestCluster;
  readonly #hostId: string;
  readonly #projectId: string;
  #uptimeMs = 0;

  constructor(cluster: TestCluster, projectId: string, hostId: string) {
    this.#cluster = cluster;
    this.#projectId = projectId;
    this.#hostId = hostId;
  }

  /** Reports `elapsedMs` after the report before, on the clocks of both sides. */
  async report(elapsedMs: number, sample: Partial<UsageReport["projects"][number]>): Promise<void> {
    this.#cluster.clock.advance(elapsedMs);
    this.#uptimeMs += elapsedMs;
    const counters = {
      runNumber: 1,
      memoryMb: 0,
      cpuUsec: 0,
      networkInBytes: 0,
      networkOutBytes: 0,
      diskMb: null,
    };
    await takeUsage(this.#cluster.central.app, this.#hostId, {
      uptimeMs: this.#uptimeMs,
      host: { memoryUsedMb: 1, cpuPercent: 1, diskFreeMb: 1 },
      projects: [{ projectId: this.#projectId, ...counters, ...sample }],
    });
  }
}

async function placedOn({ central }: TestCluster, projectId: string): Promise<string> {
  const { db } = central.app;
  return (
    await db
      .selectFrom("placement")
      .select("host_id")
      .where("project_id", "=", projectId)
      .executeTakeFirstOrThrow()
  ).host_id;
}

const pointsOf = async (
  client: TestAccount["client"],
  id: string,
  range: (typeof metricRanges)[number] = "1h",
) => (await client.getMetrics({ id, query: { range } })).points;
const weightOf = (points: MetricPoint[], pick: (point: MetricPoint) => number) =>
  Math.max(...points.map(pick));

suite("what the API answers", { concurrency: 3 }, () => {
  test("a running project has points in every range, with its disk use; another account's has none to show", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    const [first] = await until(
      async () => {
        const points = await pointsOf(account.client, project.id);
        return points.some(({ diskMb, memoryMb }) => diskMb !== null && memoryMb > 0) && points;
      },
      { timeoutMs: 40_000, everyMs: 200 },
    );
    assert.ok(
      first !== undefined && first.memoryMb === 19 && first.networkInBps === 0,
      JSON.stringify(first),
    );
    for (const range of metricRanges) {
      const answer = await account.client.getMetrics({ id: project.id, query: { range } });
      assert.ok(metrics.safeParse(answer).success && answer.points.length > 0, range);
    }
    const other = await cluster.createAccount();
    await assert.rejects(other.client.getMetrics({ id: project.id }), refused("not_found"));
    await assert.rejects(other.client.getMetrics({ id: "01ARZ3NDEKTSV4RRFFQ69G5FAV" }), refused("not_found"));
  });

  test("the range is one of five, 1h by itself, and each has its step", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    const steps: number[] = [];
    for (const range of metricRanges)
      steps.push((await account.client.getMetrics({ id: project.id, query: { range } })).stepSeconds);
    assert.deepEqual(steps, [15, 60, 300, 1_800, 7_200]);
    assert.deepEqual(await account.client.getMetrics({ id: project.id }), {
      stepSeconds: 15,
      memoryLimitMb: 256,
      cpuLimitPercent: 100,
      diskLimitMb: 51_200,
      points: [],
    });
    for (const query of ["range=2h", "range=", "range=1h&range=6h", "step=15"]) {
      const path = `/api/projects/${project.id}/metrics?${query}`;
      assert.equal(
        (await apiRequest(cluster.centralUrl, { method: "GET", path, token: account.key })).code,
        "invalid_request",
        query,
      );
    }
  });
});

suite("the sparklines of an account", () => {
  test("hold all its projects and no other's, in two ranges", async () => {
    const owner = await cluster.createAccount({ plan: "Empresas" });
    assert.deepEqual((await owner.client.getAccountMetrics()).projects, []);
    const idle = await SimulatedProject.create(owner, "sim run", { start: false });
    const running = await SimulatedProject.create(owner, "sim run");
    await running.is("running");
    await SimulatedProject.create(account, "sim run", { start: false });
    await until(
      async () => {
        const { projects } = await owner.client.getAccountMetrics({ query: { range: "1h" } });
        assert.deepEqual(
          projects.map(({ id }) => id),
          [idle.id, running.id].toSorted(),
        );
        return projects.find(({ id }) => id === running.id)?.memoryMb.includes(19) === true;
      },
      { timeoutMs: 40_000, everyMs: 200 },
    );
    const { projects } = await owner.client.getAccountMetrics({ query: { range: "24h" } });
    const unused = projects.find(({ id }) => id === idle.id);
    assert.deepEqual(new Set(unused?.cpuPercent), new Set([null]));
    const path = "/api/account/metrics?range=7d";
    const wrong = await apiRequest(cluster.centralUrl, { method: "GET", path, token: owner.key });
    assert.equal(wrong.code, "invalid_request");
  });
});

suite("what becomes of the reports", { concurrency: 1 }, () => {
  test("rates are those of the counters; a new run, a gap and a restart of central make no false ones", async () => {
    await using own = await TestCluster.create();
    const { client } = await own.createAccount();
    const project = await SimulatedProject.create({ client }, "sim run", { start: false });
    await project.is("stopped");
    await own.host.stop();
    const reporter = new Reporter(own, project.id, await placedOn(own, project.id));
    own.clock.hold();
    own.clock.advance(15_000 - (own.clock.now() % 15_000)); // the finest tier begins a step
    await reporter.report(0, { memoryMb: 100 });
    await reporter.report(5_000, { memoryMb: 100, cpuUsec: 5_000_000, networkInBytes: 50_000 });
    await reporter.report(5_000, {
      memoryMb: 400,
      cpuUsec: 5_000_000,
      networkInBytes: 50_000,
      networkOutBytes: 5_000,
    });
    const [point, ...none] = await pointsOf(client, project.id);
    assert.deepEqual(
      { ...point, at: "" },
      { at: "", memoryMb: 250, cpuPercent: 50, networkInBps: 5_000, networkOutBps: 500, diskMb: null },
      "averages over the ten seconds that are known",
    );
    assert.deepEqual(none, []);

    await reporter.report(5_000, {
      runNumber: 2,
      memoryMb: 10,
      cpuUsec: 100_000,
      networkInBytes: 50_500,
      networkOutBytes: 5_000,
    });
    await own.stopCentral();
    own.clock.advance(5 * 60_000);
    await own.startCentral();
    const after = new Reporter(own, project.id, await placedOn(own, project.id));
    await after.report(0, { runNumber: 2, memoryMb: 10, cpuUsec: 900_000_000, networkInBytes: 9_000_000 });
    await after.report(5_000, {
      runNumber: 2,
      memoryMb: 10,
      cpuUsec: 900_000_000,
      networkInBytes: 9_000_000,
    });
    const points = await pointsOf(client, project.id);
    assert.ok(points.length >= 2, "those of before the restart are there, and new ones");
    assert.ok(weightOf(points, ({ cpuPercent }) => cpuPercent) <= 50, JSON.stringify(points));
    assert.ok(weightOf(points, ({ networkInBps }) => networkInBps) <= 5_000);
    const times = points.map(({ at }) => Date.parse(at));
    assert.ok(
      Math.max(...times) - Math.min(...times) >= 4 * 60_000 && points.length <= 4,
      "the gap has no points",
    );
  });

  test("a host is believed only about its own projects", async () => {
    await using own = await TestCluster.create({ hosts: 2 });
    const { client } = await own.createAccount();
    const project = await SimulatedProject.create({ client }, "sim run", { start: false });
    await project.is("stopped");
    const hostIds = own.hosts.map(({ agent }) => agent?.hostId);
    for (const host of own.hosts) await host.stop();
    const home = await placedOn(own, project.id);
    const liarId = hostIds.find((hostId) => hostId !== undefined && hostId !== home);
    assert.ok(liarId !== undefined);
    const liar = new Reporter(own, project.id, liarId);
    await liar.report(0, { memoryMb: 6_666 });
    await liar.report(5_000, { memoryMb: 6_666, networkInBytes: 1e9 });
    assert.deepEqual(await pointsOf(client, project.id), []);
    const honest = new Reporter(own, project.id, home);
    await honest.report(0, { memoryMb: 12 });
    await honest.report(5_000, { memoryMb: 12 });
    assert.ok((await pointsOf(client, project.id)).every(({ memoryMb }) => memoryMb === 12));
  });

  test("old rows and those of deleted projects go, the others stay", async () => {
    await using own = await TestCluster.create();
    const { app } = own.central;
    const { client } = await PanelSession.signUp(own);
    const [kept, removed] = [
      await SimulatedProject.create({ client }, "sim run", { start: false }),
      await SimulatedProject.create({ client }, "sim run", { start: false }),
    ];
    for (const project of [kept, removed]) await project.is("stopped");
    await own.host.stop();
    own.clock.hold();
    own.clock.advance(longestStepMs - (own.clock.now() % longestStepMs)); // every tier begins a step
    for (const project of [kept, removed]) {
      const reporter = new Reporter(own, project.id, await placedOn(own, project.id));
      for (let count = 0; count < 4; count++) await reporter.report(5_000, { memoryMb: 12 });
    }
    const rowsOf = async ({ id }: SimulatedProject) => {
      const rows = await app.metrics
        .selectFrom("step")
        .innerJoin("project", "project.number", "step.project")
        .select("step_seconds")
        .where("project.id", "=", id)
        .execute();
      return [...new Set(rows.map((row) => row.step_seconds))].sort((one, other) => one - other);
    };
    await writeMetrics(app, { isLast: true });
    own.clock.advance(600_000);
    await condenseMetrics(app);
    assert.deepEqual(
      [await rowsOf(kept), await rowsOf(removed)],
      [
        [15, 60, 300],
        [15, 60, 300],
      ],
    );

    await client.deleteProject({ id: removed.id });
    await createMetricCollector(app)();
    assert.deepEqual([await rowsOf(kept), await rowsOf(removed)], [[15, 60, 300], []]);
    assert.equal((await app.metrics.selectFrom("project").selectAll().execute()).length, 1);

    own.clock.advance(2 * 3_600_000);
    await condenseMetrics(app);
    assert.deepEqual(
      await rowsOf(kept),
      [60, 300, 1_800, 7_200],
      "the finest are kept a little over an hour",
    );
    own.clock.advance(31 * 86_400_000);
    await condenseMetrics(app);
    assert.deepEqual(await rowsOf(kept), []);
  });
});
