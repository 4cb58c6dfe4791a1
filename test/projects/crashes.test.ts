/**
 * Crashes, over HTTP: what comes back by itself and when, what is counted, and what a person's start and stop
 * do to it.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let paid: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  paid = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

const free = () => cluster.createAccount({ plan: "Free" });
const startsOf = ({ id }: SimulatedProject) => cluster.host.machine.startCounts.get(id) ?? 0;

suite("a crash", { concurrency: 4 }, () => {
  test("on Free is error with process_exited, and a start begins anew", async () => {
    const project = await SimulatedProject.create(await free(), "sim exit 7 after 20");
    const crashed = await project.is("error");
    assert.deepEqual(
      [crashed.error?.code, crashed.lastExit?.code, crashed.consecutiveCrashes, crashed.hasAutoRestart],
      ["process_exited", 7, 1, false],
    );
    assert.match(crashed.error?.message ?? "", /Código de saída: 7\./);
    assert.equal(startsOf(project), 1);
    await project.start();
    await project.when(
      ({ lastExit, status }) => status === "error" && lastExit?.exitedAt !== crashed.lastExit?.exitedAt,
    );
    assert.equal((await project.get()).consecutiveCrashes, 1, "the start has cleared the count");
  });

  test("on a paid plan comes back by itself", async () => {
    const project = await SimulatedProject.create(paid, "sim run");
    await project.is("running");
    cluster.host.machine.kill(project.id, new Date(cluster.clock.now()));
    const back = await project.when(
      ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 1,
    );
    assert.deepEqual([back.lastExit?.code, back.lastExit?.isOutOfMemory, back.error], [137, false, null]);
    assert.equal(startsOf(project), 2);
  });

  test("for memory says so, and counts as a crash", async () => {
    const project = await SimulatedProject.create(await free(), "sim oom after 20");
    const { lastExit, error, consecutiveCrashes } = await project.is("error");
    assert.deepEqual(
      [lastExit?.code, lastExit?.isOutOfMemory, error?.code, consecutiveCrashes],
      [137, true, "process_exited", 1],
    );
    assert.match(error?.message ?? "", /128 MB/);
  });

  test("5 times in a row is crash_loop; a start from there begins at 0, a stop while it waits ends it", async () => {
    const project = await SimulatedProject.create(paid, "sim exit 1");
    const looping = await project.is("crash_loop", 120_000);
    assert.deepEqual(
      [looping.error?.code, looping.consecutiveCrashes, looping.lastExit?.code],
      ["crash_loop", 5, 1],
    );
    assert.equal(startsOf(project), 5);
    const { error, status } = await project.start();
    assert.deepEqual([status, error], ["restarting", null]);
    await project.when(({ consecutiveCrashes }) => consecutiveCrashes > 0 && consecutiveCrashes < 5);
    await project.stop();
    await project.is("stopped");
    const starts = startsOf(project);
    assert.ok(starts < 10, `${starts} starts`);
  });

  test("is not waited out when a start is asked for: it acts at once, and counts from 0", async () => {
    await using own = await TestCluster.create();
    const project = await SimulatedProject.create(await own.createAccount(), "sim run");
    await project.is("running");
    own.clock.hold(); // no pause comes to its end by itself
    for (const count of [1, 2]) {
      own.host.machine.kill(project.id, new Date(own.clock.now()));
      await project.when(
        ({ consecutiveCrashes, status }) =>
          consecutiveCrashes === count && status === (count === 1 ? "running" : "restarting"),
      );
    }
    const starts = own.host.machine.startCounts.get(project.id) ?? 0;
    const { status, consecutiveCrashes } = await project.start();
    assert.deepEqual([status, consecutiveCrashes], ["restarting", 0]);
    await project.start();
    assert.equal((await project.is("running")).consecutiveCrashes, 0);
    await project.start();
    assert.equal(
      own.host.machine.startCounts.get(project.id),
      starts + 1,
      "one start, however often it is asked for",
    );
  });

  test("after 60 s up counts from 1 again", async () => {
    const own = await TestCluster.create();
    try {
      const project = await SimulatedProject.create(await own.createAccount(), "sim run");
      await project.is("running");
      const crash = async (expectedCount: number) => {
        own.host.machine.kill(project.id, new Date(own.clock.now()));
        await project.when(
          ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === expectedCount,
        );
      };
      await crash(1);
      await crash(2);
      own.clock.advance(30_000);
      await crash(3);
      own.clock.advance(61_000);
      await crash(1);
      own.clock.advance(61_000);
      await own.host.stop();
      await own.host.start();
      await project.when(
        ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === 0,
      );
      assert.equal(own.host.machine.startCounts.get(project.id), 5, "forgiving restarts nothing");
    } finally {
      await own[Symbol.asyncDispose]();
    }
  });
});
