import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { findJsonFault } from "./json-fault.ts";

const faults: readonly [text: string, line: number, column: number, kind: string][] = [
  ["", 1, 1, "end"],
  ["{", 1, 2, "end"],
  ['{"a": 1', 1, 8, "end"],
  ["{language: 1}", 1, 2, "unquoted"],
  ['{\n  "language": "node",\n  "memoryMb": 256,\n}', 4, 1, "trailing_comma"],
  ['{"a": [1,]}', 1, 10, "trailing_comma"],
  ['{\n  // o bot\n  "a": 1\n}', 2, 3, "comment"],
  ['{"a": 1 /* x */}', 1, 9, "comment"],
  ['# x\n{"a": 1}', 1, 1, "comment"],
  ["{\"a\": 'x'}", 1, 7, "quotes"],
  ["{'a': 1}", 1, 2, "quotes"],
  ["{\u201ca\u201d: 1}", 1, 2, "quotes"],
  ['{"a": node}', 1, 7, "unquoted"],
  ['{"a": 1 "b": 2}', 1, 9, "other"],
  ['{"a" 1}', 1, 6, "other"],
  ['{"a": 01}', 1, 7, "other"],
  ['{"a": +1}', 1, 7, "other"],
  ['{"a": 1} x', 1, 10, "other"],
  ['{"é🎉": "sim" x}', 1, 14, "other"],
  ['{"a": "b\nc"}', 1, 7, "other"],
  ['{"a": "\\x"}', 1, 7, "other"],
  ["{]", 1, 2, "other"],
  ["[}", 1, 2, "other"],
  ["}", 1, 1, "other"],
  ['{"a":1}\r\n\r\n,', 3, 1, "other"],
  ["{,}", 1, 2, "other"],
];

test("a fault is found where it stands, with what it probably is", () => {
  for (const [text, line, column, kind] of faults)
    assert.deepEqual([text, findJsonFault(text)], [text, { line, column, kind }]);
});

test("the reading and JSON.parse agree on what is JSON, whatever the text", () => {
  const cut = fc.tuple(fc.json(), fc.nat(), fc.constantFrom("", ",", "]", "}", '"', ":", "x", "1", "\\"));
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  const agree = (text: string) => assert.equal(findJsonFault(text) === null, isJson(text), text);
  fc.assert(
    fc.property(cut, ([text, at, inserted]) => {
      const place = at % (text.length + 1);
      agree(text);
      agree(text.slice(0, place) + inserted + text.slice(place));
      agree(text.slice(0, place) + text.slice(place + 1));
    }),
    { numRuns: 2000 },
  );
});

test("a text as large and as deep as an upload may bring is read in no time", () => {
  for (const text of [
    "[".repeat(65_000),
    `"${"\\n".repeat(32_000)}`,
    `"${"a".repeat(65_000)}"`,
    " ".repeat(65_000),
  ]) {
    const startedAt = performance.now();
    findJsonFault(text);
    assert.ok(performance.now() - startedAt < 2_000);
  }
});
