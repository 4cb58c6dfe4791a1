import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../../../test/support/until.ts";
import { StartError, type Instance, type StartRequest } from "./runtime.ts";
import { parseSimulatedProgram } from "./simulated-program.ts";
import { SimulatedMachine, SimulatedRuntime } from "./simulated.ts";

const clock = { now: () => new Date() };

async function host(t: TestContext) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-simulated-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const machine = new SimulatedMachine();
  const ended: Instance[] = [];
  const agent = () => {
    const runtime = new SimulatedRuntime({ dataDirectory, machine, clock });
    runtime.onExit((instance) => ended.push(instance));
    return runtime;
  };
  const request = (runNumber: number, command: string): StartRequest => ({
    projectId: "prj_a",
    versionNumber: 1,
    runNumber,
    language: "node",
    imageLayers: [],
    appLayers: [],
    networkNamespace: "none",
    resolvConf: "",
    bindReadOnly: [],
    uidBase: 1_000_000,
    hostname: "svc-a",
    environment: {},
    command,
    logDirectory: join(dataDirectory, "logs"),
    limits: { memoryMb: 100, cpuPercent: null, cpuWeight: 100, pids: 10 },
  });
  return { dataDirectory, machine, ended, agent, request };
}

test("a program ends as it is told to, once", async (t) => {
  const { ended, agent, request } = await host(t);
  const runtime = agent();
  await runtime.start(request(1, "sim exit 3 after 20"));
  await until(() => ended.length === 1);
  assert.deepEqual(
    [ended[0]?.exit?.code, ended[0]?.exit?.cause, ended[0]?.exit?.isOutOfMemory],
    [3, "exited", false],
  );
  await runtime.start(request(2, "sim oom"));
  await until(() => ended.length === 2);
  assert.deepEqual([ended[1]?.exit?.code, ended[1]?.exit?.isOutOfMemory], [137, true]);
});

test("a program waits at its gate until that is opened, or it is ended", async (t) => {
  const { machine, ended, agent, request } = await host(t);
  const runtime = agent();
  await runtime.start(request(1, "sim gate; exit 3"));
  await runtime.stop("prj_a", { graceMs: 60_000 });
  await runtime.start(request(2, "sim gate; exit 3"));
  machine.openGate("prj_b");
  await runtime.start({ ...request(1, "sim gate; exit 4"), projectId: "prj_b" });
  await until(() => ended.length === 2);
  machine.openGate("prj_a");
  await until(() => ended.length === 3);
  assert.deepEqual(
    ended.map((instance) => instance.exit?.code),
    [143, 4, 3],
  );
});

test("a stop is obeyed, refused until the kill, or answered with a code of its own", async (t) => {
  const { ended, agent, request } = await host(t);
  const runtime = agent();
  for (const [index, command] of ["npm start", "sim ignore-term; run", "sim term 0; run"].entries()) {
    await runtime.start(request(index + 1, command));
    await runtime.stop("prj_a", { graceMs: 30 });
    await until(() => ended.length === index + 1);
  }
  assert.deepEqual(
    ended.map((instance) => instance.exit?.code),
    [143, 137, 0],
  );
});

test("containers outlive the agent and are told to the next one", async (t) => {
  const { machine, ended, agent, request } = await host(t);
  const first = agent();
  await first.start(request(1, "sim exit 5 after 30"));
  await first.close();
  await until(() => [...machine.runs.values()].every((run) => run.instance.exit !== null));
  assert.equal(ended.length, 0);
  const second = agent();
  const [found] = await second.instances();
  assert.equal(found?.exit?.code, 5);
  if (found !== undefined) await second.forget(found);
  assert.deepEqual(await second.instances(), []);
});

test("a restart of the machine makes running containers vanish", async (t) => {
  const { machine, agent, request } = await host(t);
  await agent().start(request(1, "sim run"));
  machine.reboot();
  const [found] = await agent().instances();
  assert.equal(found?.exit?.cause, "vanished");
});

test("lines lie on disk as the log writer writes them", async (t) => {
  const { dataDirectory, ended, agent, request } = await host(t);
  await agent().start(request(1, "sim print hello; warn oh; log 2; exit 0"));
  await until(() => ended.length === 1);
  const stdout = await readFile(join(dataDirectory, "logs/stdout/1-.log"), "utf8");
  assert.match(stdout, /^\S{23}Z hello\n\S{23}Z line 1\n\S{23}Z line 2\n$/);
  assert.match(await readFile(join(dataDirectory, "logs/stderr/1-.log"), "utf8"), /^\S{23}Z oh\n$/);
});

test("an install step succeeds, fails, runs out of memory or time, or is aborted", async (t) => {
  const { dataDirectory, agent, request } = await host(t);
  const runtime = agent();
  const install = (command: string, signal = new AbortController().signal) =>
    runtime.install(
      { ...request(0, command), resultDirectory: join(dataDirectory, "result"), timeoutMs: 60 },
      signal,
    );
  assert.deepEqual(await install("npm ci"), { status: "installed" });
  assert.deepEqual(await install("sim exit 2"), { status: "failed", code: "install_failed", exitCode: 2 });
  assert.deepEqual(await install("sim oom"), {
    status: "failed",
    code: "install_out_of_memory",
    exitCode: 137,
  });
  assert.deepEqual(await install("sim run"), { status: "failed", code: "install_timeout", exitCode: null });
  await assert.rejects(install("sim run", AbortSignal.timeout(10)), { name: "TimeoutError" });
});

test("a program that cannot start is a StartError", async (t) => {
  const { agent, request } = await host(t);
  const runtime = agent();
  await assert.rejects(
    runtime.start(request(1, "sim fail-start no image")),
    (error) => error instanceof StartError && error.message === "no image",
  );
  assert.deepEqual(await runtime.instances(), []);
});

test("a wrong step is refused, another language is not read", () => {
  assert.throws(() => parseSimulatedProgram("sim dance"), /dance/);
  assert.throws(() => parseSimulatedProgram("sim exit now"), /exit now/);
  assert.equal(parseSimulatedProgram("node simple.js"), null);
});
