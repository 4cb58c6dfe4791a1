import assert from "node:assert/strict";
import { test } from "node:test";
import {
  changeOf,
  differenceOf,
  isSame,
  newRow,
  problemOf,
  rebased,
  rowsOf,
  variablesOf,
  withPasted,
} from "./variable-rows.ts";

test("rows and variables are the same thing in two forms; blank rows are nothing", () => {
  const variables = { B: "2", A: "1" };
  assert.deepEqual(variablesOf([...rowsOf(variables), newRow()]), variables);
});

test("a change has what is new or other, and null for what is gone", () => {
  assert.deepEqual(changeOf({ A: "1", B: "2", C: "3" }, { A: "1", B: "x", D: "4" }), {
    B: "x",
    D: "4",
    C: null,
  });
  assert.ok(isSame(differenceOf({ A: "1" }, { A: "1" })));
});

test("a name twice, a name of the service and a bad name are told", () => {
  const rows = [newRow("A", "1"), newRow("A", "2"), newRow("PORT", "3"), newRow("a b", "4"), newRow()];
  assert.deepEqual(
    rows.map((row) => problemOf(row, rows)),
    ["twice", "twice", "reserved", "format", null],
  );
});

test("what is pasted replaces values of its names and adds the others", () => {
  const rows = withPasted(
    [newRow("A", "1"), newRow("B", "2"), newRow()],
    new Map([
      ["B", "x"],
      ["C", "y"],
    ]),
  );
  assert.deepEqual(variablesOf(rows), { A: "1", B: "x", C: "y" });
});

test("somebody else's change and one's own stay together; on the same name one's own wins", () => {
  const rows = [newRow("A", "mine"), newRow("B", "2")];
  const merged = rebased(rows, { A: "1", B: "2", C: "3" }, { A: "theirs", B: "2", D: "4", C: "3" });
  assert.deepEqual(variablesOf(merged), { A: "mine", B: "2", D: "4" });
});
