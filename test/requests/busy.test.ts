/**
 * Tests an action in progress (`project_busy`): what is refused meanwhile and what is not, and that it blocks
 * nobody for ever.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import type { ApiError } from "@tijolo/protocol";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject, whenIdle } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

const busy = { name: "ApiError", code: "project_busy", status: 409 };
const unavailable = { name: "ApiError", code: "server_unavailable", status: 503 };

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

/** Returns the changes that any action in progress refuses. */
function changesOf(project: SimulatedProject): Record<string, () => Promise<unknown>> {
  const { client, id } = project;
  return {
    restart: () => project.restart(),
    name: () => client.updateProject({ id, body: { name: "other" } }),
    settings: () => client.updateProject({ id, body: { memoryMb: 300 } }),
    "PUT variables": () => client.setVariables({ id, body: { variables: { A: "1" } } }),
    "PATCH variables": () => client.changeVariables({ id, body: { variables: { A: "1" } } }),
    upload: () => project.upload("sim print other; run"),
  };
}

async function assertEachRefused(
  changes: Record<string, () => Promise<unknown>>,
  refusal = busy,
): Promise<void> {
  for (const [what, change] of Object.entries(changes)) await assert.rejects(change, refusal, what);
}

async function assertReadable({ client, id }: SimulatedProject): Promise<void> {
  assert.deepEqual((await client.listVariables({ id })).variables, {});
  await client.getProject({ id });
  await client.streamLogs.page({ id, query: {} });
}

suite("while an action is in progress", { concurrency: 4 }, () => {
  test("a stop refuses what would change the project, and may be asked for again", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    const running = await project.is("running");
    {
      using hold = cluster.host.machine.hold(project.id);
      const accepted = await project.stop();
      await hold.reached;
      await assertEachRefused({ start: () => project.start(), ...changesOf(project) });
      const { usage } = accepted;
      // What it uses is measured anew all the time, and it still runs.
      assert.deepEqual({ ...(await project.stop()), usage }, accepted, "changes nothing");
      await assertReadable(project);
    }
    const { name, memoryMb, command } = await project.is("stopped");
    assert.deepEqual([name, memoryMb, command], [running.name, running.memoryMb, running.command]);
    await project.client.updateProject({ id: project.id, body: { memoryMb: 300 } });
    await project.start();
    await project.is("running");
  });

  test("a restart refuses the same, but a start changes nothing, until the run is up", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    {
      using hold = cluster.host.machine.hold(project.id);
      await project.restart();
      await hold.reached;
      await assertEachRefused(changesOf(project));
      assert.equal((await project.start()).status, "restarting");
      await assertReadable(project);
    }
    await project.is("running");
    await assert.doesNotReject(project.client.updateProject({ id: project.id, body: { memoryMb: 300 } }));
    assert.equal(cluster.host.machine.startCounts.get(project.id), 2);
  });

  test("a start refuses the same; a stop pre-empts it", async () => {
    const project = await SimulatedProject.create(account, "sim run", { start: false });
    await project.is("stopped");
    {
      using hold = cluster.host.machine.hold(project.id);
      await project.start();
      await hold.reached;
      await assertEachRefused(changesOf(project));
      assert.equal((await project.start()).status, "restarting");
      await project.stop();
      await assertEachRefused({ start: () => project.start(), ...changesOf(project) });
    }
    await project.is("stopped");
    await project.upload("sim run");
  });

  test("one that fails ends", async () => {
    const project = await SimulatedProject.create(account, "sim fail-start not found");
    await project.is("error");
    await project.start();
    const { id, client } = project;
    await whenIdle(() => client.updateProject({ id, body: { name: "other" } }));
    assert.equal((await project.get()).status, "error");
  });

  test("what the host does by itself is none", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    {
      using hold = cluster.host.machine.hold(project.id);
      cluster.host.machine.kill(project.id, new Date(cluster.clock.now()));
      await hold.reached;
      await project.when(
        ({ status, consecutiveCrashes }) => status === "restarting" && consecutiveCrashes === 1,
      );
      for (const round of [1, 2, 3])
        await project.client.updateProject({ id: project.id, body: { name: `round ${round}` } });
      await project.client.setVariables({ id: project.id, body: { variables: { A: "1" } } });
      await project.restart();
      await assertEachRefused(changesOf(project));
    }
    await project.is("running");
  });

  test("a delete is not held up", async () => {
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    using _hold = cluster.host.machine.hold(project.id);
    await project.stop();
    await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
    await assert.rejects(project.get(), { name: "ApiError", code: "not_found" });
  });
});

suite("hosts that go", { concurrency: 2 }, () => {
  test("while a host is away its actions hold up nothing that needs no host; back, it ends them", async () => {
    await using own = await TestCluster.create();
    await using proxy = await FaultyProxy.start(Number(new URL(own.centralUrl).port));
    await own.host.stop();
    own.host.centralUrl = `http://127.0.0.1:${proxy.port}`;
    await own.host.start();
    await own.untilConnected();
    const project = await SimulatedProject.create(
      await own.createAccount({ scopes: ["projects:settings"] }),
      "sim run",
    );
    await project.is("running");
    {
      using _hold = own.host.machine.hold(project.id);
      await project.stop();
      await assertEachRefused(changesOf(project));
      proxy.mode = "refuse";
      proxy.cut();
      await own.untilConnected(0);
      const { name, ...changes } = changesOf(project);
      await assertEachRefused({ start: () => project.start(), ...changes }, unavailable);
      await name?.();
    }
    proxy.mode = "pass";
    await own.untilConnected();
    await project.is("stopped");
    await project.start();
    await project.is("running");
  });

  test("what an agent or a machine leaves unfinished is ended by the next", async () => {
    await using own = await TestCluster.create();
    const owner = await own.createAccount({ scopes: ["projects:settings"] });
    const stopping = await SimulatedProject.create(owner, "sim ignore-term; run");
    const restarting = await SimulatedProject.create(owner, "sim ignore-term; run");
    for (const project of [stopping, restarting]) await project.is("running");
    await stopping.stop();
    await restarting.restart();
    own.host.machine.reboot();
    await own.host.stop();
    await own.host.start();
    await own.untilConnected();
    await stopping.is("stopped");
    await restarting.is("running");
    for (const { id } of [stopping, restarting])
      await owner.client.updateProject({ id, body: { memoryMb: 300 } });
  });
});

test("of 50 actions at once each is taken or refused as busy, and the last one that was taken is what comes of it", async () => {
  await using own = await TestCluster.create();
  const owner = await own.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const { db } = own.central.app;
  for (let round = 0; round < 6; round++) {
    const project = await SimulatedProject.create(owner, "sim run");
    await project.is("running");
    const actions = { start: () => project.start(), stop: () => project.stop(), ...changesOf(project) };
    // Each round in another order.
    const asked = Array.from({ length: 50 }, (_, index) =>
      Object.values(actions).at((index * (2 * round + 1)) % 8),
    );
    const answers = await Promise.allSettled(asked.map(async (ask) => ask?.()));
    for (const answer of answers)
      if (answer.status === "rejected") assert.equal((answer.reason as ApiError).code, "project_busy");
    const taken = await db
      .selectFrom("activity")
      .select("action")
      .where("project_id", "=", project.id)
      .orderBy("id", "desc")
      .execute();
    const last = taken.find(({ action }) =>
      ["project.start", "project.stop", "project.restart"].includes(action),
    );
    const goal = last?.action === "project.stop" ? "stopped" : "running";
    // Once a change is taken nothing is under way any more.
    await whenIdle(() => owner.client.updateProject({ id: project.id, body: { name: "after" } }));
    assert.equal(
      (await project.get()).status,
      goal,
      `after ${taken.map(({ action }) => action).join(" ← ")}`,
    );
    assert.equal(runningCount(own.host.machine, project.id), goal === "running" ? 1 : 0);
  }
});
