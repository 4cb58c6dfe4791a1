import assert from "node:assert/strict";
import { test } from "node:test";
import { readRange } from "./byte-range.ts";

test("a range is cut to what there is, and refused only when it begins beyond the end", () => {
  const cases: [string | undefined, ReturnType<typeof readRange>][] = [
    [undefined, "whole"],
    ["bytes=0-", { start: 0, end: 99 }],
    ["bytes=10-19", { start: 10, end: 19 }],
    ["bytes=10-5000", { start: 10, end: 99 }],
    ["bytes=-10", { start: 90, end: 99 }],
    ["bytes=-500", { start: 0, end: 99 }],
    ["bytes=-0", "outside"],
    ["bytes=100-", "outside"],
    ["bytes=20-10", "whole"],
    ["bytes=0-1,5-6", "whole"],
    ["lines=0-1", "whole"],
    ["bytes=-", "whole"],
  ];
  for (const [header, expected] of cases) assert.deepEqual(readRange(header, 100), expected, header);
});
