import assert from "node:assert/strict";
import { lstatSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { makeOpenDirectory, writeOpenFile } from "./open-files.ts";

test("what is made open is so under the program's umask, and a directory that was there stays as it was", async (context) => {
  const top = await mkdtemp(join(tmpdir(), "open-files-"));
  const earlier = process.umask(0o077);
  context.after(() => {
    process.umask(earlier);
    return rm(top, { recursive: true });
  });
  const modeOf = (name: string) => (lstatSync(join(top, name)).mode & 0o777).toString(8);
  await mkdir(join(top, "closed"));
  await makeOpenDirectory(join(top, "closed", "one", "two"));
  await makeOpenDirectory(join(top, "closed"));
  await writeOpenFile(join(top, "file"), "text");
  await writeOpenFile(join(top, "program"), "text", 0o755);
  assert.deepEqual(["closed", "closed/one", "closed/one/two", "file", "program"].map(modeOf), [
    "700",
    "755",
    "755",
    "644",
    "755",
  ]);
});
