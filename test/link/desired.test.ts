/** The numbered desired state travels from central's rules into an agent's ledger. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { linkMaxFrameBytes, type Assignment } from "@tijolo/protocol";
import type { Ledger } from "../../agent/src/ledger/ledger.ts";
import { until } from "../support/until.ts";
import { FaultyProxy } from "../support/faulty-proxy.ts";
import { LinkBench } from "./link-bench.ts";
import { sampleExit, sampleState } from "../support/samples.ts";
import { sampleAssignment } from "./samples.ts";

test("an agent joins, connects, receives what is wanted and tells what it saw", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignment = sampleAssignment();
  bench.backend.want(host.hostId, [assignment]);
  let wakes = 0;
  const link = bench.connect(host, { handlers: { onDesired: () => wakes++ } });

  await until(() => host.ledger.assignments().length === 1);
  assert.deepEqual(host.ledger.assignments(), [assignment]);
  assert.equal(wakes, 1);
  assert.equal(link.state, "connected");
  assert.equal(bench.server.isConnected(host.hostId), true);
  assert.equal(bench.server.hostOfBearer(link.bearer()?.bearer ?? ""), host.hostId);
  assert.equal(host.ledger.epoch(), 1);

  host.ledger.saveRecord(assignment.projectId, { a: 1 }, [sampleExit(1), { kind: "state", state: sampleState() }]);
  link.wakeOutbox();
  await until(() => host.ledger.pending(10).length === 0);
  assert.deepEqual(
    bench.backend.effects.map(({ entry }) => entry.event.kind),
    ["exit", "state"],
  );
  assert.deepEqual(
    bench.backend.effects.map(({ entry }) => entry.generation),
    [1, 1],
  );
});

test("a change of one project sends that project only", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignments = Array.from({ length: 50 }, () => sampleAssignment());
  bench.backend.want(host.hostId, assignments);
  const updates: { isFull: boolean; upserts: number; deletes: number }[] = [];
  const { ledger } = host;
  const watched = {
    ...ledger,
    applyDesired: (update: Parameters<typeof ledger.applyDesired>[0]) => {
      updates.push({ isFull: update.isFull, upserts: update.upserts.length, deletes: update.deletes.length });
      return ledger.applyDesired(update);
    },
  };
  bench.connect({ ...host, ledger: watched });
  await until(() => ledger.assignments().length === 50);

  const [first, second] = assignments;
  if (first === undefined || second === undefined) throw new Error("no assignments");
  bench.backend.want(host.hostId, [{ ...first, generation: 2, run: "off" }], [second.projectId]);
  await until(() => ledger.assignments().length === 49);
  assert.deepEqual(updates, [
    { isFull: true, upserts: 50, deletes: 0 },
    { isFull: false, upserts: 1, deletes: 1 },
  ]);
});

test("what changed during a gap is sent as a difference, and as the full set after central's restart", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  await using proxy = await FaultyProxy.start(bench.port);
  const updates: { isFull: boolean; upserts: number }[] = [];
  const { ledger } = host;
  const watched = {
    ...ledger,
    applyDesired: (update: Parameters<typeof ledger.applyDesired>[0]) => {
      updates.push({ isFull: update.isFull, upserts: update.upserts.length });
      return ledger.applyDesired(update);
    },
  };
  bench.backend.want(host.hostId, [sampleAssignment(), sampleAssignment()]);
  bench.connect({ ...host, ledger: watched }, { url: `http://127.0.0.1:${proxy.port}` });
  await until(() => updates.length === 1);

  proxy.mode = "refuse";
  proxy.cut();
  await until(() => !bench.server.isConnected(host.hostId));
  bench.backend.want(host.hostId, [sampleAssignment()]);
  proxy.mode = "pass";
  await until(() => ledger.assignments().length === 3);
  assert.deepEqual(updates.at(-1), { isFull: false, upserts: 1 });

  await bench.stopCentral();
  bench.backend.epoch++;
  bench.backend.want(host.hostId, [sampleAssignment()]);
  await bench.startCentral();
  await until(() => ledger.assignments().length === 4);
  assert.deepEqual(updates.at(-1), { isFull: true, upserts: 4 });
  assert.equal(ledger.epoch(), 2);
});

test("a set that does not match its hash is asked for in full", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignments = [sampleAssignment(), sampleAssignment()];
  bench.backend.want(host.hostId, assignments);
  const { ledger } = host;
  let spoilNext = false;
  const spoiling = {
    ...ledger,
    applyDesired: (update: Parameters<typeof ledger.applyDesired>[0]) => {
      if (!spoilNext) return ledger.applyDesired(update);
      spoilNext = false;
      return ledger.applyDesired({ ...update, deletes: assignments.map(({ projectId }) => projectId) });
    },
  };
  bench.connect({ ...host, ledger: spoiling });
  await until(() => ledger.assignments().length === 2);
  spoilNext = true;
  bench.backend.want(host.hostId, [sampleAssignment()]);
  await until(() => ledger.assignments().length === 3);
  assert.ok(host.logger.has("asking for the full set"));
});

test("an assignment of an older generation is not followed, and the link does not go in circles over it", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignment = sampleAssignment({ generation: 5 });
  bench.backend.want(host.hostId, [assignment]);
  let updates = 0;
  bench.connect(host, { handlers: { onDesired: () => updates++ } });
  await until(() => host.ledger.assignments().length === 1);
  const other = sampleAssignment();
  bench.backend.want(host.hostId, [{ ...assignment, generation: 4, run: "off" }, other]);
  await until(() => host.logger.has("older than this host's"));
  await until(() => host.ledger.assignments().length === 2);
  assert.equal(host.ledger.assignments().find(({ projectId }) => projectId === assignment.projectId)?.generation, 5);
  assert.equal(updates, 3);
});

test("an update that cannot be taken ends the connection, not the agent, and is taken with the next", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  bench.backend.want(host.hostId, [sampleAssignment()]);
  const { ledger } = host;
  let failures = 3;
  const failing = {
    ...ledger,
    applyDesired: (update: Parameters<typeof ledger.applyDesired>[0]) => {
      if (failures-- > 0) throw new Error("disk full");
      return ledger.applyDesired(update);
    },
  };
  bench.connect({ ...host, ledger: failing });
  await until(() => ledger.assignments().length === 1);
  assert.ok(host.logger.has("could not be taken"));
  assert.ok(bench.backend.connected.length >= 4);
});

test("an agent that has seen a newer central is refused and says so", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  host.ledger.setEpoch(7);
  bench.connect(host);
  await until(() => host.logger.has("epoch 7"));
  assert.ok(bench.logger.has("must not lead it"));
  assert.equal(bench.server.isConnected(host.hostId), false);
});

/** A ledger that writes down the parts it is given. */
function watchParts(ledger: Ledger) {
  const parts: { part: number; isFull: boolean; upserts: number; deletes: number; isLast: boolean; bytes: number }[] = [];
  const watched: Ledger = {
    ...ledger,
    applyDesired(update) {
      const { part, isFull, upserts, deletes, setHash } = update;
      const bytes = Buffer.byteLength(JSON.stringify(update));
      parts.push({ part, isFull, upserts: upserts.length, deletes: deletes.length, isLast: setHash !== null, bytes });
      return ledger.applyDesired(update);
    },
  };
  return { parts, watched };
}

const largeVariables = () => ({ A: randomBytes(12 * 1024).toString("base64"), B: "\u0001".repeat(16 * 1024) });

test("a set of any size comes in frames that are far from what is refused, and takes effect at once", async (t) => {
  const sets: [name: string, assignments: Assignment[]][] = [
    ["20,000 projects", Array.from({ length: 20_000 }, () => sampleAssignment())],
    ["1,000 projects with 32 KB of variables", Array.from({ length: 1_000 }, () => sampleAssignment({ variables: largeVariables() }))],
  ];
  for (const [name, assignments] of sets) {
    await using bench = await LinkBench.create();
    const host = await bench.joinHost();
    bench.backend.want(host.hostId, assignments);
    const { ledger } = host;
    const { parts, watched } = watchParts(ledger);
    const counts = new Set<number>();
    const startedMs = performance.now();
    bench.connect({ ...host, ledger: watched }, { handlers: { onDesired: () => counts.add(ledger.assignments().length) } });
    await until(() => counts.size > 0, { timeoutMs: 60_000 });
    t.diagnostic(`${name}: ${parts.length} parts, ${Math.round(performance.now() - startedMs)} ms`);
    assert.deepEqual([...counts], [assignments.length]);
    assert.ok(parts.length > 5 && parts.every(({ bytes }) => bytes < linkMaxFrameBytes / 2), JSON.stringify(parts.at(0)));
    assert.deepEqual(
      parts.map(({ part, isLast }) => [part, isLast]),
      parts.map((_, index) => [index, index === parts.length - 1]),
    );
    const [first] = assignments;
    assert.ok(first !== undefined);
    assert.deepEqual(
      ledger.assignments().find(({ projectId }) => projectId === first.projectId),
      first,
    );

    parts.length = 0;
    bench.backend.want(host.hostId, [{ ...first, configTag: "tag 2", variables: { C: "1" } }]);
    await until(() => parts.length === 1, { timeoutMs: 20_000 });
    assert.deepEqual([parts[0]?.isFull, parts[0]?.upserts, parts[0]?.isLast], [false, 1, true], "a change stays small");
    bench.backend.want(
      host.hostId,
      [],
      assignments.slice(1).map(({ projectId }) => projectId),
    );
    await until(() => ledger.assignments().length === 1, { timeoutMs: 20_000 });
    assert.ok(parts.every(({ bytes }) => bytes < linkMaxFrameBytes / 2));
  }
});

test("a full set that is cut in the middle leaves what was held before, and comes whole with the next connection", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  await using proxy = await FaultyProxy.start(bench.port);
  const { ledger } = host;
  const { parts, watched } = watchParts(ledger);
  const old = [sampleAssignment(), sampleAssignment()];
  bench.backend.want(host.hostId, old);
  const seen = new Set<number>();
  const url = `http://127.0.0.1:${proxy.port}`;
  bench.connect({ ...host, ledger: watched }, { url, handlers: { onDesired: () => seen.add(ledger.assignments().length) } });
  await until(() => ledger.assignments().length === 2);

  const many = Array.from({ length: 300 }, () => sampleAssignment({ variables: largeVariables() }));
  let reads = 0;
  let cuts = 0;
  bench.backend.beforeAssignments = async () => {
    if (++reads % 4 !== 0 || cuts === 3) return;
    await until(() => parts.length > 1);
    assert.equal(ledger.assignments().length, 2, "nothing of it has taken effect");
    cuts++;
    proxy.cut();
    await until(() => !bench.server.isConnected(host.hostId));
  };
  bench.backend.want(host.hostId, many, [old[0]?.projectId ?? ""]);
  await until(() => ledger.assignments().length === 301, { timeoutMs: 30_000 });
  assert.equal(cuts, 3, "it was cut in the middle");
  assert.ok(parts.filter(({ part }) => part === 0).length >= 4);
  assert.deepEqual([...seen], [2, 301], "and was never seen in between");
});

test("what changes while a long update is on its way comes with it or right after it", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignments = Array.from({ length: 200 }, () => sampleAssignment({ variables: largeVariables() }));
  const sorted = assignments.map(({ projectId }) => projectId);
  const [early, late] = [assignments[0], assignments.at(-1)];
  assert.ok(early !== undefined && late !== undefined);
  bench.backend.want(host.hostId, assignments);
  let reads = 0;
  bench.backend.beforeAssignments = async () => {
    if (++reads !== 4) return;
    bench.backend.want(host.hostId, [{ ...early, configTag: "tag 2", variables: { NEW: "1" } }, sampleAssignment()], [late.projectId]);
  };
  bench.connect(host);
  await until(() => host.ledger.assignments().some(({ configTag }) => configTag === "tag 2"), { timeoutMs: 20_000 });
  const held = host.ledger.assignments();
  assert.equal(held.length, 200);
  assert.ok(sorted.includes(early.projectId) && !held.some(({ projectId }) => projectId === late.projectId));
  assert.deepEqual(held.find(({ projectId }) => projectId === early.projectId)?.variables, { NEW: "1" });
  assert.ok(!host.logger.has("asking for the full set"));
});

test("an agent that reads slowly is sent a long update as fast as it reads, and is not cut for it", async () => {
  await using bench = await LinkBench.create({ maxBufferedBytes: 4 * 1024 * 1024 });
  const host = await bench.joinHost();
  bench.backend.want(
    host.hostId,
    Array.from({ length: 500 }, () => sampleAssignment({ variables: largeVariables() })),
  );
  const { ledger } = host;
  const slow: Ledger = {
    ...ledger,
    applyDesired(update) {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return ledger.applyDesired(update);
    },
  };
  bench.connect({ ...host, ledger: slow });
  await until(() => ledger.assignments().length === 500, { timeoutMs: 30_000 });
  assert.equal(bench.backend.connected.length, 1, "over one connection");
});

test("variables that central can open again are sent to an agent that had to do without", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const assignment = sampleAssignment({ variables: { A: "1" } });
  bench.backend.want(host.hostId, [{ ...assignment, variables: null }]);
  const link = bench.connect(host);
  await until(() => host.ledger.assignments().length === 1);
  assert.equal(host.ledger.assignments()[0]?.variables, null);
  await bench.stopCentral();
  bench.backend.epoch++;
  bench.backend.want(host.hostId, [assignment]);
  await bench.startCentral();
  await until(() => host.ledger.assignments()[0]?.variables !== null);
  assert.deepEqual(host.ledger.assignments(), [assignment]);
  assert.equal(link.state, "connected");
});
