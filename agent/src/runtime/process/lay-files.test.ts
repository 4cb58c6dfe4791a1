import assert from "node:assert/strict";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { layFiles } from "./lay-files.ts";

async function places(t: TestContext) {
  const root = await mkdtemp(join(tmpdir(), "tijolo-lay-"));
  t.after(() => rm(root, { recursive: true, force: true }));
  const app = join(root, "app");
  const listFile = join(root, "laid.json");
  const layer = async (name: string, files: Record<string, string>) => {
    for (const [path, text] of Object.entries(files)) {
      await mkdir(dirname(join(root, name, path)), { recursive: true });
      await writeFile(join(root, name, path), text);
    }
    return join(root, name);
  };
  const lay = (versionNumber: number, ...layers: string[]) =>
    layFiles(app, { layers, versionNumber, listFile });
  const shown = async () => {
    const names = (await readdir(app, { recursive: true, withFileTypes: true })).filter(
      (entry) => !entry.isDirectory(),
    );
    const paths = names.map((entry) => join(entry.parentPath, entry.name)).sort();
    return Object.fromEntries(
      await Promise.all(
        paths.map(async (path) => [path.slice(app.length + 1), await readFile(path, "utf8")]),
      ),
    );
  };
  return { root, app, listFile, layer, lay, shown };
}

test("new code wins and old code goes; what the project wrote itself stays", async (t) => {
  const { app, layer, lay, shown } = await places(t);
  await lay(1, await layer("code1", { "a.js": "1", "old/b.js": "1", "both.json": "1" }));
  await writeFile(join(app, "own.db"), "own");
  await writeFile(join(app, "both.json"), "own, longer");
  await writeFile(join(app, "old", "own.db"), "own");
  await lay(2, await layer("code2", { "a.js": "2", "new.js": "2", "both.json": "2" }));
  assert.deepEqual(await shown(), {
    "a.js": "2",
    "both.json": "2",
    "new.js": "2",
    "old/own.db": "own",
    "own.db": "own",
  });
});

test("the same version laid again leaves what the project changed or deleted; a new install of it changes only that", async (t) => {
  const { app, layer, lay, shown } = await places(t);
  const code = await layer("code", { "a.js": "code", "state.json": "code", "gone.txt": "code" });
  await lay(1, await layer("install1", { "deps/x": "1" }), code);
  await writeFile(join(app, "state.json"), "changed by the project");
  await rm(join(app, "gone.txt"));
  await lay(1, join(dirname(code), "install1"), code);
  assert.deepEqual(await shown(), { "a.js": "code", "deps/x": "1", "state.json": "changed by the project" });
  await lay(1, await layer("install2", { "deps/y": "2" }), code);
  assert.deepEqual(await shown(), { "a.js": "code", "deps/y": "2", "state.json": "changed by the project" });
});

test("an upper layer hides a lower one, as a file hides a directory and a directory a file", async (t) => {
  const { app, layer, lay, shown } = await places(t);
  const code = await layer("code", { a: "code", "d/x": "code", f: "code" });
  const install = await layer("install", { a: "install", d: "now a file", "f/inner": "install" });
  await lay(1, install, code);
  assert.deepEqual(await shown(), { a: "install", d: "now a file", "f/inner": "install" });
  await lay(2, code);
  assert.deepEqual(await shown(), { a: "code", "d/x": "code", f: "code" });
  assert.deepEqual(await readdir(app), ["a", "d", "f"]);
});

test("a link in the place of a directory is taken away for new code, and what it leads to stays", async (t) => {
  const { root, app, layer, lay } = await places(t);
  const outside = await layer("outside", { precious: "the developer's" });
  await mkdir(app);
  await symlink(outside, join(app, "d"));
  await lay(1, await layer("code", { "d/precious": "code" }));
  assert.equal(await readFile(join(root, "outside", "precious"), "utf8"), "the developer's");
  assert.equal(await readFile(join(app, "d", "precious"), "utf8"), "code");
});

test("a list that is none, or names what is outside, is as good as none", async (t) => {
  const { root, layer, listFile, lay, shown } = await places(t);
  await layer("outside", { precious: "the developer's" });
  const code = await layer("code", { "a.js": "code", "..b": "code" });
  for (const path of [
    "../outside/precious",
    "d/../../outside/precious",
    "..",
    ".",
    "",
    "a//b",
    "a.js/",
    "/a.js",
  ]) {
    await writeFile(listFile, JSON.stringify({ versionNumber: 1, layers: [], files: { [path]: "" } }));
    await lay(1, code);
    assert.equal(await readFile(join(root, "outside", "precious"), "utf8"), "the developer's", path);
    assert.deepEqual(await shown(), { "..b": "code", "a.js": "code" }, path);
  }
  for (const text of ["", "{", "[]"]) {
    await writeFile(listFile, text);
    await lay(1, code);
    assert.deepEqual(await shown(), { "..b": "code", "a.js": "code" }, text);
  }
  await lay(2, await layer("code2", { "a.js": "2" }));
  assert.deepEqual(await shown(), { "a.js": "2" }, "the list that was made in its place is good");
});

test("what a kill left half laid goes with the version it was of", async (t) => {
  const { app, listFile, layer, lay, shown } = await places(t);
  const [code1, code3] = [await layer("code1", { "a.js": "1" }), await layer("code3", { "a.js": "3" })];
  await lay(1, code1);
  const list = JSON.parse(await readFile(listFile, "utf8")) as object;
  await writeFile(
    listFile,
    JSON.stringify({ ...list, layers: [], files: { "a.js": "", "half.js": "", "not-yet.js": "" } }),
  );
  await writeFile(join(app, "half.js"), "2");
  await lay(3, code3);
  assert.deepEqual(await shown(), { "a.js": "3" });
});
