/**
 * Central away, agents away, both away, the machine switched off: what should run runs, and everything is
 * told exactly once.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import { assertExitsToldOnce, exitRows, runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject, withoutUsage } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

/** An agent comes back with a growing, random pause: up to a few seconds after a short absence of central. */
const linkBackMs = 30_000;

const linkIsBack = (cluster: TestCluster) =>
  until(async () => (await cluster.connectedHosts()) === cluster.hosts.length, {
    timeoutMs: linkBackMs,
    everyMs: 20,
  });
const started = (cluster: TestCluster, { id }: SimulatedProject) =>
  cluster.host.machine.startCounts.get(id) ?? 0;
const now = (cluster: TestCluster) => new Date(cluster.clock.now());

suite("autonomy", { concurrency: 3 }, () => {
  test("central away: projects run on, crash and come back, end and stay ended; all of it is told once", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const steady = await SimulatedProject.create(account, "sim run");
    const crashing = await SimulatedProject.create(account, "sim run");
    const ending = await SimulatedProject.create(account, "sim term 0; run");
    const looping = await SimulatedProject.create(account, "sim exit 4 after 400");
    for (const project of [steady, crashing, ending]) await project.is("running");
    const { machine } = cluster.host;
    const epoch = cluster.central.epoch;
    await cluster.stopCentral();

    machine.kill(crashing.id, now(cluster));
    await until(() => started(cluster, crashing) === 2);
    machine.kill(crashing.id, now(cluster));
    await until(() => started(cluster, crashing) === 3);
    await until(() => started(cluster, looping) >= 3);
    assert.equal(started(cluster, steady), 1);

    await cluster.startCentral();
    assert.ok(cluster.central.epoch > epoch, "the epoch rises");
    await linkIsBack(cluster);
    const back = await crashing.when(
      ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 2,
    );
    assert.equal(back.lastExit?.code, 137);
    await looping.is("crash_loop", 120_000);
    assert.equal(started(cluster, looping), 5);
    await ending.stop();
    await ending.is("stopped");
    assert.equal((await steady.get()).status, "running");
    for (const { id } of [steady, crashing, ending, looping]) await assertExitsToldOnce(cluster, machine, id);
    assert.deepEqual(
      (await exitRows(cluster, looping.id)).map(({ code, isCrash }) => [code, isCrash]),
      Array.from({ length: 5 }, () => [4, true]),
    );
    assert.deepEqual(
      (await exitRows(cluster, ending.id)).map(({ code, isCrash }) => [code, isCrash]),
      [[0, false]],
    );
  });

  test("the agent away: the same runs go on, and exits of the gap are told once, by the policy", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const free = await cluster.createAccount({ plan: "Free" });
    const steady = await SimulatedProject.create(account, "sim run");
    const crashing = await SimulatedProject.create(account, "sim run");
    const ending = await SimulatedProject.create(account, "sim term 0; run");
    const onFree = await SimulatedProject.create(free, "sim run");
    for (const project of [steady, crashing, onFree]) await project.is("running");
    await ending.is("running");
    const { startedAt } = await steady.get();
    await cluster.host.stop();
    const { machine } = cluster.host;
    machine.kill(crashing.id, now(cluster));
    machine.kill(onFree.id, now(cluster));
    for (const { instance, container } of machine.runs.values())
      if (instance.projectId === ending.id) container.terminate();
    await until(() => runningCount(machine, ending.id) === 0);
    assert.deepEqual(
      [started(cluster, crashing), started(cluster, steady)],
      [1, 1],
      "nobody acts while the agent is away",
    );
    await cluster.host.start();
    await crashing.when(
      ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 1,
      linkBackMs,
    );
    await onFree.is("error");
    await ending.is("stopped");
    assert.equal((await steady.get()).startedAt, startedAt);
    assert.deepEqual(
      [
        started(cluster, crashing),
        started(cluster, steady),
        started(cluster, onFree),
        started(cluster, ending),
      ],
      [2, 1, 1, 1],
    );
    for (const { id } of [steady, crashing, ending, onFree]) await assertExitsToldOnce(cluster, machine, id);

    for (let round = 0; round < 5; round++) {
      await cluster.host.stop();
      await cluster.host.start();
    }
    await linkIsBack(cluster);
    assert.deepEqual(
      [started(cluster, crashing), started(cluster, steady)],
      [2, 1],
      "restarts of the agent restart no project",
    );
    for (const { id } of [steady, crashing, ending, onFree]) await assertExitsToldOnce(cluster, machine, id);
  });

  test("both away and the machine switched off: the agent alone brings back what should run, and only that", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const on = await SimulatedProject.create(account, "sim run");
    const crashedOnce = await SimulatedProject.create(account, "sim run");
    const off = await SimulatedProject.create(account, "sim run");
    const ended = await SimulatedProject.create(account, "sim exit 0");
    const failed = await SimulatedProject.create(account, "sim run", {
      config: { installCommand: "sim exit 1" },
    });
    const page = await SimulatedProject.create(account, "", { config: { language: "static", command: "" } });
    for (const project of [on, crashedOnce, off, page]) await project.is("running");
    await ended.is("stopped");
    await failed.is("error");
    const { machine } = cluster.host;
    machine.kill(crashedOnce.id, now(cluster));
    await crashedOnce.when(
      ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 1,
    );
    await off.stop();
    await off.is("stopped");
    await cluster.stopCentral();
    await cluster.host.stop();
    machine.reboot();
    assert.equal(
      [...machine.runs.values()].filter(({ instance }) => instance.exit === null).length,
      0,
      "the machine was switched off",
    );

    await cluster.host.start();
    await until(() => runningCount(machine, on.id) === 1 && runningCount(machine, crashedOnce.id) === 1);
    assert.deepEqual(
      [on, crashedOnce, off, ended, failed].map((project) => started(cluster, project)),
      [2, 3, 1, 1, 0],
    );

    await cluster.startCentral();
    await linkIsBack(cluster);
    const back = await on.is("running");
    assert.deepEqual([back.consecutiveCrashes, back.lastExit], [0, null], "a reboot is no crash");
    assert.equal((await crashedOnce.is("running")).consecutiveCrashes, 1);
    assert.equal((await page.get()).status, "running");
    assert.deepEqual(
      [(await off.get()).status, (await ended.get()).status, (await failed.get()).status],
      ["stopped", "stopped", "error"],
    );
    for (const { id } of [on, crashedOnce]) await assertExitsToldOnce(cluster, machine, id, { vanished: 1 });
    for (const { id } of [off, ended, failed]) await assertExitsToldOnce(cluster, machine, id);
  });

  test("a stop during which the agent goes away is finished by the next agent, as a stop", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    const project = await SimulatedProject.create(account, "sim ignore-term; run");
    await project.is("running");
    await project.stop();
    await cluster.host.stop();
    await cluster.host.start();
    const { consecutiveCrashes, error } = await project.is("stopped", linkBackMs);
    assert.deepEqual([consecutiveCrashes, error, started(cluster, project)], [0, null, 1]);
    assert.deepEqual(
      (await exitRows(cluster, project.id)).map(({ isCrash }) => isCrash),
      [false],
    );
  });

  test("an install that the agent's end cut short is made again, however often, and the project comes up", async () => {
    await using cluster = await TestCluster.create();
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run", {
      config: { installCommand: "sim gate" },
    });
    for (let round = 0; round < 4; round++) {
      await project.is("installing", linkBackMs);
      await cluster.host.stop();
      await cluster.host.start();
    }
    cluster.host.machine.openGate(project.id);
    await project.is("running", linkBackMs);
    assert.equal(started(cluster, project), 1);
  });

  test("a host that is silent: actions answer server_unavailable, nothing changed, and its projects keep their status", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ scopes: ["projects:settings"] });
    const project = await SimulatedProject.create(account, "sim run");
    const before = await project.is("running");
    await cluster.host.stop();
    await until(async () => (await cluster.connectedHosts()) === 0);
    const unavailable = { name: "ApiError", code: "server_unavailable", status: 503 };
    await assert.rejects(project.start(), unavailable);
    await assert.rejects(project.stop(), unavailable);
    await assert.rejects(project.restart(), unavailable);
    await assert.rejects(project.upload("sim exit 1"), unavailable);
    await assert.rejects(
      account.client.updateProject({ id: project.id, body: { memoryMb: 512 } }),
      unavailable,
    );
    await assert.rejects(account.client.streamLogs.page({ id: project.id }), unavailable);
    assert.deepEqual(withoutUsage(await project.get()), withoutUsage(before));
    await account.client.updateProject({ id: project.id, body: { name: "needs no host" } });
    await cluster.host.start();
    await linkIsBack(cluster);
    assert.equal(started(cluster, project), 1);
    assert.equal((await project.get()).startedAt, before.startedAt);
  });

  test("a project that is deleted while its host is away is freed when the host is back", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    const project = await SimulatedProject.create(account, "sim log 3; run");
    const kept = await SimulatedProject.create(account, "sim run");
    for (const each of [project, kept]) await each.is("running");
    const { machine, dataDirectory } = cluster.host;
    const placesOf = async (id: string) => {
      const found = await Promise.all(
        ["projects", "logs", "runs"].map(async (name) =>
          (await readdir(join(dataDirectory, name)).catch((): string[] => [])).includes(id) ? name : null,
        ),
      );
      return found.filter((name) => name !== null);
    };
    assert.deepEqual(await placesOf(project.id), ["projects", "logs"]);
    await cluster.host.stop();
    await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
    assert.equal(runningCount(machine, project.id), 1, "it runs while nobody tells its host");
    await cluster.host.start();
    await until(
      async () => runningCount(machine, project.id) === 0 && (await placesOf(project.id)).length === 0,
      {
        timeoutMs: linkBackMs,
      },
    );
    assert.ok(![...machine.runs.values()].some(({ instance }) => instance.projectId === project.id));
    assert.equal(runningCount(machine, kept.id), 1);
    assert.deepEqual(await exitRows(cluster, project.id), []);
  });
});
