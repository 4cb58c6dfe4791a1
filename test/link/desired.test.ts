/** Tests the numbered desired state on its way from central's rules into an agent's ledger. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { sampleExit, sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { sampleAssignment } from "./samples.ts";
import { watchParts, type GivenPart } from "./watched-ledger.ts";

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
  assert.equal(bench.backend.isConnected(host.hostId), true);
  assert.equal(bench.server.hostOfBearer(link.bearer()?.bearer ?? ""), host.hostId);
  assert.equal(host.ledger.epoch(), 1);

  host.ledger.saveRecord(assignment.projectId, { a: 1 }, [
    sampleExit(1),
    { kind: "state", state: sampleState() },
  ]);
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
  const { ledger } = host;
  const { parts, watched } = watchParts(ledger);
  bench.connect({ ...host, ledger: watched });
  await until(() => ledger.assignments().length === 50);

  const [first, second] = assignments;
  if (first === undefined || second === undefined) throw new Error("no assignments");
  bench.backend.want(host.hostId, [{ ...first, generation: 2, run: "off" }], [second.projectId]);
  await until(() => ledger.assignments().length === 49);
  assert.deepEqual(parts.map(sizes), [
    { isFull: true, upserts: 50, deletes: 0 },
    { isFull: false, upserts: 1, deletes: 1 },
  ]);
});

test("what changed during a gap is sent as a difference, and as the full set after central's restart", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  await using proxy = await FaultyProxy.start(bench.port);
  const { ledger } = host;
  const { parts, watched } = watchParts(ledger);
  bench.backend.want(host.hostId, [sampleAssignment(), sampleAssignment()]);
  bench.connect({ ...host, ledger: watched }, { url: `http://127.0.0.1:${proxy.port}` });
  await until(() => parts.length === 1);

  proxy.mode = "refuse";
  proxy.cut();
  await until(() => !bench.backend.isConnected(host.hostId));
  bench.backend.want(host.hostId, [sampleAssignment()]);
  proxy.mode = "pass";
  await until(() => ledger.assignments().length === 3);
  assert.deepEqual(parts.map(sizes).at(-1), { isFull: false, upserts: 1, deletes: 0 });

  await bench.stopCentral();
  bench.backend.epoch++;
  bench.backend.want(host.hostId, [sampleAssignment()]);
  await bench.startCentral();
  await until(() => ledger.assignments().length === 4);
  assert.deepEqual(parts.map(sizes).at(-1), { isFull: true, upserts: 4, deletes: 0 });
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
  assert.equal(
    host.ledger.assignments().find(({ projectId }) => projectId === assignment.projectId)?.generation,
    5,
  );
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
  assert.equal(bench.backend.isConnected(host.hostId), false);
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

function sizes({ isFull, upserts, deletes }: GivenPart) {
  return { isFull, upserts, deletes };
}
