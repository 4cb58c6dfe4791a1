/** Tests what every runtime promises, on those that need no root: the simulated one, and real processes. */

import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { Instance, InstallRequest, Runtime, StartRequest } from "../runtime.ts";
import { SimulatedMachine, SimulatedRuntime } from "../simulated.ts";
import { projectId, testHost, until } from "./test-host.ts";

interface ContractHost {
  ended: Instance[];
  open(): Promise<Runtime>;
  /** Counts the programs that were ready, among those that report it. */
  countReady(): Promise<number>;
  request(runNumber: number, command: string): StartRequest;
  installRequest(command: string): InstallRequest;
}

/** The same programs in each runtime's own words. */
const programs = {
  simulated: {
    exits3: "sim exit 3",
    runs: "sim run",
    ignoresTerm: "sim ignore-term; run",
    endsCleanly: "sim term 0; run",
  },
  process: {
    exits3: "exit 3",
    runs: "exec sleep 3600",
    ignoresTerm: "trap '' TERM; echo ready; while :; do sleep 1; done",
    endsCleanly: "trap 'exit 0' TERM; echo ready; while :; do sleep 0.1; done",
  },
};

async function simulatedHost(t: TestContext): Promise<ContractHost> {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-contract-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const machine = new SimulatedMachine();
  const ended: Instance[] = [];
  const { request, installRequest } = await testHost(t);
  return {
    ended,
    request,
    installRequest,
    countReady: async () => Infinity,
    async open() {
      const runtime = new SimulatedRuntime({ dataDirectory, machine, clock: { now: () => new Date() } });
      runtime.onExit((instance) => ended.push(instance));
      return runtime;
    },
  };
}

async function processHost(t: TestContext): Promise<ContractHost> {
  const host = await testHost(t);
  return {
    ...host,
    countReady: async () => (await host.lines("stdout")).filter((line) => line === "ready").length,
  };
}

for (const kind of ["simulated", "process"] as const) {
  const hostOf = (t: TestContext): Promise<ContractHost> =>
    kind === "simulated" ? simulatedHost(t) : processHost(t);
  const { exits3, runs, ignoresTerm, endsCleanly } = programs[kind];

  test(`${kind}: an end is told once, with its code, until it is forgotten`, async (t) => {
    const host = await hostOf(t);
    const runtime = await host.open();
    assert.equal(runtime.name, kind);
    const started = await runtime.start(host.request(1, exits3));
    assert.deepEqual([started.projectId, started.runNumber, started.versionNumber], [projectId, 1, 1]);
    await until(() => host.ended.length === 1);
    const [found] = await runtime.instances();
    assert.deepEqual(
      [found?.exit?.code, found?.exit?.cause, found?.exit?.isOutOfMemory],
      [3, "exited", false],
    );
    assert.ok(found);
    await runtime.forget(found);
    await runtime.forget(found);
    assert.deepEqual(await runtime.instances(), []);
    assert.equal(host.ended.length, 1);
  });

  test(`${kind}: a start is idempotent by its number, and refused beside another`, async (t) => {
    const host = await hostOf(t);
    const runtime = await host.open();
    const [first, again] = [
      await runtime.start(host.request(1, runs)),
      await runtime.start(host.request(1, runs)),
    ];
    assert.equal(again.startedAt.getTime(), first.startedAt.getTime());
    await assert.rejects(runtime.start(host.request(2, runs)), { name: "StartError" });
    assert.deepEqual([...(await runtime.usage()).keys()], [projectId]);
    await runtime.stop(projectId, { graceMs: 10_000 });
  });

  test(`${kind}: a stop asks first, kills then, and may be asked for when nothing runs`, async (t) => {
    const host = await hostOf(t);
    const runtime = await host.open();
    for (const [index, command] of [runs, endsCleanly, ignoresTerm].entries()) {
      await runtime.start(host.request(index + 1, command));
      // The shell has set its trap then; the first has none to set.
      await until(async () => (await host.countReady()) >= index);
      await runtime.stop(projectId, { graceMs: command === ignoresTerm ? 300 : 20_000 });
      await until(() => host.ended.length === index + 1);
    }
    assert.deepEqual(
      host.ended.map(({ exit }) => exit?.code),
      [143, 0, 137],
    );
    await runtime.stop(projectId, { graceMs: 10 });
    await runtime.stop("prj_nobody", { graceMs: 10 });
  });

  test(`${kind}: the end of an agent ends no program, and the next agent is told of its end`, async (t) => {
    const host = await hostOf(t);
    const first = await host.open();
    await first.start(host.request(1, runs));
    await first.close();
    const second = await host.open();
    const [found] = await second.instances();
    assert.equal(found?.exit, null);
    await second.stop(projectId, { graceMs: 10_000 });
    assert.deepEqual(
      host.ended.map(({ runNumber, exit }) => [runNumber, exit?.code]),
      [[1, 143]],
    );
    await second.remove(projectId);
    assert.deepEqual(await second.instances(), []);
  });

  test(`${kind}: an install step ends, fails or is given up`, async (t) => {
    const host = await hostOf(t);
    const runtime = await host.open();
    const { signal } = new AbortController();
    const install = (command: string, timeoutMs = 30_000) =>
      runtime.install({ ...host.installRequest(command), timeoutMs }, signal);
    assert.deepEqual(await install(kind === "simulated" ? "npm ci" : "true"), { status: "installed" });
    assert.deepEqual(await install(exits3), { status: "failed", code: "install_failed", exitCode: 3 });
    assert.deepEqual(await install(runs, 300), { status: "failed", code: "install_timeout", exitCode: null });
    await assert.rejects(runtime.install(host.installRequest(runs), AbortSignal.timeout(100)), {
      name: "TimeoutError",
    });
  });
}
