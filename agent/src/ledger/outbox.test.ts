/** Tests which pending reports are kept, in which order, and under which numbers. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { LedgerBench } from "../../../test/support/ledger/ledger-bench.ts";
import {
  fullSet,
  makeAssignment,
  projectIdOf,
  stateEvent,
} from "../../../test/support/ledger/ledger-samples.ts";
import { sampleExit } from "../../../test/support/samples.ts";

test("the outbox keeps every exit, only the newest state, and numbers that never return", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(fullSet(1, [makeAssignment(1), makeAssignment(2)]));
  ledger.saveRecord(projectIdOf(1), {}, [stateEvent(1), sampleExit(1)]);
  ledger.saveRecord(projectIdOf(2), {}, [stateEvent(1)]);
  ledger.saveRecord(projectIdOf(1), {}, [sampleExit(2), stateEvent(2)]);
  assert.deepEqual(
    ledger.pending(10).map(({ sequence, event }) => [sequence, event.kind]),
    [
      [2, "exit"],
      [3, "state"],
      [4, "exit"],
      [5, "state"],
    ],
  );
  assert.equal(ledger.pending(2).length, 2);
  ledger.taken(4);
  ledger.taken(3);
  assert.deepEqual(
    ledger.pending(10).map(({ sequence }) => sequence),
    [5],
  );
  ledger.taken(100);
  ledger.saveRecord(projectIdOf(1), {}, [sampleExit(3)]);
  assert.deepEqual(
    ledger.pending(10).map(({ sequence }) => sequence),
    [101],
  );
});

test("a central that was set back, or heard another ledger, is noticed, and what waits is kept", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  assert.equal(ledger.resumeFrom(0), true, "two that are new");
  ledger.applyDesired(fullSet(1, [makeAssignment(1)]));
  for (let run = 1; run <= 5; run++) ledger.saveRecord(projectIdOf(1), {}, [sampleExit(run)]);
  ledger.taken(2);
  assert.equal(ledger.resumeFrom(4), true, "its last answer was lost on the way");
  assert.equal(ledger.resumeFrom(3), false, "it was set back");
  assert.deepEqual(
    ledger.pending(10).map(({ sequence }) => sequence),
    [5],
  );
  assert.equal(ledger.resumeFrom(70), false, "it heard another ledger");
  assert.deepEqual(
    ledger.pending(10).map(({ sequence, event }) => [sequence, event]),
    [[75, sampleExit(5)]],
  );
  ledger.saveRecord(projectIdOf(1), {}, [sampleExit(6)]);
  assert.deepEqual(
    ledger.pending(10).map(({ sequence }) => sequence),
    [75, 76],
  );
  assert.equal(ledger.resumeFrom(76), true);
  assert.equal(ledger.pending(10).length, 0);
});

test("a full outbox drops its oldest entries and says how many", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open(20);
  ledger.applyDesired(fullSet(1, [makeAssignment(1)]));
  for (let run = 1; run <= 21; run++) ledger.saveRecord(projectIdOf(1), {}, [sampleExit(run)]);
  const sequences = ledger.pending(100).map(({ sequence }) => sequence);
  assert.deepEqual([sequences.length, sequences[0], sequences.at(-1)], [18, 4, 21]);
  assert.deepEqual(bench.warnings, [{ dropped: 3, maxEntries: 20 }]);
});

test("a record and its events are written together or not at all", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(fullSet(1, [makeAssignment(1)]));
  const unwritable = { kind: "exit", runNumber: 1n } as unknown as ReturnType<typeof sampleExit>;
  assert.throws(() => ledger.saveRecord(projectIdOf(1), { a: 1 }, [sampleExit(1), unwritable]));
  assert.equal(ledger.findRecord(projectIdOf(1)), undefined);
  assert.deepEqual(ledger.pending(5), []);
});
