/**
 * Tests the interface specification, row by row, as a client that has only its text sees it. Ends with the
 * table row → case → result.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, suite, test } from "node:test";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { authentication } from "./chapters/authentication.ts";
import { endpoints } from "./chapters/endpoints.ts";
import { errors } from "./chapters/errors.ts";
import { language } from "./chapters/language.ts";
import { limits } from "./chapters/limits.ts";
import { logs } from "./chapters/logs.ts";
import { overview } from "./chapters/overview.ts";
import { project } from "./chapters/project.ts";
import { settings } from "./chapters/settings.ts";
import { states } from "./chapters/states.ts";
import { variables } from "./chapters/variables.ts";
import { notYet } from "./not-yet.ts";
import { shownElsewhere } from "./shown-elsewhere.ts";
import { rowIds, type RowId } from "./spec-rows.ts";
import { SpecWorld } from "./spec-world.ts";

const chapters = [
  overview,
  project,
  language,
  states,
  endpoints,
  logs,
  variables,
  settings,
  authentication,
  errors,
  limits,
];
const root = join(import.meta.dirname, "../..");

/** One line of the table. */
interface Shown {
  row: RowId;
  by: string;
  result: "shown" | "FAILED" | "elsewhere" | "not yet";
}

const table: Shown[] = [];
let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

for (const { title: chapter, concurrency = 4, cases } of chapters) {
  suite(chapter, { concurrency }, () => {
    for (const { rows, title, show } of cases) {
      test(title, async () => {
        const lines = rows.map((row): Shown => ({ row, by: title, result: "FAILED" }));
        table.push(...lines);
        await using world = new SpecWorld(cluster);
        await show(world);
        for (const line of lines) line.result = "shown";
      });
    }
  });
}

suite("rows that are shown elsewhere, or not yet", () => {
  for (const { row, what, file, mentions } of shownElsewhere) {
    test(`${row}: ${what} is shown by ${file}`, async () => {
      const text = await readFile(join(root, file), "utf8");
      assert.ok(text.includes(mentions), `${file} does not mention ${mentions}`);
      table.push({ row, by: `${file}: ${mentions}`, result: "elsewhere" });
    });
  }
  for (const { row, why, isMissing } of notYet) {
    test(`${row}: ${why}`, async () => {
      await using world = new SpecWorld(cluster);
      await isMissing(world);
      table.push({ row, by: why, result: "not yet" });
    });
  }
});

test("every row of the specification has a case, or says where or when it is shown", (t) => {
  const place = new Map(rowIds.map((row, index) => [row, index]));
  for (const { row, by, result } of table.toSorted(
    (a, b) => (place.get(a.row) ?? 0) - (place.get(b.row) ?? 0),
  )) {
    t.diagnostic(`${row} → ${by} → ${result}`);
  }
  const named = new Set(table.map(({ row }) => row));
  assert.deepEqual(
    rowIds.filter((row) => !named.has(row)),
    [],
    "rows without a case",
  );
  const shown = new Set(table.filter(({ result }) => result === "shown").map(({ row }) => row));
  assert.deepEqual(
    notYet.filter(({ row }) => shown.has(row)).map(({ row }) => row),
    [],
    "rows that are shown and said to be missing",
  );
  assert.deepEqual(
    table.filter(({ result }) => result === "FAILED").map(({ row, by }) => `${row}: ${by}`),
    [],
    "rows whose case failed",
  );
  t.diagnostic(`${rowIds.length} rows, ${shown.size} shown here`);
});
