/** Tests that `npm run release` refuses what it cannot build before it makes a signing key. */

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";

const program = join(import.meta.dirname, "main.ts");

test("an unknown architecture is refused, and no key is made", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-release-arguments-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const paths = ["--out", join(directory, "out"), "--key", join(directory, "key.pem")];
  await assert.rejects(promisify(execFile)(process.execPath, [program, ...paths, "--arch", "arm"]), {
    code: 1,
    stderr: /--arch must be x64 or arm64, not arm/,
  });
  assert.deepEqual(await readdir(directory), []);
});
