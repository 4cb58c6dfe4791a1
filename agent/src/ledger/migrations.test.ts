import assert from "node:assert/strict";
import { test } from "node:test";
import SQLite from "better-sqlite3";
import { LedgerError, openLedgerFile } from "./ledger-file.ts";
import { migrations } from "./migrations.ts";
import { LedgerBench } from "../../../test/support/ledger/ledger-bench.ts";
import {
  fullSet,
  makeAssignment,
  projectIdOf,
  stateEvent,
} from "../../../test/support/ledger/ledger-samples.ts";

/** Changes the file as a test says, beside any agent. */
function change(path: string, statements: string): void {
  const file = new SQLite(path);
  file.exec(statements);
  file.close();
}

const withNext = (next: string) => ({ ...migrations, steps: [...migrations.steps, next] });

test("a next migration runs once, on a ledger with data, and keeps what it does not change", async () => {
  await using bench = await LedgerBench.create();
  {
    using ledger = bench.open();
    ledger.applyDesired(fullSet(7, [makeAssignment(1)]));
  }
  const next = withNext(
    "ALTER TABLE host ADD COLUMN note TEXT; UPDATE host SET note = 'revision ' || revision",
  );
  for (const note of ["revision 7", "changed"]) {
    const file = openLedgerFile(bench.path, next);
    assert.deepEqual(
      file.prepare("SELECT note, (SELECT count(*) FROM assignment) AS count FROM host").get(),
      {
        note,
        count: 1,
      },
    );
    file.exec("UPDATE host SET note = 'changed'");
    file.close();
  }
  assert.throws(() => bench.open(), /newer agent/);
});

test("a migration that fails half-way leaves the ledger of the one before", async () => {
  await using bench = await LedgerBench.create();
  {
    using ledger = bench.open();
    ledger.applyDesired(fullSet(7, [makeAssignment(1)]));
  }
  const broken = withNext("UPDATE host SET revision = 0; ALTER TABLE host DROP COLUMN nothing");
  assert.throws(() => openLedgerFile(bench.path, broken), LedgerError);
  using ledger = bench.open();
  assert.equal(ledger.held().revision, 7);
});

test("a ledger of the last agent before the first release goes on with its outbox; an older one is refused with a way out", async () => {
  await using bench = await LedgerBench.create();
  {
    using ledger = bench.open();
    ledger.applyDesired(fullSet(7, [makeAssignment(1)]));
    ledger.saveRecord(projectIdOf(1), {}, [stateEvent(1)]);
  }
  change(bench.path, "ALTER TABLE outbox ADD COLUMN at TEXT NOT NULL DEFAULT ''; PRAGMA user_version = 5");
  {
    using ledger = bench.open();
    assert.equal(ledger.held().revision, 7);
    ledger.saveRecord(projectIdOf(1), {}, [stateEvent(2)]);
    assert.deepEqual(
      ledger.pending(10).map(({ sequence, event }) => [sequence, event]),
      [[2, stateEvent(2)]],
    );
  }
  change(bench.path, "PRAGMA user_version = 4");
  assert.throws(
    () => bench.open(),
    (error) => error instanceof LedgerError && /before the first release.*aside/.test(error.message),
  );
});
