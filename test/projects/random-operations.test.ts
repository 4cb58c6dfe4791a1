/**
 * Runs random operations, with central and agents stopped and started at random between them: what was
 * acknowledged last must hold in the end.
 */

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "node:test";
import { ApiError, ConnectionError, type Project } from "@tijolo/protocol";
import { assertExitsToldOnce, runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const runForMs = 12_000;
const settleMs = 45_000;

/**
 * Run state that an owner was promised last; null: an answer was lost, or the install fails, so either holds.
 */
type Intent = "on" | "off" | null;

test("random operations among random stops and starts end at the last acknowledged intent", async (t) => {
  const seed = Number(process.env.TEST_SEED ?? 20_261_121);
  t.diagnostic(`TEST_SEED=${seed}`);
  const random = mulberry32(seed);
  const pick = <Value>(values: readonly [Value, ...Value[]]): Value =>
    values[Math.floor(random() * values.length)] ?? values[0];
  await using cluster = await TestCluster.create({ hosts: 2 });
  const account = await cluster.createAccount({ plan: "Empresas" });
  const projects = await Promise.all(
    Array.from({ length: 6 }, () => SimulatedProject.create(account, "sim run")),
  );
  const intents = new Map<SimulatedProject, Intent>();
  for (const project of projects) {
    await project.is("running");
    intents.set(project, "on");
  }
  const done: Record<string, number> = {};
  const note = (what: string) => (done[what] = (done[what] ?? 0) + 1);

  const operate = async (project: SimulatedProject) => {
    const before = intents.get(project) ?? null;
    const action = pick(["start", "stop", "restart", "upload", "crash"] as const);
    if (action === "crash") {
      for (const { machine } of cluster.hosts) machine.kill(project.id, new Date(cluster.clock.now()));
      note("crash");
      // Five in a row end a project for good; that policy has its own test.
      if (before === "on") cluster.clock.advance(61_000);
      return;
    }
    try {
      if (action === "upload") await project.upload("sim run");
      else await project[action]();
      note(`${action}: acknowledged`);
      if (action !== "upload") intents.set(project, action === "stop" ? "off" : "on");
    } catch (error) {
      if (error instanceof ApiError && ["project_busy", "server_unavailable"].includes(error.code))
        return void note(`${action}: ${error.code}`);
      assert.ok(error instanceof ConnectionError, String(error));
      note(`${action}: no answer`);
      if (action !== "upload") intents.set(project, null);
    }
  };

  const disturb = async () => {
    const what = pick(["central", "agent", "agent"] as const);
    note(`${what} stopped`);
    if (what === "central") {
      await cluster.stopCentral();
      await delay(random() * 400);
      await cluster.startCentral();
    } else {
      const host = pick([cluster.hosts[0], cluster.hosts[1]] as const);
      await host?.stop();
      await delay(random() * 400);
      await host?.start();
    }
  };

  const endMs = performance.now() + runForMs;
  const owners = projects.map(async (project) => {
    while (performance.now() < endMs) {
      await operate(project);
      await delay(random() * 150);
    }
  });
  const trouble = (async () => {
    while (performance.now() < endMs) {
      await delay(random() * 1_500);
      await disturb();
    }
  })();
  await Promise.all([...owners, trouble]);
  t.diagnostic(JSON.stringify(done));

  await until(async () => (await cluster.connectedHosts()) === 2, { timeoutMs: settleMs, everyMs: 50 });
  for (const project of projects) {
    const intent = intents.get(project);
    // New code that is killed in its first seconds is taken back: the version before it runs then, if any is to.
    const isSettled = ({ status, error }: Project, isUp: boolean) => {
      const isTakenBack = status === "error" && error?.code === "start_failed";
      const isAsPromised = intent === null || isUp === (intent === "on");
      return isAsPromised && (isTakenBack || status === (isUp ? "running" : "stopped"));
    };
    const runs = () => cluster.hosts.reduce((sum, { machine }) => sum + runningCount(machine, project.id), 0);
    // What is shown may still change where an answer was lost: a stop that central took is one that the host
    // may yet have to hear of.
    const ends = project.when((now) => runs() <= 1 && isSettled(now, runs() === 1), settleMs);
    await ends.catch(async () => {
      assert.fail(`${runs()} runs of a project that is ${(await project.get()).status}; promised: ${intent}`);
    });
    const home = cluster.hosts.filter(({ machine }) => machine.startCounts.has(project.id));
    assert.equal(home.length, 1, "a project that is held by one host never runs on two");
    for (const { machine } of home) await assertExitsToldOnce(cluster, machine, project.id);
  }
});

/** Makes a small seeded generator: it repeats the same operations. Their moments still differ. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let value = Math.imul(state ^ (state >>> 15), 1 | state);
    value = (value + Math.imul(value ^ (value >>> 7), 61 | value)) ^ value;
    return ((value ^ (value >>> 14)) >>> 0) / 2 ** 32;
  };
}
