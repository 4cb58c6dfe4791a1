import assert from "node:assert/strict";
import { test } from "node:test";
import { acceptedEncodings } from "./compressed-file.ts";

test("a visitor gets the better of the encodings that it accepts", () => {
  const rows: [accepted: string, expected: string[]][] = [
    ["", []],
    ["gzip, deflate, br, zstd", ["br", "gzip"]],
    ["gzip", ["gzip"]],
    ["GZIP;q=0.5, deflate", ["gzip"]],
    ["br;q=0, gzip", ["gzip"]],
    ["*", ["br", "gzip"]],
    ["br;q=0, *;q=0.1", ["gzip"]],
    ["identity", []],
    ["gzip;q=0", []],
    ["br;q=x", []],
    ["brotli, x-gzip", []],
  ];
  for (const [accepted, expected] of rows) assert.deepEqual(acceptedEncodings(accepted), expected, accepted);
});
