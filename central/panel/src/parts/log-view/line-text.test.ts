import assert from "node:assert/strict";
import { test } from "node:test";
import { cutOf, mostCharacters, piecesOf, plainText } from "./line-text.ts";

test("a plain line is one piece", () => {
  assert.deepEqual(piecesOf("ready"), [{ text: "ready", classes: [] }]);
});

test("colours become classes", () => {
  assert.deepEqual(piecesOf("\u001b[31mbad\u001b[0m good"), [
    { text: "bad", classes: ["ansi-red"] },
    { text: " good", classes: [] },
  ]);
});

test("after carriage returns the last state shows", () => {
  assert.deepEqual(piecesOf("10%\r50%\r100%\r"), [{ text: "100%", classes: [] }]);
});

test("sequences that are no colour leave nothing behind", () => {
  const [piece] = piecesOf("\u001b]0;title\u0007a\u001b[2Kb\u001b[1;1Hc\u001b(B\u0000d");
  assert.equal(piece?.text, "abcd");
});

test("a sequence that was cut off leaves nothing behind", () => {
  assert.deepEqual(piecesOf("end\u001b[3"), [{ text: "end", classes: [] }]);
  assert.deepEqual(piecesOf("end\u001b"), [{ text: "end", classes: [] }]);
});

test("a line of a megabyte is cut, says so, and is copied whole", () => {
  const line = "x".repeat(1_000_000);
  const [piece] = piecesOf(line);
  assert.equal(piece?.text.length, mostCharacters);
  assert.equal(cutOf(line), 1_000_000 - mostCharacters);
  assert.equal(plainText(line), line);
});

test("what is copied has no colours", () => {
  assert.equal(plainText("10%\r\u001b[1;31mbad\u001b[0m good"), "bad good");
});

test("markup stays text", () => {
  assert.equal(piecesOf("\u001b[31m<img src=x onerror=alert(1)>")[0]?.text, "<img src=x onerror=alert(1)>");
});
