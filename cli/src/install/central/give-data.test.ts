import assert from "node:assert/strict";
import { lstat, mkdir, mkdtemp, rm, stat, symlink, unlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate } from "node:timers/promises";
import { afterEach, beforeEach, describe, test } from "node:test";
import { giveTo } from "./give-data.ts";

const someone = 12_345;

describe("what central's user is given", { skip: process.getuid?.() === 0 ? false : "needs root" }, () => {
  let directory = "";
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-give-"));
    await mkdir(join(directory, "data/inner"), { recursive: true });
    await mkdir(join(directory, "outside"));
    await writeFile(join(directory, "data/inner/file"), "");
    await writeFile(join(directory, "outside/file"), "");
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const owner = async (path: string) => (await lstat(join(directory, path))).uid;
  const give = () => giveTo(join(directory, "data"), someone, someone);

  test("is all of the directory, once", async () => {
    assert.equal(await give(), 3);
    assert.equal(await owner("data/inner/file"), someone);
    assert.equal(await give(), 0);
  });

  test("is nothing that a link leads to", async () => {
    await symlink(join(directory, "outside"), join(directory, "data/folder"));
    await symlink(join(directory, "outside/file"), join(directory, "data/file"));
    await give();
    assert.equal(await owner("outside"), 0);
    assert.equal(await owner("outside/file"), 0);
  });

  test("is what is left, when files vanish meanwhile", async () => {
    const names = Array.from({ length: 400 }, (_, index) => join(directory, "data", `vanishes-${index}`));
    for (const name of names) await writeFile(name, "");
    const given = give();
    for (const name of names.toReversed()) {
      await unlink(name);
      await setImmediate();
    }
    await given;
    assert.equal((await stat(join(directory, "data/inner/file"))).uid, someone);
  });
});
