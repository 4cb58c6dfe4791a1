import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { report } from "@tijolo/protocol";
import { until } from "../../../test/support/until.ts";
import { sampleAssignment } from "../../../test/support/samples.ts";
import { ownerText } from "../../../test/support/projects/owner-text.ts";
import type { Instance, StartRequest } from "../runtime/runtime.ts";
import { SimulatedMachine, SimulatedRuntime } from "../runtime/simulated.ts";
import { ProjectWorker } from "./worker.ts";
import { Reconciler } from "../reconcile/reconciler.ts";
import { openTestContext } from "./test-context.ts";

const assignment = sampleAssignment({ settings: { ...sampleAssignment().settings, installCommand: "" } });

/** Kills its first run when it has been started, before anybody was notified of the start. */
class KillingRuntime extends SimulatedRuntime {
  readonly #machine: SimulatedMachine;

  constructor(dataDirectory: string, machine: SimulatedMachine) {
    super({ dataDirectory, machine, clock: { now: () => new Date() } });
    this.#machine = machine;
  }

  override async start(request: StartRequest): Promise<Instance> {
    const started = await super.start(request);
    if (request.runNumber === 1) this.#machine.kill(request.projectId, new Date());
    return started;
  }
}

test("a run that ends before its start is answered is not taken for one that goes on", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const machine = new SimulatedMachine();
  const wanted = sampleAssignment({
    settings: { ...assignment.settings, command: "sim run" },
    hasAutoRestart: true,
  });
  await using context = openTestContext(dataDirectory, wanted, {
    runtime: new KillingRuntime(dataDirectory, machine),
  });
  await using reconciler = await Reconciler.create(context);
  await until(() => machine.startCounts.get(wanted.projectId) === 2);
  await until(() => reconciler.find(wanted.projectId)?.record.observed.phase === "running");
  assert.equal(reconciler.find(wanted.projectId)?.record.endedRunNumber, 1);
});

test("a project whose record was lost is stopped, and its next run has a number of its own", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const runtime = new SimulatedRuntime({
    dataDirectory,
    machine: new SimulatedMachine(),
    clock: { now: () => new Date() },
  });
  const wanted = sampleAssignment({ settings: { ...assignment.settings, command: "sim run" } });
  await using context = openTestContext(dataDirectory, wanted, { runtime });
  const worker = new ProjectWorker(context, wanted.projectId, () => {});
  runtime.onExit((ended) => {
    worker.see(ended);
    worker.wake();
  });
  worker.record = { ...worker.record, runNumber: 6 };
  worker.assign(wanted);
  await until(() => worker.record.observed.phase === "running");
  assert.equal(worker.instance?.runNumber, 7);
  worker.record = { ...worker.record, runNumber: 0 };
  worker.assign({ ...wanted, run: "off" });
  await until(() => worker.record.observed.phase === "ready" && worker.instance === undefined);
  worker.assign({ ...wanted, restartCount: wanted.restartCount + 1 });
  await until(() => worker.record.observed.phase === "running");
  assert.deepEqual([worker.instance?.runNumber, worker.instance?.exit], [8, null]);
  await worker.close();
});

test("what was looked up before a run's end, and comes after it, does not bring the run back", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  await using context = openTestContext(dataDirectory, assignment);
  const worker = new ProjectWorker(context, assignment.projectId, () => {});
  const up: Instance = {
    projectId: assignment.projectId,
    runNumber: 3,
    versionNumber: 1,
    startedAt: new Date(),
    exit: null,
  };
  const ended: Instance = { ...up, exit: { code: 1, isOutOfMemory: false, at: new Date(), cause: "exited" } };
  worker.see(up);
  worker.see(ended);
  worker.see(up);
  assert.equal(worker.instance, ended);
  worker.instance = undefined;
  worker.save({ ...worker.record, endedRunNumber: 3 });
  worker.see(up);
  assert.equal(worker.instance, undefined);
  const next = { ...up, runNumber: 4 };
  worker.see(next);
  worker.see(ended);
  assert.equal(worker.instance, next);
});

/** Makes a worker whose project is installed, and whose start waits for an image that does not come. */
async function startThatWaits(t: TestContext) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const image = { layers: [], environment: {} };
  const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
  let asked = 0;
  const ensure = (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    ++asked === 1
      ? Promise.resolve(image)
      : new Promise<typeof image>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          waits();
        });
  const context = openTestContext(dataDirectory, assignment, { images: { ensure } });
  t.after(() => context[Symbol.asyncDispose]());
  const worker = new ProjectWorker(context, assignment.projectId, () => {});
  worker.assign(assignment);
  await isWaiting;
  assert.equal(worker.record.installed?.versionNumber, assignment.versionNumber);
  return worker;
}

test("the end of the agent does not wait for the image of a start", async (t) => {
  const worker = await startThatWaits(t);
  await worker.close();
  assert.equal(worker.instance, undefined);
  assert.equal(worker.record.observed.errorCode, null, "the next agent goes on with it");
});

test("a start that nobody wants any more does not wait for its image", async (t) => {
  const worker = await startThatWaits(t);
  worker.assign({ ...assignment, run: "off" });
  await until(() => worker.record.observed.phase === "ready");
  await worker.close();
  assert.equal(worker.instance, undefined);
});

test("what central is told of a project is what it takes, however long the name of its start file is", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const entry = `${"a/".repeat(400)}x.js`;
  const wanted = sampleAssignment({ settings: { ...assignment.settings, entry, command: `node ${entry}` } });
  await using context = openTestContext(dataDirectory, wanted);
  await using reconciler = await Reconciler.create(context);
  await until(() => reconciler.find(wanted.projectId)?.record.observed.phase === "failed");
  const entries = context.ledger.pending(500);
  const told = entries.flatMap(({ event }) => (event.kind === "state" ? event.state.errorDetails : []));
  assert.match(ownerText(told[0]), /^O arquivo de início a\/a\//);
  assert.equal(report.safeParse({ entries }).error, undefined);
});

test("what the agent brings back by itself is `waiting` until it is up, what a person asked for is `starting`", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const machine = new SimulatedMachine();
  const runtime = new SimulatedRuntime({ dataDirectory, machine, clock: { now: () => new Date() } });
  const wanted = sampleAssignment({
    settings: { ...assignment.settings, command: "sim run" },
    hasAutoRestart: true,
  });
  await using context = openTestContext(dataDirectory, wanted, { runtime });
  await using reconciler = await Reconciler.create(context);
  const phase = () => reconciler.find(wanted.projectId)?.record.observed.phase;
  await until(() => phase() === "running");
  {
    using hold = machine.hold(wanted.projectId);
    machine.kill(wanted.projectId, new Date());
    await hold.reached;
    assert.equal(phase(), "waiting");
  }
  await until(() => phase() === "running");
  reconciler.find(wanted.projectId)?.assign({ ...wanted, run: "off" });
  await until(() => phase() === "ready");
  using hold = machine.hold(wanted.projectId);
  reconciler.find(wanted.projectId)?.assign({ ...wanted, restartCount: wanted.restartCount + 1 });
  await hold.reached;
  assert.equal(phase(), "starting");
});

test("a stop that finds up what the agent was bringing back is no crash", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const runtime = new SimulatedRuntime({
    dataDirectory,
    machine: new SimulatedMachine(),
    clock: { now: () => new Date() },
  });
  const wanted = sampleAssignment({
    settings: { ...assignment.settings, command: "sim run" },
    hasAutoRestart: true,
  });
  await using context = openTestContext(dataDirectory, wanted, { runtime });
  const worker = new ProjectWorker(context, wanted.projectId, () => {});
  runtime.onExit((ended) => {
    worker.see(ended);
    worker.wake();
  });
  worker.assign(wanted);
  await until(() => worker.record.observed.phase === "running");
  // As an agent leaves it that dies between the start of a container and its word of it.
  worker.record = {
    ...worker.record,
    observed: { ...worker.record.observed, phase: "waiting", consecutiveCrashes: 1 },
  };
  worker.assign({ ...wanted, run: "off" });
  await until(() => worker.record.observed.phase === "ready");
  assert.deepEqual(
    [worker.record.observed.consecutiveCrashes, worker.record.observed.lastExit?.code],
    [1, 143],
  );
  await worker.close();
});

test("files that new code replaces are reported with the version that brought them", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const wanted = sampleAssignment({ settings: { ...assignment.settings, command: "sim run" } });
  await using context = openTestContext(dataDirectory, wanted);
  const worker = new ProjectWorker(context, wanted.projectId, () => {});
  const { projectId, versionNumber } = wanted;
  const own = join(dataDirectory, "projects", projectId, "disk/app");
  await mkdir(own, { recursive: true });
  const isUp = (version: number) => () =>
    worker.record.observed.phase === "running" && worker.record.mergedVersion === version;
  worker.assign(wanted);
  await until(isUp(versionNumber));
  await writeFile(join(own, "index.js"), "the program's");
  const next = { ...wanted, versionNumber: versionNumber + 1, restartCount: wanted.restartCount + 1 };
  worker.assign(next);
  await until(isUp(versionNumber + 1));
  const reports = context.ledger
    .pending(100)
    .flatMap(({ event }) => (event.kind === "replaced" ? [event] : []));
  const expected = { kind: "replaced", versionNumber: versionNumber + 1, count: 1, paths: ["index.js"] };
  assert.deepEqual(reports, [expected]);
  assert.deepEqual(await readdir(own), []);
  assert.equal(await context.replacedFiles.restore(projectId, versionNumber + 1, null), true);
  worker.assign({ ...next, restartCount: next.restartCount + 1 });
  await until(() => worker.record.observed.restartCount > next.restartCount && isUp(versionNumber + 1)());
  assert.equal(await readFile(join(own, "index.js"), "utf8"), "the program's");
  await worker.close();
});

test("of a project that was given up no state is told: who named it again would take its stop for the owner's", async (t) => {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const wanted = sampleAssignment({ settings: { ...assignment.settings, command: "sim run" } });
  await using context = openTestContext(dataDirectory, wanted);
  await using reconciler = await Reconciler.create(context);
  await until(() => reconciler.find(wanted.projectId)?.record.observed.phase === "running");
  const { revision, setHash } = context.ledger.held();
  const told = () =>
    context.ledger.pending(100).flatMap(({ event }) => (event.kind === "state" ? [event.state.phase] : []));
  assert.equal(told().at(-1), "running");
  context.ledger.applyDesired({
    revision: revision + 1,
    part: 0,
    isFull: false,
    upserts: [],
    deletes: [wanted.projectId],
    departures: [{ projectId: wanted.projectId, reason: "elsewhere" }],
    setHash,
  });
  reconciler.takeDesired();
  await until(() => reconciler.find(wanted.projectId)?.record.observed.phase === "ready");
  reconciler.tellStates();
  assert.equal(told().at(-1), "running");
});
