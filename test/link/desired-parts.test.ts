/** A desired state that is too long for one frame travels in parts, and takes effect as a whole. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { linkMaxFrameBytes, type Assignment } from "@tijolo/protocol";
import type { Ledger } from "../../agent/src/ledger/ledger.ts";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { sampleAssignment } from "./samples.ts";
import { watchParts } from "./watched-ledger.ts";

/**
 * Timeouts so long that both ends, which share this process, may be busy with a set without taking the other
 * for disconnected.
 */
const patient = { pongMs: 60_000, writeMs: 60_000 };

const largeVariables = () => ({
  A: randomBytes(12 * 1024).toString("base64"),
  B: "\u0001".repeat(16 * 1024),
});

test("a set of any size comes in frames that are far from what is refused, and takes effect at once", async (t) => {
  const sets: [name: string, assignments: Assignment[]][] = [
    ["20,000 projects", Array.from({ length: 20_000 }, () => sampleAssignment())],
    [
      "1,000 projects with 32 KB of variables",
      Array.from({ length: 1_000 }, () => sampleAssignment({ variables: largeVariables() })),
    ],
  ];
  for (const [name, assignments] of sets) {
    await using bench = await LinkBench.create(patient);
    const host = await bench.joinHost();
    bench.backend.want(host.hostId, assignments);
    const { ledger } = host;
    const { parts, watched } = watchParts(ledger);
    const counts = new Set<number>();
    const startedMs = performance.now();
    const onDesired = () => counts.add(ledger.assignments().length);
    bench.connect({ ...host, ledger: watched }, { bounds: patient, handlers: { onDesired } });
    await until(() => counts.size > 0, { timeoutMs: 60_000 });
    t.diagnostic(`${name}: ${parts.length} parts, ${Math.round(performance.now() - startedMs)} ms`);
    assert.deepEqual([...counts], [assignments.length]);
    assert.ok(
      parts.length > 5 && parts.every(({ bytes }) => bytes < linkMaxFrameBytes / 2),
      JSON.stringify(parts.at(0)),
    );
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
    await until(() => parts.length === 1);
    assert.deepEqual(
      [parts[0]?.isFull, parts[0]?.upserts, parts[0]?.isLast],
      [false, 1, true],
      "a change stays small",
    );
    bench.backend.want(
      host.hostId,
      [],
      assignments.slice(1).map(({ projectId }) => projectId),
    );
    await until(() => ledger.assignments().length === 1);
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
  bench.connect(
    { ...host, ledger: watched },
    { url, handlers: { onDesired: () => seen.add(ledger.assignments().length) } },
  );
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
    await until(() => !bench.backend.isConnected(host.hostId));
  };
  bench.backend.want(host.hostId, many, [old[0]?.projectId ?? ""]);
  await until(() => ledger.assignments().length === 301);
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
    bench.backend.want(
      host.hostId,
      [{ ...early, configTag: "tag 2", variables: { NEW: "1" } }, sampleAssignment()],
      [late.projectId],
    );
  };
  bench.connect(host);
  await until(() => host.ledger.assignments().some(({ configTag }) => configTag === "tag 2"), {
    timeoutMs: 20_000,
  });
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
  await until(() => ledger.assignments().length === 500);
  assert.equal(bench.backend.connected.length, 1, "over one connection");
});
