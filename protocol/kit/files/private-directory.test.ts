import assert from "node:assert/strict";
import { lstatSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { SmallDisk } from "../../../test/support/machine/small-disk.ts";
import { openPrivateDirectory } from "./private-directory.ts";

test("a new directory is closed to others, and one of an older program is closed with what lies in it, not what a link names", async (context) => {
  const top = await mkdtemp(join(tmpdir(), "private-"));
  context.after(() => rm(top, { recursive: true }));
  const modeOf = (name: string) => (lstatSync(join(top, name)).mode & 0o777).toString(8);
  const logger = new RecordingLogger();
  await openPrivateDirectory(join(top, "new", "data"), logger);
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
  await openPrivateDirectory(join(top, "data"), logger);
  assert.deepEqual(Object.keys(earlier).map(modeOf), ["755", "700", "700", "600", "700"]);
  assert.deepEqual(logger.entries, []);
});

test("an entry that cannot be closed is named in a warning, and the others are closed", async () => {
  await using disk = await SmallDisk.create(1024 * 1024);
  const data = join(disk.directory, "data");
  disk.mountReadOnly("data/objects");
  await writeFile(join(data, "zone"), "");
  for (const name of ["", "zone"]) await chmod(join(data, name), 0o755);
  const logger = new RecordingLogger();
  await openPrivateDirectory(data, logger);
  const modes = ["", "objects", "zone"].map((name) => (lstatSync(join(data, name)).mode & 0o777).toString(8));
  assert.deepEqual(modes, ["700", "755", "700"]);
  const warned = logger.entries.map(({ level, fields }) => [
    level,
    fields["path"],
    (fields["err"] as NodeJS.ErrnoException).code,
  ]);
  assert.deepEqual(warned, [["warn", join(data, "objects"), "EROFS"]]);
});

test("a directory that cannot be closed is refused by its name", async () => {
  // Nobody may change what the kernel shows there.
  await assert.rejects(
    openPrivateDirectory("/proc/self/task", new RecordingLogger()),
    /data directory \/proc\/self\/task cannot be closed/,
  );
});
