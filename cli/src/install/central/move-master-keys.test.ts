import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { moveMasterKeys } from "./move-master-keys.ts";

describe("the master keys of an installed central", () => {
  let directory = "";
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-keys-"));
    await mkdir(join(directory, "central"));
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const places = () => ({
    target: join(directory, "master-keys"),
    own: join(directory, "central/master-keys"),
  });
  const target = () => readFile(places().target, "utf8");

  test("are those of the environment, and central's own ones stay where they are", async () => {
    await writeFile(places().own, "own key\n");
    await writeFile(join(directory, "given"), "file key\n");
    const file = { TIJOLO_MASTER_KEY_FILE: join(directory, "given") };
    const undo = await moveMasterKeys({ ...file, TIJOLO_MASTER_KEYS: "a key,b key" }, places());
    assert.equal(await target(), "a key,b key\n");
    assert.equal((await stat(places().target)).mode & 0o777, 0o600);
    assert.equal(await moveMasterKeys(file, places()), null);
    await undo?.();
    assert.equal(existsSync(places().target), false);
    await moveMasterKeys(file, places());
    assert.equal(await target(), "file key\n");
    assert.equal(await readFile(places().own, "utf8"), "own key\n");
  });

  test("are not made anew when the named file is missing", async () => {
    const missing = { TIJOLO_MASTER_KEY_FILE: join(directory, "missing") };
    await assert.rejects(moveMasterKeys(missing, places()), /^Error: TIJOLO_MASTER_KEY_FILE: ENOENT/);
    assert.equal(existsSync(places().target), false);
  });

  test("are central's own ones, which move, and are beside the data again when that is taken back", async () => {
    await writeFile(places().own, "own key\n");
    const undo = await moveMasterKeys({}, places());
    assert.equal(await target(), "own key\n");
    assert.equal(existsSync(places().own), false);
    await undo?.();
    assert.equal(await readFile(places().own, "utf8"), "own key\n");
    assert.equal(existsSync(places().target), false);
  });

  test("are made where there are none", async () => {
    await moveMasterKeys({}, places());
    assert.match(await target(), /^tijolo-\d+ [A-Za-z0-9+/]{43}=\n$/);
  });

  test("are not what a link in central's data leads to", async () => {
    await writeFile(join(directory, "secret"), "of root\n");
    await symlink(join(directory, "secret"), places().own);
    await assert.rejects(moveMasterKeys({}, places()), { code: "ELOOP" });
    assert.equal(existsSync(places().target), false);
  });
});
