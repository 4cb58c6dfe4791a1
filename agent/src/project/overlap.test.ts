/** Tests deploys of a site whose next run starts beside the one before, on a simulated machine. */

import assert from "node:assert/strict";
import { test, type TestContext } from "node:test";
import type { Assignment } from "@tijolo/protocol";
import { ProjectHost, texts, version } from "../../../test/support/projects/project-host.ts";
import { until } from "../../../test/support/until.ts";
import type { SiteDrain } from "../link/link.ts";
import type { ProjectNetwork } from "../network/network.ts";
import type { WorkerContext } from "./worker-context.ts";

const site = { type: "site", port: 8080 } as const;
const overlapped = (number: number, settings: Parameters<typeof version>[1] = {}): Assignment =>
  version(number, { ...site, ...settings }, { deploy: "overlap" });
const one = overlapped(1);

/** The networks of one project, which outlive its agents. */
class Networks {
  claimed: ProjectNetwork | undefined;
  leaving: ProjectNetwork | undefined;
  #count = 0;

  /** Keeps the network of the run that leaves apart until it is freed or taken back, as the real ones do. */
  get parts(): Partial<WorkerContext> {
    const network: WorkerContext["network"] = {
      claim: async () => (this.claimed ??= place(`10.0.0.${++this.#count}`)),
      setAside: async () => {
        if (this.leaving === undefined) [this.leaving, this.claimed] = [this.claimed, undefined];
      },
      takeBack: async () => {
        if (this.leaving !== undefined) [this.claimed, this.leaving] = [this.leaving, undefined];
      },
      releaseLeaving: async () => {
        if (this.claimed === undefined) this.claimed = this.leaving;
        this.leaving = undefined;
      },
      release: async () => {
        this.claimed = this.leaving = undefined;
      },
      find: () => this.claimed,
      findLeaving: () => this.leaving,
      setRunning: () => {},
      setSite: () => {},
    };
    return { network };
  }
}

function place(address: string): ProjectNetwork {
  return { address, namespacePath: "", resolvConf: "" };
}

/** A site on a simulated host whose first version is up. */
async function siteWithVersionOne(t: TestContext, changes: Partial<WorkerContext> = {}) {
  const host = await ProjectHost.create(t);
  const networks = new Networks();
  const parts = () => ({ ...networks.parts, ...changes });
  await host.startAgent(one, parts());
  await host.bringUp(one);
  const { projectId } = host.worker;
  const answering = () => {
    const { site: where } = host.told;
    return where == null ? null : `run ${where.runNumber} at ${where.address}`;
  };
  assert.equal(answering(), "run 1 at 10.0.0.1");
  return { host, networks, projectId, answering, parts };
}

test("the next run starts beside the one before, which answers until it is ready and has finished", async (t) => {
  const drained: SiteDrain[] = [];
  const drainSite = async (run: SiteDrain) => void drained.push(run);
  const { host, networks, projectId, answering } = await siteWithVersionOne(t, { drainSite });
  host.machine.silentSites.add(projectId);
  host.want(overlapped(2));
  await until(() => host.running().length === 2);
  const told = await host.tells({ phase: "running", versionNumber: 2, hasComeUp: false });
  assert.deepEqual([told.servingVersion, answering()], [1, "run 1 at 10.0.0.1"]);
  host.machine.silentSites.delete(projectId);
  await until(() => host.running().length === 1);
  assert.deepEqual(host.running(), ["run 2 of version 2"]);
  assert.equal(answering(), "run 2 at 10.0.0.2");
  assert.deepEqual(drained, [{ projectId, runNumber: 1, seconds: 30, hasStreams: true }]);
  await until(() => host.worker.record.leaving === null);
  assert.deepEqual([networks.claimed?.address, networks.leaving], ["10.0.0.2", undefined]);
  assert.equal((await host.tells({ phase: "running", hasComeUp: true })).servingVersion, 2);
});

test("lines of both runs are their versions' own", async (t) => {
  const { host, projectId } = await siteWithVersionOne(t);
  host.machine.silentSites.add(projectId);
  host.want(overlapped(2, { command: "sim print two; run" }));
  await until(async () => (await host.says()).includes("two"));
  const { logs } = host.worker.context;
  const { lines } = await logs.readLast(projectId, { lines: 100, section: "app", stream: "stdout" });
  assert.deepEqual(
    lines.map(({ text, version: number }) => [text, number]),
    [["two", 2]],
  );
  host.machine.silentSites.delete(projectId);
  await until(() => host.running().length === 1);
  await host.bringUp(overlapped(3, { command: "sim print three; run" }));
  const { lines: all } = await logs.readLast(projectId, { lines: 100, section: "app", stream: "stdout" });
  assert.deepEqual(
    all.map(({ text, version: number }) => [text, number]),
    [
      ["two", 2],
      ["three", 3],
    ],
  );
});

for (const [name, settings] of [
  ["exits at once", { command: "sim exit 7" }],
  ["cannot be started", { command: "sim fail-start x" }],
  ["has no start file", { entry: "none.js" }],
] as const) {
  test(`of a version that ${name} nothing is seen: the run before goes on`, async (t) => {
    const { host, networks, answering } = await siteWithVersionOne(t);
    host.want(overlapped(2, settings));
    const told = await host.tells({ phase: "failed", versionNumber: 2 });
    assert.deepEqual([told.errorCode, told.servingVersion], ["start_failed", 1]);
    assert.equal(texts(told).at(-1), "A versão 1 voltou ao ar.");
    await until(() => host.worker.record.leaving === null);
    assert.deepEqual([host.running(), answering()], [["run 1 of version 1"], "run 1 at 10.0.0.1"]);
    assert.deepEqual([networks.claimed?.address, networks.leaving], ["10.0.0.1", undefined]);
    await host.bringUp(overlapped(3));
    await until(() => host.running().length === 1);
    assert.deepEqual(host.running(), ["run 3 of version 3"]);
  });
}

test("a version that is not ready in its time is ended, and the run before goes on, also for the next agent", async (t) => {
  const { host, projectId, answering, parts } = await siteWithVersionOne(t);
  host.machine.silentSites.add(projectId);
  const two = overlapped(2);
  host.want(two);
  await until(() => host.running().length === 2);
  host.advance(61_000);
  await host.tells({ phase: "failed", versionNumber: 2, servingVersion: 1 });
  await until(() => host.worker.record.leaving === null);
  assert.deepEqual([host.running(), answering()], [["run 1 of version 1"], "run 1 at 10.0.0.1"]);
  await host.stopAgent();
  await host.startAgent(two, parts());
  assert.deepEqual([host.running(), answering()], [["run 1 of version 1"], "run 1 at 10.0.0.1"]);
  host.kill();
  await until(() => host.running().includes("run 3 of version 1"));
});

for (const [name, happen] of [
  ["ends", (host: ProjectHost) => host.kill()],
  ["is to be replaced", (host: ProjectHost) => host.want(overlapped(3))],
  ["is to be restarted", (host: ProjectHost) => host.want({ ...overlapped(2), restartCount: 9 })],
] as const) {
  test(`visitors of the run that leaves are waited for no longer once the newest ${name}`, async (t) => {
    let isWaiting = false;
    const drainSite = (_run: SiteDrain, signal: AbortSignal) =>
      new Promise<void>((resolve) => {
        isWaiting = true;
        signal.addEventListener("abort", () => resolve());
      });
    const { host } = await siteWithVersionOne(t, { drainSite });
    host.want(overlapped(2));
    await until(() => isWaiting);
    assert.deepEqual(host.running(), ["run 1 of version 1", "run 2 of version 2"]);
    happen(host);
    await until(() => host.running().some((run) => run.startsWith("run 3")));
    assert.ok(!host.running().includes("run 1 of version 1"));
  });
}

test("an agent that starts while two runs are there goes on where the one before was", async (t) => {
  const hanging = (_run: SiteDrain, signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve()));
  const { host, projectId, answering, networks, parts } = await siteWithVersionOne(t, { drainSite: hanging });
  const two = overlapped(2);
  host.machine.silentSites.add(projectId);
  host.want(two);
  await until(() => host.running().length === 2);
  await host.stopAgent();
  await host.startAgent(two, parts());
  await until(() => answering() === "run 1 at 10.0.0.1");
  host.machine.silentSites.delete(projectId);
  await until(() => answering() === "run 2 at 10.0.0.2");
  assert.equal(host.running().length, 2, "it waits for the visits under way");
  await host.stopAgent();
  await host.startAgent(two, { ...parts(), drainSite: async () => {} });
  await until(() => host.worker.record.leaving === null);
  assert.deepEqual([host.running(), networks.leaving], [["run 2 of version 2"], undefined]);
});

test("a restart is without a gap, too, and a stop ends both runs at once", async (t) => {
  const { host, projectId, answering, networks } = await siteWithVersionOne(t);
  host.machine.silentSites.add(projectId);
  const again = { ...one, restartCount: 2 };
  host.want(again);
  await until(() => host.running().length === 2);
  assert.equal(answering(), "run 1 at 10.0.0.1");
  host.want({ ...again, run: "off" });
  await host.tells({ phase: "ready" });
  await until(() => host.worker.record.leaving === null);
  assert.deepEqual([host.running(), answering(), networks.leaving], [[], null, undefined]);
});

test("a run that is never ready has no memory of two for ever: the one before it ends after minutes", async (t) => {
  const { host, projectId, answering } = await siteWithVersionOne(t);
  host.machine.silentSites.add(projectId);
  host.want({ ...one, restartCount: 2 });
  await until(() => host.running().length === 2);
  host.advance(4 * 60_000);
  assert.equal(answering(), "run 1 at 10.0.0.1");
  // A restart in between gives no more time.
  host.want({ ...one, restartCount: 3 });
  await until(() => host.running().includes("run 3 of version 1"));
  host.advance(61_000);
  await until(() => host.running().length === 1);
  assert.deepEqual(host.running(), ["run 3 of version 1"]);
  await until(() => host.worker.record.leaving === null);
});

test("newer code takes the place of a run that is not ready yet; the one that answers goes on", async (t) => {
  const { host, projectId, answering } = await siteWithVersionOne(t);
  host.machine.silentSites.add(projectId);
  host.want(overlapped(2));
  await until(() => host.running().length === 2);
  host.want(overlapped(3));
  await until(() => host.running().includes("run 3 of version 3"));
  assert.deepEqual([host.running().length, answering()], [2, "run 1 at 10.0.0.1"]);
  host.machine.silentSites.delete(projectId);
  await until(() => host.running().length === 1);
  assert.deepEqual([host.running(), answering()], [["run 3 of version 3"], "run 3 at 10.0.0.2"]);
});

test("where the run that answers ends meanwhile, the next one goes on alone", async (t) => {
  const { host, projectId, answering } = await siteWithVersionOne(t);
  host.machine.silentSites.add(projectId);
  host.want(overlapped(2));
  await until(() => host.running().length === 2);
  const [first] = [...host.machine.runs.values()];
  first?.container.kill();
  await until(() => host.worker.record.leaving === null);
  assert.deepEqual([host.running(), answering()], [["run 2 of version 2"], null]);
  host.machine.silentSites.delete(projectId);
  await until(() => answering() === "run 2 at 10.0.0.2");
});

test("without memory for two the run before ends first", async (t) => {
  const atOnce: number[] = [];
  const { host } = await siteWithVersionOne(t, { freeMemoryMb: () => 10 });
  const { start } = host.worker.context.runtime;
  host.worker.context.runtime.start = async (request) => {
    atOnce.push(host.running().length);
    return start.call(host.worker.context.runtime, request);
  };
  await host.bringUp(overlapped(2));
  assert.deepEqual(atOnce, [0]);
});
