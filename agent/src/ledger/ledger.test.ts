/** Tests how a ledger takes over what central wants, keeps it over restarts, and guards it. */

import assert from "node:assert/strict";
import { readdir, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import SQLite from "better-sqlite3";
import fc from "fast-check";
import { hashSet } from "./assignment-hash.ts";
import { LedgerError } from "./ledger-file.ts";
import { LedgerBench } from "../../../test/support/ledger/ledger-bench.ts";
import {
  fullSet,
  makeAssignment,
  projectIdOf,
  stateEvent,
} from "../../../test/support/ledger/ledger-samples.ts";
import { sampleExit } from "../../../test/support/samples.ts";

test("a new ledger holds nothing, and says so in the way central compares", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  assert.deepEqual(ledger.assignments(), []);
  assert.deepEqual(ledger.held(), { revision: 0, setHash: hashSet(new Map()) });
  assert.equal(ledger.epoch(), 0);
  assert.equal(ledger.hostId(), undefined);
});

test("variables that were taken away are in no file of the ledger any more", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  const isOnDisk = async (text: string) => {
    const files = await Promise.all(
      (await readdir(bench.directory)).map((name) => readFile(join(bench.directory, name), "latin1")),
    );
    return files.some((content) => content.includes(text));
  };
  const kept = makeAssignment(1, { variables: { TOKEN: "kept-secret" } });
  ledger.applyDesired(fullSet(1, [kept, makeAssignment(2, { variables: { TOKEN: "removed-secret" } })]));
  ledger.applyDesired(fullSet(2, [{ ...kept, variables: { TOKEN: "changed-secret" } }], [projectIdOf(2)]));
  ledger.eraseDeleted();
  assert.deepEqual(
    [await isOnDisk("changed-secret"), await isOnDisk("kept-secret"), await isOnDisk("removed-secret")],
    [true, false, false],
  );
});

test("what was taken is there after the ledger was closed and opened", async () => {
  await using bench = await LedgerBench.create();
  const assignments = [makeAssignment(1), makeAssignment(2)];
  {
    using ledger = bench.open();
    assert.deepEqual(ledger.applyDesired(fullSet(7, assignments)), { isComplete: true, isConsistent: true });
    ledger.saveRecord(projectIdOf(1), { runNumber: 3, text: "é" }, [stateEvent(1)]);
    ledger.setEpoch(9);
    ledger.setHostId(projectIdOf(99));
  }
  using ledger = bench.open();
  assert.deepEqual(ledger.assignments(), assignments);
  assert.deepEqual(ledger.held(), { revision: 7, setHash: fullSet(7, assignments).setHash });
  assert.deepEqual(ledger.findRecord(projectIdOf(1)), { runNumber: 3, text: "é" });
  assert.equal(ledger.findRecord(projectIdOf(2)), undefined);
  assert.deepEqual(ledger.pending(5), [
    {
      sequence: 1,
      projectId: projectIdOf(1),
      generation: 1,
      event: stateEvent(1),
    },
  ]);
  assert.equal(ledger.epoch(), 9);
  assert.equal(ledger.hostId(), projectIdOf(99));
});

test("a difference changes what it names; one that leads to another set than meant is not consistent", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  const [first, second, third] = [makeAssignment(1), makeAssignment(2), makeAssignment(3)];
  ledger.applyDesired(fullSet(1, [first, second]));
  const { setHash } = fullSet(2, [first, third]);
  const departures = [{ projectId: second.projectId, reason: "deleted" as const }];
  assert.deepEqual(
    ledger.applyDesired({
      revision: 2,
      part: 0,
      isFull: false,
      upserts: [third],
      deletes: [],
      departures,
      setHash,
    }),
    {
      isComplete: true,
      isConsistent: true,
    },
  );
  assert.deepEqual(ledger.assignments(), [first, third]);
  assert.deepEqual([...ledger.departures()], [[second.projectId, { reason: "deleted", atMs: 0 }]]);
  assert.deepEqual(
    ledger.applyDesired({
      revision: 3,
      part: 0,
      isFull: false,
      upserts: [],
      deletes: [first.projectId],
      setHash,
    }),
    {
      isComplete: true,
      isConsistent: false,
    },
  );
});

test("a project that was deleted keeps its record until it is removed", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(fullSet(1, [makeAssignment(1), makeAssignment(2)]));
  ledger.saveRecord(projectIdOf(1), { a: 1 }, []);
  ledger.applyDesired(fullSet(2, [makeAssignment(2)], [projectIdOf(1), projectIdOf(7)]));
  assert.deepEqual(ledger.assignments(), [makeAssignment(2)]);
  assert.deepEqual(
    [...ledger.departures().keys()],
    [projectIdOf(1)],
    "nothing is noted of one that never was here",
  );
  assert.deepEqual(ledger.projectIds(), [projectIdOf(1), projectIdOf(2)]);
  assert.deepEqual(ledger.findRecord(projectIdOf(1)), { a: 1 });
  ledger.saveRecord(projectIdOf(1), { a: 2 }, [sampleExit(1)]);
  ledger.removeProject(projectIdOf(1));
  ledger.removeProject(projectIdOf(2));
  assert.deepEqual(ledger.projectIds(), [projectIdOf(2)], "a project that is wanted is not forgotten");
  assert.deepEqual([...ledger.departures()], []);
  assert.equal(ledger.pending(5).length, 1, "its exit is still told");
  assert.throws(() => ledger.saveRecord(projectIdOf(1), {}, []), /knows no project/);
});

test("what a set does not name goes on to hold, and is not counted in the set", async () => {
  await using bench = await LedgerBench.create();
  const [first, second] = [makeAssignment(1, { variables: { A: "1" } }), makeAssignment(2)];
  {
    using ledger = bench.open();
    ledger.applyDesired(fullSet(1, [first, second]));
    assert.deepEqual(ledger.applyDesired(fullSet(2, [second])), { isComplete: true, isConsistent: true });
    assert.deepEqual(ledger.applyDesired({ ...fullSet(3, []), isFull: false, deletes: [second.projectId] }), {
      isComplete: true,
      isConsistent: true,
    });
  }
  using ledger = bench.open();
  assert.deepEqual(ledger.assignments(), [first, second]);
  assert.deepEqual([...ledger.unwanted().keys()], [first.projectId, second.projectId]);
  assert.equal(ledger.held().setHash, fullSet(3, []).setHash);
  ledger.applyDesired(fullSet(4, [first]));
  assert.deepEqual([...ledger.unwanted().keys()], [second.projectId]);
  ledger.removeProject(second.projectId);
  assert.deepEqual([ledger.assignments(), ledger.projectIds()], [[first], [first.projectId]]);
});

test("whatever sets come, no project leaves without a reason", async () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 6 }));
  const change = fc.record({
    isFull: fc.boolean(),
    upserts: numbers,
    deletes: numbers,
    generation: fc.integer({ min: 1, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), async (changes) => {
      await using bench = await LedgerBench.create();
      using ledger = bench.open();
      const told = new Set<string>();
      for (const [index, { isFull, upserts, deletes, generation }] of changes.entries()) {
        const assignments = upserts.map((number) => makeAssignment(number, { generation }));
        const left = deletes.filter((number) => !upserts.includes(number)).map(projectIdOf);
        ledger.applyDesired({ ...fullSet(index + 1, assignments), isFull, deletes: left });
        for (const { projectId } of assignments) told.add(projectId);
      }
      assert.deepEqual(new Set(ledger.assignments().map(({ projectId }) => projectId)), told);
      assert.deepEqual([new Set(ledger.projectIds()), ledger.departures().size], [told, 0]);
    }),
    { numRuns: 30 },
  );
});

test("a project that was given up comes back under a later generation only", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(fullSet(1, [makeAssignment(1)]));
  ledger.applyDesired({ ...fullSet(2, []), departures: [{ projectId: projectIdOf(1), reason: "moved" }] });
  assert.deepEqual(ledger.applyDesired(fullSet(3, [makeAssignment(1)])), {
    isComplete: true,
    isConsistent: false,
  });
  assert.deepEqual([...ledger.departures().keys()], [projectIdOf(1)]);
  assert.deepEqual(ledger.applyDesired(fullSet(4, [makeAssignment(1, { generation: 2 })])), {
    isComplete: true,
    isConsistent: true,
  });
  assert.deepEqual([ledger.departures().size, ledger.unwanted().size], [0, 0]);
});

test("the files of a project that moved are kept for as long as a central, set back, wants it here again; those of a deleted one are not", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(
    fullSet(1, [makeAssignment(1, { generation: 2 }), makeAssignment(2), makeAssignment(3)]),
  );
  const reasons = ["moved", "moved", "deleted"] as const;
  const departures = reasons.map((reason, index) => ({ projectId: projectIdOf(index + 1), reason }));
  ledger.applyDesired({ ...fullSet(2, []), departures });
  const wanted = [makeAssignment(1), makeAssignment(3)];
  assert.deepEqual(ledger.applyDesired(fullSet(3, wanted)), { isComplete: true, isConsistent: false });
  const kept = () => departures.map(({ projectId }) => ledger.departures().get(projectId)?.reason);
  assert.deepEqual(kept(), ["elsewhere", "moved", "deleted"]);
  ledger.applyDesired({ ...fullSet(4, []), departures: departures.slice(0, 1) });
  assert.deepEqual(kept(), ["moved", "moved", "deleted"], "until central says again that it moved");
});

test("an older generation is ignored, a newer one is taken and names the events", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(fullSet(1, [makeAssignment(1, { generation: 5 })]));
  assert.deepEqual(ledger.applyDesired(fullSet(2, [makeAssignment(1, { generation: 4 })])), {
    isComplete: true,
    isConsistent: false,
  });
  assert.equal(ledger.assignments()[0]?.generation, 5);
  assert.deepEqual(ledger.applyDesired(fullSet(3, [makeAssignment(1, { generation: 6 })])), {
    isComplete: true,
    isConsistent: true,
  });
  ledger.saveRecord(projectIdOf(1), {}, [sampleExit(1)]);
  assert.equal(ledger.pending(1)[0]?.generation, 6);
});

test("each project has the smallest uid index that no other has, for as long as it is here", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  ledger.applyDesired(
    fullSet(
      1,
      [1, 2, 3].map((number) => makeAssignment(number)),
    ),
  );
  assert.deepEqual(
    [3, 1, 2, 3].map((number) => ledger.uidIndexOf(projectIdOf(number))),
    [0, 1, 2, 0],
  );
  ledger.applyDesired(
    fullSet(2, [makeAssignment(2), makeAssignment(3), makeAssignment(4)], [projectIdOf(1)]),
  );
  assert.equal(
    ledger.uidIndexOf(projectIdOf(4)),
    3,
    "the index of a project that is still being removed is not given away",
  );
  ledger.removeProject(projectIdOf(1));
  ledger.applyDesired(
    fullSet(3, [makeAssignment(2), makeAssignment(3), makeAssignment(4), makeAssignment(5)]),
  );
  assert.equal(ledger.uidIndexOf(projectIdOf(5)), 1);
  assert.throws(() => ledger.uidIndexOf(projectIdOf(1)), /knows no project/);
});

test("a file that is damaged, torn, no ledger, or from a newer agent is refused with a way out", async () => {
  await using bench = await LedgerBench.create();
  {
    using ledger = bench.open();
    ledger.applyDesired(
      fullSet(
        1,
        Array.from({ length: 200 }, (_, index) => makeAssignment(index)),
      ),
    );
  }
  await truncate(bench.path, 40_000);
  assert.throws(
    () => bench.open(),
    (error) => error instanceof LedgerError && /aside/.test(error.message),
  );
  await writeFile(bench.path, "this is no database, it is a text that is long enough to be one".repeat(100));
  assert.throws(() => bench.open(), LedgerError);
  await rm(bench.path);
  {
    using _ledger = bench.open();
  }
  const file = new SQLite(bench.path);
  file.pragma("user_version = 99");
  file.close();
  assert.throws(() => bench.open(), /newer agent/);
});

test("an update in parts takes effect with its last one, and one that was cut off leaves nothing", async () => {
  await using bench = await LedgerBench.create();
  const before = [makeAssignment(1), makeAssignment(2)];
  const after = [makeAssignment(1), makeAssignment(2), makeAssignment(3), makeAssignment(4)];
  const [first, second, third, fourth] = after;
  const begun = {
    ...fullSet(2, after),
    upserts: first === undefined || second === undefined ? [] : [first, second],
    setHash: null,
  };
  {
    using ledger = bench.open();
    ledger.applyDesired(fullSet(1, before));
    assert.deepEqual(ledger.applyDesired(begun), { isComplete: false, isConsistent: true });
    assert.deepEqual(ledger.assignments(), before);
    assert.throws(() => ledger.applyDesired({ ...fullSet(2, after), part: 2 }), /not the next/);
  }
  using ledger = bench.open();
  assert.deepEqual(ledger.assignments(), before, "the agent was killed between two parts");
  ledger.applyDesired({ ...begun, upserts: [makeAssignment(9)] });
  ledger.applyDesired(begun);
  ledger.applyDesired({ ...begun, part: 1, upserts: third === undefined ? [] : [third] });
  const last = { ...fullSet(2, after), part: 2, upserts: fourth === undefined ? [] : [fourth] };
  assert.deepEqual(ledger.applyDesired(last), { isComplete: true, isConsistent: true });
  assert.deepEqual(ledger.assignments(), after, "nothing of the update that was cut off");
  assert.deepEqual(ledger.held(), { revision: 2, setHash: last.setHash });
  assert.throws(() => ledger.applyDesired({ ...last, part: 3 }), /not the next/);
});

test("variables that central cannot open stay those that were known, under the tag that they came with", async () => {
  await using bench = await LedgerBench.create();
  using ledger = bench.open();
  const known = makeAssignment(1, { configTag: "old", variables: { A: "1" } });
  ledger.applyDesired(fullSet(1, [known]));
  const unknown = makeAssignment(1, { configTag: "new", variables: null, restartCount: 2 });
  const update = fullSet(2, [unknown, makeAssignment(2, { variables: null })]);
  assert.deepEqual(ledger.applyDesired(update), { isComplete: true, isConsistent: true });
  assert.deepEqual(ledger.assignments(), [
    { ...unknown, configTag: "old", variables: { A: "1" } },
    makeAssignment(2, { variables: null }),
  ]);
  ledger.applyDesired(fullSet(3, [unknown, makeAssignment(2, { variables: null })]));
  assert.deepEqual(ledger.assignments()[0]?.variables, { A: "1" }, "again and again");
  const opened = makeAssignment(1, { configTag: "new", variables: { B: "2" } });
  assert.notEqual(
    fullSet(4, [opened]).setHash,
    fullSet(4, [unknown]).setHash,
    "so that central sends them once it can",
  );
  ledger.applyDesired(fullSet(4, [opened], [projectIdOf(2)]));
  assert.deepEqual(ledger.assignments(), [opened]);
});

test("only the owner can read a ledger, also one that an earlier agent has left open", async () => {
  await using bench = await LedgerBench.create();
  await writeFile(bench.path, "", { mode: 0o644 });
  using ledger = bench.open();
  ledger.applyDesired(fullSet(1, [makeAssignment(1, { variables: { TOKEN: "secret" } })]));
  for (const path of [bench.path, `${bench.path}-wal`, `${bench.path}-shm`])
    assert.equal((await stat(path)).mode & 0o777, 0o600, path);
});
