import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { emptyKernelDirectories, visibleKernelFiles } from "./visible-kernel-files.ts";

test("SECURITY.md gives a reason for each visible path of /proc and /sys and for each empty directory, and names no other", () => {
  const text = readFileSync(join(import.meta.dirname, "../../../../SECURITY.md"), "utf8");
  const rows = [...text.matchAll(/^\| `(\/(?:proc|sys)\/[^`]+)` \| (.+) \|$/gm)];
  assert.deepEqual(
    rows.map(([, path]) => path),
    [...visibleKernelFiles, ...emptyKernelDirectories].sort(),
  );
  for (const [, path, reason] of rows) assert.ok((reason ?? "").length > 20, path);
});
