/**
 * Agents and central are killed at random moments, and a host loses its power: no project notices, no line is
 * lost, no exit is lost or told twice. The second host's agent is away from the start until the last test.
 */

import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { TestAccount } from "../../support/cluster/operator.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, nodeProgram, shellBot } from "../support/projects/deployed-project.ts";
import { FollowedLog } from "../support/projects/followed-log.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import type { RealHost } from "../support/cluster/real-host.ts";

const agentKills = 20;
const centralKills = 10;
const awayMs = 60_000;
/** Prints `n <count> <time>` every so many milliseconds. */
const counter = (everyMs: number) =>
  nodeProgram(`let n = 0; setInterval(() => console.log("n " + ++n + " " + Date.now()), ${everyMs});`);

let cluster: RealCluster;
let account: TestAccount;
let here: RealHost;
let away: RealHost;
let onAwayHost: DeployedProject;
let awaySinceMs = 0;
let awayCursor = "";
/** Crashes from the first test on; its last pause is over minutes later. */
let crashing: DeployedProject;

before(async () => {
  cluster = await RealCluster.create({ hosts: 2 });
  account = await cluster.createAccount();
  [here, away] = cluster.hosts as [RealHost, RealHost];
  onAwayHost = await deployOn(away, () => DeployedProject.create(account.client, counter(10)));
  await onAwayHost.prints("n 1");
  awayCursor =
    (await account.client.streamLogs.page({ id: onAwayHost.id, query: { lines: 1 } })).nextCursor ?? "";
  await away.agent.kill();
  awaySinceMs = Date.now();
  await cluster.untilConnected(1);
});
after(() => cluster[Symbol.asyncDispose]());

/** Hosts take turns as long as nothing is deleted between. */
async function deployOn(host: RealHost, create: () => Promise<DeployedProject>): Promise<DeployedProject> {
  const projects = await Promise.all([create(), create()]);
  for (const project of projects) await project.is("running");
  const wanted = projects.find(({ id }) => host.pidsOf(id).length > 0);
  assert.ok(wanted !== undefined, "projects are placed on both hosts");
  for (const { id } of projects) if (id !== wanted.id) await cluster.operator.client().deleteProject({ id });
  return wanted;
}

const deploy = (upload: Parameters<typeof DeployedProject.create>[1]) =>
  DeployedProject.create(account.client, upload);

test("killed 20 times, an agent loses no process, no line and no exit, with central killed 10 times beside it", async (t) => {
  const counting = await deploy({ ...counter(10), start: false });
  await counting.is("stopped");
  await using log = new FollowedLog(account.client, counting.id);
  await account.client.startProject({ id: counting.id });
  const sleeping = await deploy(shellBot("echo up; exec sleep 100000"));
  await Promise.all([counting.is("running"), sleeping.is("running")]);
  await until(() => log.lastNumber > 0);
  const pids = [here.pidsOf(counting.id), here.pidsOf(sleeping.id)];
  assert.ok(
    pids.every((each) => each.length >= 4),
    JSON.stringify(pids),
  );

  // Five crashes in a row end it: one exit more or less, and it would run another number of times.
  const runs = `n=$(($(cat n 2> /dev/null || echo 0) + 1)); echo $n > n; echo run $n; sleep 0.7; exit 7`;
  crashing = await deploy(shellBot(runs));
  await crashing.prints("run 1"); // two kills in its install would be its end
  const installing = await Promise.all(
    [0.1, 1, 3].map((seconds) =>
      deploy(shellBot("echo up; exec sleep 100000", { installCommand: `sleep ${seconds}; echo installed` })),
    ),
  );

  await Promise.all([
    killAgain(here.agent, agentKills, 2_000),
    killAgain(cluster.central, centralKills, 3_500),
  ]);
  await cluster.untilConnected(1);

  assert.deepEqual([here.pidsOf(counting.id), here.pidsOf(sleeping.id)], pids);
  for (const project of installing) {
    const { status, error } = await project.when(({ status: now }) => now === "running" || now === "error", {
      timeoutMs: 60_000,
    });
    assert.ok(
      status === "running" || error?.code === "install_interrupted",
      JSON.stringify({ status, error }),
    );
  }

  await account.client.stopProject({ id: counting.id });
  await counting.is("stopped");
  const last = Number(/^n (\d+)/.exec((await counting.output()).at(-1) ?? "")?.[1]);
  await until(() => log.lastNumber === last);
  assert.ok(last > 1_000, `it printed ${last} lines`);
  assert.equal(log.numbers[0], 1);
  assert.equal(firstWrong(log.numbers), undefined);
  assert.equal(log.droppedLines, 0);
  t.diagnostic(`${last} lines, all of them once`);
  for (const { id } of [sleeping, ...installing]) await cluster.operator.client().deleteProject({ id });
});

async function killAgain(program: RealHost["agent"], times: number, withinMs: number): Promise<void> {
  for (let count = 0; count < times; count++) {
    await delay(randomInt(50, withinMs));
    await program.kill();
    if (count % 2 === 0) await delay(randomInt(0, 300));
    await (program === cluster.central ? cluster.launchCentral() : program.launch());
  }
  await program.serves();
}

test("a project that crashed while its agent was away comes back with its files, and its exit is told once", async () => {
  const project = await deploy(shellBot("date +%N >> file; echo run $(wc -l < file); exec sleep 100000"));
  await project.prints("run 1");
  await here.agent.kill();
  process.kill(await mainPid(project.id), "SIGABRT");
  await until(() => here.pidsOf(project.id).length === 0);
  await here.agent.start();
  await project.prints("run 2");
  const { consecutiveCrashes, lastExit } = await project.is("running");
  assert.deepEqual([consecutiveCrashes, lastExit?.code], [1, 134]);
  assert.deepEqual(await project.output(), ["run 1", "run 2"]);
  await cluster.operator.client().deleteProject({ id: project.id });
});

test("after a power cut of everything the agent alone brings back what should run, and tells once when central is back", async () => {
  const running = await deploy(shellBot("echo up; exec sleep 100000"));
  const stopped = await deploy(shellBot("echo up; exec sleep 100000"));
  const site = await deploy({
    files: { "index.html": "page" },
    config: { language: "static", root: "", subdomain: "after-power-cut" },
  });
  await Promise.all([running, stopped, site].map((project) => project.is("running")));
  await account.client.stopProject({ id: stopped.id });
  await stopped.is("stopped");
  const before = here.pidsOf(running.id);

  await cluster.central.kill();
  // A run that ends with its host is no crash, and this project is to have five.
  await until(() => here.pidsOf(crashing.id).length === 0, { timeoutMs: 20_000, everyMs: 5 });
  await here.reboot();
  assert.deepEqual(here.pids(), []);
  await here.agent.start();
  await until(() => here.pidsOf(running.id).length >= 4, { timeoutMs: 20_000, everyMs: 20 });
  assert.ok(!here.pidsOf(running.id).some((pid) => before.includes(pid)));
  assert.deepEqual(here.pidsOf(stopped.id), []);

  const first = await mainPid(running.id);
  process.kill(first, "SIGSEGV");
  await until(async () => (await mainPid(running.id)) !== first, { timeoutMs: 20_000, everyMs: 20 });

  await cluster.startCentral();
  await cluster.untilConnected(1);
  const { status, consecutiveCrashes, lastExit } = await running.when(
    (project) => project.status === "running" && project.lastExit !== null,
  );
  assert.deepEqual([status, consecutiveCrashes, lastExit?.code], ["running", 1, 139]);
  const system = (await running.lines({ section: "app" }))
    .filter(({ stream }) => stream === "system")
    .map(({ text }) => text);
  assert.equal(system.filter((text) => text.includes("código 139")).length, 1, JSON.stringify(system));
  assert.equal(
    system.filter((text) => text.includes("servidor foi reiniciado")).length,
    1,
    JSON.stringify(system),
  );
  assert.equal((await stopped.get()).status, "stopped");
  assert.equal((await site.get()).status, "running");
  for (const { id } of [running, stopped, site]) await cluster.operator.client().deleteProject({ id });
});

/** The pid of the project's own `sleep`. */
async function mainPid(projectId: string): Promise<number> {
  const isSleep = (pid: number) => {
    try {
      return readFileSync(`/proc/${pid}/comm`, "utf8").trim() === "sleep";
    } catch {
      return false;
    }
  };
  return until(() => here.pidsOf(projectId).find(isSleep), { timeoutMs: 20_000, everyMs: 20 });
}

test("an agent away for a minute costs no line and blocks nobody", async (t) => {
  const pids = away.pidsOf(onAwayHost.id);
  assert.ok(pids.length >= 4);
  await until(() => Date.now() - awaySinceMs >= awayMs, { timeoutMs: awayMs + 1_000, everyMs: 100 });
  await away.agent.start();
  await cluster.untilConnected(2);
  assert.deepEqual(away.pidsOf(onAwayHost.id), pids);

  const printed = await printedAfter(awayCursor, onAwayHost);
  assert.equal(firstWrong(printed.map(({ number }) => number)), undefined);
  const ofAbsence = printed.filter(
    ({ printedMs }) => printedMs > awaySinceMs && printedMs < awaySinceMs + awayMs,
  );
  assert.ok(ofAbsence.length > (awayMs / 1000) * 60, `${ofAbsence.length} lines while the agent was away`);
  const pauses = ofAbsence
    .slice(1)
    .map(({ printedMs }, index) => printedMs - (ofAbsence[index]?.printedMs ?? 0));
  const delays = ofAbsence.map(({ printedMs, writtenMs }) => writtenMs - printedMs);
  t.diagnostic(
    `${ofAbsence.length} lines; longest pause ${Math.max(...pauses)} ms, longest way to the disk ${Math.max(...delays)} ms`,
  );
  assert.ok(Math.max(...pauses) < 2_000 && Math.max(...delays) < 2_000);
});

interface Printed {
  number: number;
  printedMs: number;
  writtenMs: number;
}

/** Returns, read page by page, all that came after the cursor. */
async function printedAfter(first: string, { client, id }: DeployedProject): Promise<Printed[]> {
  const found: Printed[] = [];
  const untilMs = Date.now();
  const deadlineMs = performance.now() + 30_000;
  for (let cursor = first; (found.at(-1)?.printedMs ?? 0) < untilMs - 100;) {
    const page = await client.streamLogs.page({ id, query: { lines: 1000, section: "app", cursor } });
    // At the end of what is written; the program prints on.
    if (page.lines.length === 0 && performance.now() < deadlineMs) await delay(20);
    else {
      assert.ok(page.nextCursor !== null && page.lines.length > 0);
      cursor = page.nextCursor;
    }
    for (const { text, at } of page.lines) {
      const [, number, printedMs] = /^n (\d+) (\d+)$/.exec(text) ?? [];
      found.push({ number: Number(number), printedMs: Number(printedMs), writtenMs: Date.parse(at) });
    }
  }
  return found;
}

/** Returns where the numbers do not go up by one. */
function firstWrong(numbers: readonly number[]): string | undefined {
  const index = numbers.findIndex((number, position) => number !== (numbers[0] ?? 0) + position);
  return index === -1
    ? undefined
    : `${numbers.slice(Math.max(0, index - 2), index + 3).join(" ")} at ${index}`;
}

test("a project that crashed while its agent was killed again and again has crashed five times in the end", async () => {
  const crashed = await crashing.is("crash_loop", 300_000);
  assert.deepEqual(
    [crashed.consecutiveCrashes, crashed.lastExit?.code, crashed.error?.code],
    [5, 7, "crash_loop"],
  );
  assert.deepEqual(await crashing.output(), ["run 1", "run 2", "run 3", "run 4", "run 5"]);
  const told = (await crashing.lines({ section: "app" })).filter(
    ({ stream, text }) => stream === "system" && text.includes("código 7"),
  );
  assert.ok(
    told.length >= 5,
    "an agent killed between its words to the owner and its ledger says them again",
  );
});
