/** Fifty at once with room for one: exactly one succeeds, and the others are told why. */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { PlanName } from "@tijolo/protocol";
import { assertExitsToldOnce, runningCount } from "../support/ledger/exit-ledger.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject, whenIdle } from "../support/projects/simulated-project.ts";
import { simulatedBot, TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const times = <Value>(make: (index: number) => Promise<Value>, count = 50) =>
  Promise.allSettled(Array.from({ length: count }, (_, index) => make(index)));

function tally(results: readonly PromiseSettledResult<unknown>[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const result of results) {
    const key =
      result.status === "fulfilled"
        ? "ok"
        : ((result.reason as { code?: string }).code ?? String(result.reason));
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}

suite("races", { concurrency: 2 }, () => {
  const creations: [
    what: string,
    plan: PlanName,
    before: number,
    config: (index: number) => object,
    refusal: string,
  ][] = [
    ["projects", "Free", 1, () => ({}), "project_limit_reached"],
    [
      "sites",
      "Block",
      1,
      (index) => ({ language: "static", command: "", subdomain: `race-${index}` }),
      "site_limit_reached",
    ],
    ["memory", "Stack", 1, () => ({ memoryMb: 2048 }), "insufficient_memory"],
    [
      "the same subdomain",
      "Empresas",
      0,
      () => ({ language: "static", command: "", subdomain: "wanted" }),
      "subdomain_taken",
    ],
  ];
  for (const [what, plan, before, config, refusal] of creations) {
    test(`of 50 creations at once at the limit of ${what}, one succeeds`, async () => {
      await using cluster = await TestCluster.create();
      const account = await cluster.createAccount({ plan });
      const create = async (index: number) => {
        const file = await simulatedBot("sim run", config(index));
        return account.client.createProject({ fields: {}, file });
      };
      for (let index = 0; index < before; index++) await create(100 + index);
      const results = await times(create);
      assert.deepEqual(tally(results), { ok: 1, [refusal]: 49 });
      assert.equal((await account.client.listProjects()).projects.length, before + 1);
      const { db } = cluster.central.app;
      for (const table of ["project", "placement", "version"] as const) {
        assert.equal((await db.selectFrom(table).selectAll().execute()).length, before + 1, table);
      }
    });
  }

  test("of 50 starts at once with memory for one more, one runs", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Block" });
    const projects = await Promise.all(
      Array.from({ length: 5 }, () =>
        SimulatedProject.create(account, "sim run", { start: false, config: { memoryMb: 400 } }),
      ),
    );
    for (const project of projects) await project.is("stopped");
    await cluster.central.app.db
      .updateTable("account")
      .set({ plan: "Free" })
      .where("id", "=", account.id)
      .execute();
    const results = await times(async (index) => projects[index % projects.length]?.start());
    const { ok = 0, plan_limit_reached = 0, project_busy = 0, ...others } = tally(results);
    assert.deepEqual(others, {});
    assert.ok(ok >= 1 && plan_limit_reached >= 4 && ok + plan_limit_reached + project_busy === 50);
    await Promise.any(projects.map((project) => project.is("running")));
    const { projects: views } = await account.client.listProjects();
    assert.deepEqual(views.map(({ status }) => status).sort(), [
      "running",
      "stopped",
      "stopped",
      "stopped",
      "stopped",
    ]);
  });

  const actions = ["start", "stop", "restart"] as const;
  for (const last of actions) {
    test(`50 starts, stops and restarts of one project at once, then a ${last}, end as the ${last} says`, async () => {
      await using cluster = await TestCluster.create();
      const account = await cluster.createAccount();
      const project = await SimulatedProject.create(account, "sim run");
      await project.is("running");
      const results = await times((index) => project[actions[index % 3] ?? "start"]());
      const { ok = 0, project_busy = 0, ...others } = tally(results);
      assert.deepEqual(others, {});
      assert.ok(ok >= 1 && ok + project_busy === 50);
      await whenIdle(() => project[last]());
      await assertSettles(cluster, project, last === "stop" ? "stopped" : "running");
    });
  }

  test("a stop that overtakes a start is told as done only when nothing of the start comes after", async () => {
    await using cluster = await TestCluster.create();
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run", { start: false });
    await project.is("stopped");
    for (let round = 0; round < 30; round++) {
      await project.start();
      await project.stop();
      await project.is("stopped");
      const after = await Promise.all([0, 2, 5, 10, 20].map((ms) => delay(ms).then(() => project.get())));
      assert.deepEqual([...new Set(after.map(({ status }) => status))], ["stopped"], `round ${round}`);
    }
    await assertSettles(cluster, project, "stopped");
  });

  const underWay: Record<string, (project: SimulatedProject, cluster: TestCluster) => Promise<unknown>> = {
    "a start": (project) => project.start(),
    "a restart of what ignores SIGTERM": async (project) => {
      await project.start();
      await project.is("running");
      return project.restart();
    },
    "the pause after a crash": async (project, cluster) => {
      await project.start();
      for (const count of [1, 2, 3]) {
        await project.is("running");
        cluster.host.machine.kill(project.id, new Date(cluster.clock.now()));
        if (count < 3) await project.when(({ consecutiveCrashes }) => consecutiveCrashes === count);
      }
      await project.when(
        ({ consecutiveCrashes, status }) => consecutiveCrashes === 3 && status === "restarting",
      );
    },
  };
  for (const [what, begin] of Object.entries(underWay)) {
    test(`a stop wins over ${what}, and nothing of it comes after`, async () => {
      await using cluster = await TestCluster.create();
      const project = await SimulatedProject.create(await cluster.createAccount(), "sim ignore-term; run", {
        start: false,
      });
      await project.is("stopped");
      await begin(project, cluster);
      await project.stop();
      await project.is("stopped");
      await assertSettles(cluster, project, "stopped");
      const starts = cluster.host.machine.startCounts.get(project.id) ?? 0;
      await project.start();
      await project.is("running");
      assert.equal(
        cluster.host.machine.startCounts.get(project.id),
        starts + 1,
        "the next run is the one that was asked for",
      );
    });
  }

  test("uploads, starts, stops and a delete at once end in one consistent state", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    const operator = cluster.client(cluster.operatorToken);
    const results = await times(async (index) => {
      if (index === 25) return operator.deleteProject({ id: project.id });
      return index % 3 === 0 ? project.upload("sim run") : project[actions[index % 3] ?? "start"]();
    });
    const { ok = 0, project_busy: _busy, not_found: _gone, ...others } = tally(results);
    assert.deepEqual(others, {});
    assert.ok(ok >= 1);
    if (results[25]?.status === "rejected") await operator.deleteProject({ id: project.id });
    await assert.rejects(project.get(), { name: "ApiError", code: "not_found" });
    const { machine } = cluster.host;
    await until(
      () =>
        runningCount(machine, project.id) === 0 &&
        ![...machine.runs.values()].some(({ instance }) => instance.projectId === project.id),
    );
    assert.deepEqual(await cluster.central.app.db.selectFrom("version").selectAll().execute(), []);
  });

  test("nobody waits in the queue of another account's project, or learns that there is one", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    const project = await SimulatedProject.create(account, "sim run");
    const stranger = await PanelSession.signUp(cluster);
    const gate = Promise.withResolvers<void>();
    const inFront = times(() => cluster.central.app.projectQueues.run(project.id, () => gate.promise), 16);
    await assert.rejects(account.client.stopProject({ id: project.id }), {
      name: "ApiError",
      code: "project_busy",
    });
    await assert.rejects(stranger.client.deleteProject({ id: project.id }), {
      name: "ApiError",
      code: "not_found",
    });
    gate.resolve();
    await inFront;
  });
});

async function assertSettles(
  cluster: TestCluster,
  project: SimulatedProject,
  status: "running" | "stopped",
): Promise<void> {
  const { machine } = cluster.host;
  // A program that ignores SIGTERM is killed after ten seconds; a start that was under way may have to be
  // undone so.
  await project.when(
    (now) => now.status === status && runningCount(machine, project.id) === (status === "running" ? 1 : 0),
    20_000,
  );
  await assertExitsToldOnce(cluster, machine, project.id);
  assert.equal((await project.get()).status, status);
}
