import assert from "node:assert/strict";
import { test } from "node:test";
import { checkHost, isKernelAtLeast } from "./check-host.ts";

test("kernel versions are compared as numbers", () => {
  assert.deepEqual(
    ["5.4.0", "5.18.9", "5.19", "5.19.0-rc1", "6.1.0-13-amd64", "10.0", "nonsense"].map((text) =>
      isKernelAtLeast(text, [5, 19]),
    ),
    [false, false, true, true, true, true, false],
  );
});

test("every problem comes with what to do about it", async () => {
  for (const { problem, howToFix } of await checkHost())
    assert.ok(problem.length > 10 && howToFix.length > 10);
});
