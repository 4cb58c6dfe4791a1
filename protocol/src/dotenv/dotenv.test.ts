import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEnv } from "node:util";
import fc from "fast-check";
import { formatDotenv, formatVariable } from "./format-dotenv.ts";
import { parseDotenv } from "./parse-dotenv.ts";
import { readStatement } from "./read-statement.ts";
import { splitDotenv } from "./split-dotenv.ts";

const name = fc.oneof(
  fc.stringMatching(/^[A-Za-z_][A-Za-z0-9_]{0,20}$/),
  fc.constantFrom("__proto__", "constructor", "toString", "export"),
);
const odd = fc.constantFrom(
  "'",
  '"',
  "`",
  "#",
  "$",
  "\\",
  "\n",
  "\r",
  "\t",
  " ",
  "=",
  "\\n",
  "é",
  "\uFEFF",
  "\u2028",
  '\n#tijolo A="x"',
  "export ",
);
const value = fc
  .oneof(
    fc.string({ unit: "binary", maxLength: 30 }),
    fc.array(fc.oneof(odd, fc.string({ maxLength: 3 })), { maxLength: 12 }).map((parts) => parts.join("")),
  )
  .map((text) => text.replaceAll("\0", ""));

test("any value comes back from the file as it was", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, value), { selector: ([unique]) => unique, maxLength: 8 }),
      (variables) => {
        assert.deepEqual(splitDotenv(formatDotenv(variables)).unreadable, []);
        const read = parseDotenv(formatDotenv(variables));
        assert.equal(read.size, variables.length);
        for (const [written, text] of variables) assert.equal(read.get(written), text);
      },
    ),
    { numRuns: 3_000 },
  );
});

test("another reader sees the same value or none, never a wrong one", () => {
  fc.assert(
    fc.property(
      fc.uniqueArray(fc.tuple(name, value), { selector: ([unique]) => unique, maxLength: 8 }),
      (variables) => {
        const wanted = new Map(variables);
        for (const [read, text] of Object.entries(parseEnv(formatDotenv(variables))))
          assert.equal(text, wanted.get(read));
      },
    ),
    { numRuns: 1_000 },
  );
});

test("values look as a person would write them", () => {
  for (const [given, line] of [
    ["abc", "A=abc"],
    ["", "A="],
    ["postgres://u:p@h/db", "A=postgres://u:p@h/db"],
    ["two words", "A='two words'"],
    ["a#b $HOME \\n", "A='a#b $HOME \\n'"],
    ["it's", 'A="it\'s"'],
    ['it\'s "it"', 'A=`it\'s "it"`'],
    ["line 1\nline 2", "A='line 1\nline 2'"],
    ["'\"`", '#tijolo A="\'\\"`"'],
    ["a\r\nb", '#tijolo A="a\\r\\nb"'],
  ] as const) {
    assert.equal(formatVariable("A", given), line);
  }
});

test("files that people write are read: exports, comments, quotes, a mark at the beginning", () => {
  const text =
    "\uFEFFFIRST=1\nexport A=1 # one\n# B=2\nC='x # y'\nD=\"a\\nb\"\n\nbroken line\nA=2\n#tijolo E=not json\n";
  assert.deepEqual(Object.fromEntries(parseDotenv(text)), { FIRST: "1", A: "2", C: "x # y", D: "a\nb" });
});

test("each statement of a file without unreadable lines is one variable or none, the same as to Node", () => {
  const piece = fc.constantFrom(
    "\nA=",
    "\nB =",
    "\nexport C=",
    "x",
    "'",
    '"',
    "`",
    " ",
    "#",
    "\n",
    "\r\n",
    "\\",
    "=",
    "y z",
  );
  let files = 0;
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const { statements, unreadable } = splitDotenv(pieces.join(""));
      if (unreadable.length > 0) return;
      files++;
      for (const text of statements) {
        const byNode = Object.entries(parseEnv(text)).map(([key, value]) => [
          key.replace(/^export\s+/, ""),
          value,
        ]);
        const read = readStatement(text);
        assert.deepEqual(read === null ? [] : [[read.name, read.value]], byNode, JSON.stringify(text));
        assert.equal(byNode.length, /^(#|$)/.test(text) ? 0 : 1, JSON.stringify(text));
      }
    }),
    { numRuns: 3_000 },
  );
  assert.ok(files > 100);
});

test("an empty value before a blank takes nothing from the next line, and its name loses the export", () => {
  const text = "A=  \nB=1\nexport C=\nexport D= # none\nE=\t\n'x'";
  assert.deepEqual(Object.fromEntries(parseDotenv(text)), { A: "", B: "1", C: "", D: "", E: "" });
});

test("each line that cannot be read is named with what is wrong with it", () => {
  for (const [text, ...expected] of [
    ["A=1\n\n  # c\nexport B='x' # c\r\nC=\"a\nb\"\nD = it's\nE=\nF= # c"],
    ["A=1\nbad line\n=x\nB=2\nexport C", [2, "notKeyValue"], [3, "notKeyValue"], [5, "notKeyValue"]],
    ['A="x\nB=2\n', [1, "openQuote"]],
    ["A= 'x", [1, "openQuote"]],
    ["A='x' y\nB='\n'\nC", [1, "afterQuote"], [4, "notKeyValue"]],
    ["\uFEFFA=`a'\"\n`\nB", [3, "notKeyValue"]],
  ] as const) {
    assert.deepEqual(
      splitDotenv(text).unreadable.map(({ number, problem }) => [number, problem]),
      expected,
      text,
    );
  }
});
