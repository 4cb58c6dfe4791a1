/** Defines the cases of "States and transitions". */

import assert from "node:assert/strict";
import { TestCluster } from "../../support/cluster/test-cluster.ts";
import type { Chapter } from "../conformance-case.ts";
import { assertRefused, bot, type SpecClient } from "../spec-client.ts";
import { accountOn } from "../spec-world.ts";

/** Returns the statuses that a watcher sees, each once, until the last. */
async function statusesUntil(client: SpecClient, id: string, last: string): Promise<string[]> {
  const seen: string[] = [];
  await client.when(id, ({ status }) => {
    if (seen.at(-1) !== status) seen.push(status);
    return status === last;
  });
  return seen;
}

export const states: Chapter = {
  title: "States and transitions",
  cases: [
    {
      rows: [
        "status.creating",
        "status.installing",
        "status.running",
        "transition.new_with_start",
        "transition.extracted",
      ],
      title: "an upload with start=true goes from creating over installing to running",
      async show(world) {
        const client = await world.client();
        const { id, status } = await client.create({ ...bot, installCommand: "sim gate" }, { start: "true" });
        assert.equal(status, "creating");
        const seen = await statusesUntil(client, id, "installing");
        world.cluster.host.machine.openGate(id);
        seen.push(...(await statusesUntil(client, id, "running")));
        assert.deepEqual(
          seen.filter((each) => !["creating", "installing", "running"].includes(each)),
          [],
        );
        assert.ok((await client.project(id)).startedAt !== null);
      },
    },
    {
      rows: ["status.stopped", "transition.new_without_start"],
      title: "an upload without start=true ends stopped and starts nothing",
      async show(world) {
        const client = await world.client();
        for (const fields of [{}, { start: "false" }]) {
          const { id } = await client.create(bot, fields);
          const seen = await statusesUntil(client, id, "stopped");
          assert.ok(!seen.includes("running"), seen.join());
          assert.equal(world.cluster.host.machine.startCounts.get(id), undefined);
        }
      },
    },
    {
      rows: [
        "status.error",
        "transition.install_fails",
        "failure.install_failed",
        "transition.install_pending",
        "error.install_pending",
      ],
      title: "an install that fails is error with install_failed, and a start then is install_pending",
      async show(world) {
        const client = await world.client();
        const { id } = await client.create(
          { ...bot, installCommand: "sim print no such package; exit 1" },
          { start: "true" },
        );
        const before = await client.when(id, "error");
        assert.equal(before.error?.code, "install_failed");
        assert.match(
          (await client.get(`/projects/${id}/logs?follow=false&section=install`)).text,
          /no such package/,
        );
        assertRefused(await client.post(`/projects/${id}/start`), 409, "install_pending");
        assertRefused(await client.post(`/projects/${id}/restart`), 409, "install_pending");
        assert.deepEqual(await client.project(id), before, "unchanged");
      },
    },
    {
      rows: ["transition.new_code", "upload.running", "endpoint.uploadCode"],
      title: "new code brings a running project back up with it by itself, and leaves a stopped one stopped",
      async show(world) {
        const client = await world.client();
        const { id, startedAt } = await client.createRunning();
        await client.upload(`/projects/${id}/code`, { ...bot, command: "sim print second; run" });
        const again = await client.when(id, (now) => now.status === "running" && now.startedAt !== startedAt);
        assert.equal(again.command, "sim print second; run");
        assert.equal(world.cluster.host.machine.startCounts.get(id), 2);
        const stopped = await client.createStopped();
        await client.upload(`/projects/${stopped.id}/code`, { ...bot, command: "sim print third; run" });
        await client.when(
          stopped.id,
          ({ status, command }) => status === "stopped" && command.includes("third"),
        );
        assert.equal(world.cluster.host.machine.startCounts.get(stopped.id), undefined);
      },
    },
    {
      rows: ["transition.stop", "endpoint.stop"],
      title: "a stop ends in stopped, and is no crash",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createRunning();
        await client.act(id, "stop");
        const { consecutiveCrashes, error } = await client.when(id, "stopped");
        assert.deepEqual([consecutiveCrashes, error], [0, null]);
      },
    },
    {
      rows: ["transition.restart", "status.restarting", "endpoint.restart", "transition.comes_back"],
      title: "a restart is restarting until the process is back",
      async show(world) {
        const client = await world.client();
        const { id, startedAt } = await client.createRunning();
        assert.equal((await client.act(id, "restart")).status, "restarting");
        const back = await client.when(id, (now) => now.status === "running" && now.startedAt !== startedAt);
        assert.equal(back.consecutiveCrashes, 0);
      },
    },
    {
      rows: ["endpoint.start"],
      title: "a start brings a stopped project up",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createStopped();
        await client.act(id, "start");
        await client.when(id, "running");
      },
    },
    {
      rows: ["transition.ends_with_0"],
      title: "a process that ends with code 0 leaves its project stopped, paid or not",
      async show(world) {
        for (const plan of ["Free", "Stack"] as const) {
          const client = await world.client({ plan });
          const { id } = await client.create({ ...bot, command: "sim exit 0 after 50" }, { start: "true" });
          const ended = await client.when(
            id,
            ({ status, lastExit }) => status === "stopped" && lastExit !== null,
          );
          assert.deepEqual([ended.lastExit?.code, ended.consecutiveCrashes, ended.error], [0, 0, null]);
        }
      },
    },
    {
      rows: ["transition.crash_paid"],
      title: "a crash on a paid plan is restarting with one more crash, then running again",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createRunning();
        world.cluster.host.machine.kill(id, new Date());
        const restarting = await client.when(id, ({ consecutiveCrashes }) => consecutiveCrashes === 1);
        assert.ok(["restarting", "running"].includes(restarting.status));
        assert.equal((await client.when(id, "running")).error, null);
      },
    },
    {
      rows: ["transition.crash_free", "failure.process_exited"],
      title: "a crash on Free is error with process_exited, and nothing comes back",
      async show(world) {
        const client = await world.client({ plan: "Free" });
        const { id } = await client.create({ ...bot, command: "sim exit 9 after 20" }, { start: "true" });
        assert.equal((await client.when(id, "error")).error?.code, "process_exited");
        assert.equal(world.cluster.host.machine.startCounts.get(id), 1);
        await client.act(id, "start");
        await client.when(id, () => world.cluster.host.machine.startCounts.get(id) === 2);
      },
    },
    {
      rows: [
        "transition.crash_loop",
        "status.crash_loop",
        "failure.crash_loop",
        "limit.crashes",
        "transition.crash_count",
      ],
      title: "five crashes in a row are crash_loop; one that ran 60 seconds before begins the count again",
      async show() {
        await using cluster = await TestCluster.create();
        const { client } = await accountOn(cluster);
        const { id } = await client.createRunning();
        const crash = async (count: number) => {
          cluster.host.machine.kill(id, new Date(cluster.clock.now()));
          await client.when(
            id,
            ({ status, consecutiveCrashes }) => status === "running" && consecutiveCrashes === count,
            30_000,
          );
        };
        for (const count of [1, 2]) await crash(count);
        cluster.clock.advance(61_000);
        for (const count of [1, 2, 3, 4]) await crash(count);
        cluster.host.machine.kill(id, new Date(cluster.clock.now()));
        const looping = await client.when(id, "crash_loop");
        assert.deepEqual([looping.error?.code, looping.consecutiveCrashes], ["crash_loop", 5]);
        const started = await client.act(id, "start");
        assert.deepEqual(
          [started.status, started.error, started.consecutiveCrashes],
          ["restarting", null, 0],
        );
        assert.equal((await client.when(id, "running")).consecutiveCrashes, 0);
      },
    },
    {
      rows: ["transition.busy", "control.busy", "error.project_busy"],
      title: "while it is creating or installing every action is project_busy and changes nothing",
      async show(world) {
        const client = await world.client();
        const { id } = await client.create({ ...bot, installCommand: "sim run" });
        const before = await client.when(id, "installing");
        for (const action of ["start", "stop", "restart"])
          assertRefused(await client.post(`/projects/${id}/${action}`), 409, "project_busy");
        assertRefused(await client.upload(`/projects/${id}/code`, bot), 409, "project_busy");
        assertRefused(await client.patch(id, { memoryMb: 300 }), 409, "project_busy");
        assert.deepEqual(await client.project(id), before, "unchanged");
      },
    },
    {
      rows: ["control.busy", "error.project_busy"],
      title: "while a stop is in progress a start, a restart and new code are project_busy; a stop is not",
      async show(world) {
        const client = await world.client();
        const { id } = await client.createRunning();
        {
          using hold = world.cluster.host.machine.hold(id);
          await client.act(id, "stop");
          await hold.reached;
          for (const action of ["start", "restart"])
            assertRefused(await client.post(`/projects/${id}/${action}`), 409, "project_busy");
          assertRefused(await client.upload(`/projects/${id}/code`, bot), 409, "project_busy");
          await client.act(id, "stop");
        }
        await client.when(id, "stopped");
        await client.act(id, "start");
        await client.when(id, "running");
      },
    },
    {
      rows: ["control.busy", "error.project_busy"],
      title:
        "while a start or a restart is in progress a restart and new code are project_busy; a stop ends it",
      async show(world) {
        for (const action of ["start", "restart"] as const) {
          const client = await world.client();
          const { id } = action === "start" ? await client.createStopped() : await client.createRunning();
          {
            using hold = world.cluster.host.machine.hold(id);
            await client.act(id, action);
            await hold.reached;
            assertRefused(await client.post(`/projects/${id}/restart`), 409, "project_busy");
            assertRefused(await client.upload(`/projects/${id}/code`, bot), 409, "project_busy");
            assert.equal((await client.act(id, "start")).status, "restarting", "it is coming up already");
            await client.act(id, "stop");
          }
          await client.when(id, "stopped");
        }
      },
    },
    {
      rows: ["failure.install_timeout"],
      title: "an install that takes longer than it may is install_timeout",
      async show() {
        await using cluster = await TestCluster.create({ installTimeoutSeconds: 1 });
        const { client } = await accountOn(cluster);
        const { id } = await client.create({ ...bot, installCommand: "sim run" });
        const { error } = await client.when(id, "error");
        assert.equal(error?.code, "install_timeout");
        assert.match(error?.message ?? "", /5 minutos/);
      },
    },
    {
      rows: ["failure.install_out_of_memory"],
      title: "an install that takes too much memory is install_out_of_memory",
      async show(world) {
        const client = await world.client();
        const { id } = await client.create({ ...bot, installCommand: "sim oom" });
        assert.equal((await client.when(id, "error")).error?.code, "install_out_of_memory");
      },
    },
    {
      rows: ["failure.start_failed"],
      title: "a start command that does not come up is start_failed",
      async show(world) {
        const client = await world.client();
        const { id } = await client.create(
          { ...bot, command: "sim fail-start not found" },
          { start: "true" },
        );
        assert.equal((await client.when(id, "error")).error?.code, "start_failed");
      },
    },
  ],
};
