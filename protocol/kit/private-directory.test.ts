import assert from "node:assert/strict";
import { lstatSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { openPrivateDirectory } from "./private-directory.ts";

test("a new directory is closed to others, and one of an older program is closed with what lies in it, not what a link names", async (context) => {
  const top = await mkdtemp(join(tmpdir(), "private-"));
  context.after(() => rm(top, { recursive: true }));
  const modeOf = (name: string) => (lstatSync(join(top, name)).mode & 0o777).toString(8);
  await openPrivateDirectory(join(top, "new", "data"));
  assert.equal(modeOf("new/data"), "700");

  await mkdir(join(top, "elsewhere"));
  await mkdir(join(top, "data", "projects"), { recursive: true });
  await writeFile(join(top, "data", "central.sqlite"), "");
  await writeFile(join(top, "data", "program"), "");
  await symlink(join(top, "elsewhere"), join(top, "data", "tools"));
  const earlier = {
    elsewhere: 0o755,
    data: 0o711,
    "data/projects": 0o755,
    "data/central.sqlite": 0o644,
    "data/program": 0o755,
  };
  for (const [name, mode] of Object.entries(earlier)) await chmod(join(top, name), mode);
  await openPrivateDirectory(join(top, "data"));
  assert.deepEqual(Object.keys(earlier).map(modeOf), ["755", "700", "700", "600", "700"]);
});
