/** The outbox reaches central whole, in order and once, whatever happens to the connection. */

import assert from "node:assert/strict";
import { setTimeout as delay } from "node:timers/promises";
import { test } from "node:test";
import type { ReportEntry } from "@tijolo/protocol";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { until } from "../support/until.ts";
import { LinkBench, quickTimes } from "./link-bench.ts";
import { sampleExit, sampleState } from "../support/samples.ts";
import { sampleAssignment } from "./samples.ts";

test("each exit is counted once while the connection is cut, held up and muted at random moments", async (t) => {
  await using bench = await LinkBench.create(quickTimes);
  const host = await bench.joinHost();
  await using proxy = await FaultyProxy.start(bench.port);
  const assignment = sampleAssignment();
  bench.backend.want(host.hostId, [assignment]);
  const link = bench.connect(host, {
    url: `http://127.0.0.1:${proxy.port}`,
    bounds: { ...quickTimes, callMs: 500, maxReportEntries: 7 },
  });
  await until(() => host.ledger.assignments().length === 1);

  // The most dangerous moment is between central's commit and its answer: half of the cuts are made there.
  bench.backend.beforeReport = () => delay(Math.random() * 3);
  bench.backend.afterReport = async () => {
    if (Math.random() < 0.2) proxy.cut();
  };
  const storm = new AbortController();
  const faults = (async () => {
    while (!storm.signal.aborted) {
      await delay(Math.random() * 400);
      const fault = Math.random();
      if (fault < 0.4) proxy.cut();
      else proxy.mode = fault < 0.6 ? "mute" : fault < 0.8 ? "deaf" : "silent";
      proxy.delayMs = Math.random() < 0.3 ? 10 : 0;
      await delay(Math.random() * 50);
      proxy.mode = "pass";
    }
  })();
  let exits = 0;
  await until(
    () => {
      host.ledger.saveRecord(assignment.projectId, { exits }, [sampleExit(++exits)]);
      link.wakeOutbox();
      return bench.backend.connected.length >= 40;
    },
    { timeoutMs: 60_000 },
  );
  storm.abort();
  await faults;
  proxy.mode = "pass";
  bench.backend.afterReport = async () => {};
  await until(() => host.ledger.pending(1).length === 0);

  const runs = bench.backend.effects.map(({ entry }) =>
    entry.event.kind === "exit" ? entry.event.runNumber : 0,
  );
  assert.deepEqual(
    runs,
    Array.from({ length: exits }, (_, index) => index + 1),
  );
  t.diagnostic(
    `${exits} exits over ${proxy.accepted} connections and ${bench.backend.connected.length} welcomes`,
  );
});

test("a state that was not told is replaced by the newer one, exits are all told", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignment = sampleAssignment();
  bench.backend.want(host.hostId, [assignment]);
  const first = bench.connect(host);
  await until(() => host.ledger.assignments().length === 1);
  await first.close();
  for (let run = 1; run <= 3; run++) {
    host.ledger.saveRecord(assignment.projectId, {}, [
      { kind: "state", state: sampleState({ consecutiveCrashes: run }) },
      sampleExit(run),
    ]);
  }
  bench.connect(host);
  await until(() => bench.backend.effects.length === 4);
  const told = bench.backend.effects.map(({ entry: { event } }) =>
    event.kind === "state" ? `state ${event.state.consecutiveCrashes}` : `exit ${runNumberOf(event)}`,
  );
  assert.deepEqual(told, ["exit 1", "exit 2", "state 3", "exit 3"]);
});

test("a ledger that was lost does not number its entries under what central has taken", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignment = sampleAssignment();
  bench.backend.want(host.hostId, [assignment]);
  bench.backend.taken.set(host.hostId, 1000);
  const link = bench.connect(host);
  await until(() => host.ledger.assignments().length === 1);
  host.ledger.saveRecord(assignment.projectId, {}, [sampleExit(1)]);
  link.wakeOutbox();
  await until(() => bench.backend.effects.length === 1);
  assert.equal(bench.backend.effects[0]?.entry.sequence, 1001);
});

test("usage is told while connected and dropped otherwise", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const link = bench.connect(host);
  const usage = {
    uptimeMs: 1,
    host: { memoryUsedMb: 1, cpuPercent: 2.5, diskFreeMb: 3 },
    projects: [],
  };
  link.sendUsage(usage);
  await until(() => link.state === "connected");
  assert.equal(bench.backend.usage.length, 0);
  link.sendUsage(usage);
  await until(() => bench.backend.usage.length === 1);
  assert.deepEqual(bench.backend.usage[0], { hostId: host.hostId, usage });
});

test("an entry that central does not take is dropped and told of, and holds up none of the others", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const [one, other] = [sampleAssignment(), sampleAssignment()];
  bench.backend.want(host.hostId, [one, other]);
  const first = bench.connect(host);
  await until(() => host.ledger.assignments().length === 2);
  await first.close();
  const before = bench.backend.connected.length;
  const errorDetails = [{ code: "entry_missing" as const, entry: "x".repeat(501) }];
  const state = sampleState({ phase: "failed", errorCode: "start_failed", errorDetails });
  host.ledger.saveRecord(other.projectId, {}, [sampleExit(1)]);
  host.ledger.saveRecord(one.projectId, {}, [{ kind: "state", state }]);
  for (let run = 2; run <= 20; run++) host.ledger.saveRecord(other.projectId, {}, [sampleExit(run)]);
  const refused = host.ledger.pending(100).find(({ projectId }) => projectId === one.projectId);
  const link = bench.connect(host);
  await until(() => host.ledger.pending(1).length === 0);
  host.ledger.saveRecord(one.projectId, {}, [{ kind: "state", state: sampleState() }]);
  link.wakeOutbox();
  await until(() => bench.backend.effects.length === 21);
  const runs = bench.backend.effects.map(({ entry: { event } }) =>
    event.kind === "state" ? event.state.phase : runNumberOf(event),
  );
  assert.deepEqual(runs, [...Array.from({ length: 20 }, (_, index) => index + 1), "running"]);
  assert.equal(bench.backend.connected.length, before + 1, "over one connection");
  const told = host.logger.entries.filter(({ level }) => level === "error");
  assert.deepEqual(
    told.map(({ fields: { sequence, projectId, kind } }) => ({ sequence, projectId, kind })),
    [{ sequence: refused?.sequence, projectId: one.projectId, kind: "state" }],
  );
  assert.match(String(told[0]?.fields["reason"]), /errorDetails/);
});

test("usage that central does not take ends no connection, and the next is told", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const link = bench.connect(host);
  await until(() => link.state === "connected");
  const usage = {
    uptimeMs: 1,
    host: { memoryUsedMb: 1, cpuPercent: 2.5, diskFreeMb: 3 },
    projects: [],
  };
  link.sendUsage({ ...usage, uptimeMs: -1 });
  await until(() => host.logger.has("usage was not told"));
  link.sendUsage(usage);
  await until(() => bench.backend.usage.length === 1);
  assert.equal(bench.backend.connected.length, 1);
});

function runNumberOf(event: ReportEntry["event"]): number | undefined {
  return event.kind === "exit" ? event.runNumber : undefined;
}
