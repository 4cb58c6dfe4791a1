import assert from "node:assert/strict";
import { test } from "node:test";
import { emptyBuffer, entriesOf, isFull, mostEntries, withNewer, withOlder } from "./log-buffer.ts";

const line = (text: string, at = "2026-01-01T00:00:00.000Z") => ({
  kind: "line" as const,
  line: { at, section: "app", stream: "stdout", version: 1, text },
});
const textsOf = ({ entries }: Pick<typeof emptyBuffer, "entries">) =>
  entries.map((entry) => (entry.kind === "line" ? entry.line.text : entry.kind));

test("newer entries stand after, older ones before, and each key is its own", () => {
  const newer = withNewer(withNewer({ ...emptyBuffer, older: "c1" }, [line("b")]), [line("c")]);
  const buffer = withOlder(newer, [line("a")], null);
  assert.deepEqual(textsOf(buffer), ["a", "b", "c"]);
  assert.deepEqual(
    buffer.entries.map(({ key }) => key),
    [-1, 0, 1],
  );
  assert.equal(buffer.older, null);
  assert.equal(buffer.entries[0]?.cursor, "c1", "an older page ends where it was asked for");
});

test("beyond the bound the oldest go, and can be read again from where they ended", () => {
  const many = Array.from({ length: mostEntries + 5 }, (_, index) => ({
    ...line(String(index)),
    ...(index % 4 === 0 ? { cursor: `c${index}` } : {}),
  }));
  const buffer = withNewer(emptyBuffer, many);
  assert.equal(buffer.entries.length, 50_000, "what the panel promises to keep at most");
  assert.equal(textsOf(buffer)[0], "5");
  assert.equal(buffer.older, "c4");
  assert.equal(isFull(buffer, 1), true);
  assert.equal(withOlder(buffer, [line("older")], null), buffer, "what has no room is not taken");
  const next = withNewer(buffer, [line("next")]);
  assert.deepEqual([textsOf(next)[0], next.older], ["9", "c8"], "cut behind an entry with a cursor");
});

test("a gap stands where its lines were, and lines keep their order", () => {
  const page = {
    lines: [
      line("a", "2026-01-01T00:00:01.000Z").line,
      line("b", "2026-01-01T00:00:03.000Z").line,
      line("clock set back", "2026-01-01T00:00:00.000Z").line,
    ],
    gaps: [
      { at: "2026-01-01T00:00:02.000Z", droppedLines: 7 },
      { at: "2026-01-01T00:00:09.000Z", droppedLines: 1 },
    ],
  };
  const entries = entriesOf(page, "end");
  assert.deepEqual(textsOf(withNewer(emptyBuffer, entries)), ["a", "gap", "b", "clock set back", "gap"]);
  assert.equal(entries.at(-1)?.cursor, "end");
});
