import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, readdir, stat, symlink } from "node:fs/promises";
import { test } from "node:test";
import { keptMs } from "./replaced-files.ts";
import { id, MergedProject } from "./test-project.ts";

const dayMs = 86_400_000;

test("what the program changed or made is kept when new code brings it, too; what it left as it came is not", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("versions/1/code", { "data.db": "empty", "opened.db": "empty", "index.js": "one" });
  await project.write("disk/app", {
    "data.db": "rows",
    "opened.db": "empty",
    "same.json": "two",
    "made.json": "made",
    "own.txt": "own",
    "d/deep/config.json": "changed",
  });
  await project.write("versions/2/code", {
    "data.db": "empty",
    "opened.db": "other",
    "same.json": "two",
    "made.json": "two",
    "d/deep/config.json": "two",
  });
  project.mergedVersion = 1;
  await chmod(project.place("disk/app/data.db"), 0o640);
  await chmod(project.place("disk/app/d/deep"), 0o711);
  assert.deepEqual(await project.merge(2), [
    { number: 2, count: 3, paths: ["d/deep/config.json", "data.db", "made.json"] },
  ]);
  assert.deepEqual(await project.contentsOf("replaced/2"), {
    "d/deep/config.json": "changed",
    "data.db": "rows",
    "made.json": "made",
  });
  assert.deepEqual(await project.contentsOf("disk/app"), { "own.txt": "own" });
  assert.equal((await stat(project.place("replaced/2/data.db"))).mode & 0o777, 0o640);
  assert.equal((await stat(project.place("replaced/2/d/deep"))).mode & 0o777, 0o711);
  assert.deepEqual(await project.merge(2), [], "a version is merged once");
});

test("what an install brings takes its place without more ado", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("disk/app", { "node_modules/x/index.js": "patched" });
  await project.write("versions/2/dependencies", { "node_modules/x/index.js": "new" });
  assert.deepEqual(await project.merge(2, [project.place("versions/2/dependencies")]), []);
  assert.deepEqual(await project.contentsOf("disk/app"), {});
});

test("directories, links and files in each other's way are kept as they are, and no link is followed", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("outside", { precious: "the host's", "data.db": "the host's" });
  await project.write("disk/app", { "was-directory/a/b": "1", "was-file": "2" });
  await symlink(project.place("outside"), project.place("disk/app/link"));
  await symlink(project.place("outside/data.db"), project.place("disk/app/data.db"));
  await mkdir(project.place("disk/app/empty"));
  execFileSync("mkfifo", [project.place("disk/app/fifo")]);
  const code = {
    "was-directory": "f",
    "was-file/x": "d",
    "link/precious": "d",
    "data.db": "n",
    empty: "f",
    fifo: "f",
  };
  await project.write("versions/2/code", code);
  const [set] = await project.merge(2);
  assert.deepEqual(set?.paths, ["data.db", "link", "was-directory/a/b", "was-file"]);
  assert.deepEqual(await project.contentsOf("replaced/2"), {
    "data.db": `-> ${project.place("outside/data.db")}`,
    link: `-> ${project.place("outside")}`,
    "was-directory/a/b": "1",
    "was-file": "2",
  });
  assert.deepEqual(await project.contentsOf("outside"), { "data.db": "the host's", precious: "the host's" });
  assert.deepEqual(await readdir(project.place("disk/app")), []);
});

test("names that are no UTF-8, and trees deeper than a path may be long, are kept and come back", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("versions/2/code", { d: "file", "e/x": "1" });
  const make = String.raw`
    chdir($ARGV[0]) or die; mkdir("d"); mkdir("e"); open(F, ">", "e/\xff\xfe") or die; close(F);
    chdir("d"); for (("n" x 200) x 40) { mkdir($_) && chdir($_) or die $! } open(F, ">", "end"); close(F)`;
  execFileSync("perl", ["-e", make, project.place("disk/app")]);
  const [set] = await project.merge(2);
  assert.equal(set?.count, 1);
  assert.equal(
    (await readdir(project.place("disk/app/e"), { encoding: "buffer" }))[0]?.toString("hex"),
    "fffe",
  );
  assert.equal(await project.files.restore(id, 2, null), true);
  await project.merge(2);
  assert.deepEqual((await readdir(project.place("disk/app"))).sort(), ["d", "e"]);
  assert.deepEqual(await readdir(project.place("replaced")), []);
});

test("one file or all of them come back at the next start, and what is in their place is kept", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("disk/app", { "data.db": "old", "d/a": "old a", "d/b": "old b" });
  await project.write("versions/2/code", { "data.db": "new", "d/a": "new a", "d/b": "new b" });
  await project.merge(2);
  await project.write("disk/app", { "data.db": "newer", "d/own": "own" });
  for (const [version, path] of [
    [2, "none"],
    [2, "../../disk"],
    [2, "d/../data.db"],
    [2, ""],
    [7, null],
  ] as const)
    assert.equal(await project.files.restore(id, version, path), false, String(path));
  assert.equal(await project.files.restore(id, 2, "data.db"), true);
  assert.equal(await project.files.restore(id, 2, "data.db"), true, "asked again, it still comes back");
  assert.equal(
    (await project.contentsOf("disk/app"))["data.db"],
    "newer",
    "a running program keeps its file",
  );
  assert.deepEqual(
    (await project.files.list(id)).map(({ paths, isRestoring }) => [paths, isRestoring]),
    [[["d/a", "d/b", "data.db"], true]],
  );
  await project.merge(2);
  assert.deepEqual(await project.contentsOf("disk/app"), { "d/own": "own", "data.db": "old" });
  assert.deepEqual(await project.contentsOf("replaced/2"), {
    "d/a": "old a",
    "d/b": "old b",
    "data.db": "newer",
  });
  assert.equal(await project.files.restore(id, 2, "d/"), true);
  await project.merge(2);
  assert.deepEqual(await project.contentsOf("disk/app"), {
    "d/a": "old a",
    "d/b": "old b",
    "d/own": "own",
    "data.db": "old",
  });
  assert.equal(await project.files.restore(id, 2, null), true);
  await project.merge(2);
  assert.equal((await project.contentsOf("disk/app"))["data.db"], "newer");
  assert.deepEqual(await project.contentsOf("replaced/2"), { "data.db": "old" });
});

test("a directory that comes back does not hide what the code has in it", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("disk/app", { "d/own": "own" });
  await project.write("versions/2/code", { d: "a file" });
  await project.merge(2);
  await project.write("versions/3/code", { "d/new": "new" });
  await project.merge(3);
  const { ino } = await stat(project.place("replaced/2/d"));
  await project.files.restore(id, 2, null);
  await project.merge(3);
  assert.deepEqual(await project.contentsOf("disk/app"), { "d/own": "own" });
  assert.notEqual(
    (await stat(project.place("disk/app/d"))).ino,
    ino,
    "it is a new directory, which hides nothing",
  );
});

test("a project that returns to the version before gets back what the other one replaced", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("versions/1/code", { "data.db": "empty" });
  await project.write("versions/2/code", { "data.db": "empty, too" });
  await project.merge(1);
  await project.write("disk/app", { "data.db": "rows" });
  await project.merge(2);
  await project.write("disk/app", { "data.db": "of the failed version" });
  await project.merge(1);
  assert.deepEqual(await project.contentsOf("disk/app"), { "data.db": "rows" });
  assert.deepEqual(await project.contentsOf("replaced/1"), { "data.db": "of the failed version" });
});

test("a version that is tried, given up and tried again finds what the program had, each time", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("versions/3/code", { both: "code 3" });
  await project.write("versions/4/code", { both: "code 4", later: "code 4" });
  project.mergedVersion = 3;
  const own = { both: "own", later: "own" };
  await project.write("disk/app", own);
  for (const tried of [1, 2, 3]) {
    assert.deepEqual(await project.merge(4), [{ number: 4, count: 2, paths: ["both", "later"] }]);
    assert.deepEqual(await project.contentsOf("disk/app"), {});
    assert.deepEqual(await project.contentsOf("replaced/4"), own);
    await project.write("disk/app", { both: `tried ${tried}`, later: `tried ${tried}` });
    await project.merge(3);
    assert.deepEqual(await project.contentsOf("disk/app"), own, "what it had is in its place");
    assert.deepEqual(await readdir(project.place("replaced")), ["3", "3.merged"]);
    const kept = Object.values(await project.contentsOf("replaced/3"));
    const expected = Array.from({ length: tried }, (_, index) => `tried ${index + 1}`);
    assert.deepEqual(kept.sort(), [...expected, ...expected].sort(), "what a try wrote is kept");
    await project.merge(3);
    assert.deepEqual(await project.contentsOf("disk/app"), own);
    assert.deepEqual(await readdir(project.place("replaced")), ["3"]);
  }
});

test("what came back stays when the agent's ledger does not know of the merge yet", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("versions/3/code", { "data.db": "code 3" });
  await project.write("versions/4/code", { "data.db": "code 4" });
  project.mergedVersion = 3;
  await project.write("disk/app", { "data.db": "rows" });
  await project.merge(4);
  for (const _ of [1, 2]) {
    await project.merge(3);
    project.mergedVersion = 4; // the agent was killed before it saved that
  }
  assert.deepEqual(await project.contentsOf("disk/app"), { "data.db": "rows" });
  await project.merge(3);
  assert.deepEqual(await project.contentsOf("disk/app"), { "data.db": "rows" });
  await project.merge(4);
  assert.deepEqual(await project.contentsOf("disk/app"), {}, "the same version is merged anew later");
  assert.deepEqual(await project.contentsOf("replaced/4"), { "data.db": "rows" });
});

test("a merge that did not get to its end is gone on with, undone, or kept with the next version", async (context) => {
  for (const [next, own, kept, reported] of [
    [1, { "data.db": "rows" }, {}, []],
    [2, {}, { "2/data.db": "rows" }, [2]],
    [3, {}, { "2/data.db": "rows" }, [2]],
  ] as const) {
    const project = await MergedProject.create(context);
    await project.write("versions/2/code", { "data.db": "empty" });
    project.mergedVersion = 1;
    await project.write("replaced", { "2/data.db": "rows", "2.merging": "" });
    assert.deepEqual(
      (await project.merge(next)).map(({ number }) => number),
      reported,
    );
    assert.deepEqual(await project.contentsOf("disk/app"), own);
    assert.deepEqual(await project.contentsOf("replaced"), kept);
  }
});

test("a set goes after 14 days, one that is to come back does not", async (context) => {
  const project = await MergedProject.create(context);
  for (const version of [1, 2]) {
    await project.write("disk/app", { a: `own ${version}` });
    await project.write(`versions/${version}/code`, { a: `code ${version}` });
    await project.merge(version);
    project.nowMs += dayMs;
  }
  await project.files.restore(id, 2, "a");
  await project.files.collect([id, "prj_none"]);
  assert.deepEqual((await readdir(project.place("replaced"))).sort(), ["1", "2", "2.restoring"]);
  project.nowMs += keptMs - 2 * dayMs;
  await project.files.collect([id]);
  assert.deepEqual((await readdir(project.place("replaced"))).sort(), ["2", "2.restoring"]);
  project.nowMs += dayMs;
  await project.files.collect([id]);
  assert.deepEqual(await readdir(project.place("replaced")), ["2.restoring"]);
  await project.merge(2);
  assert.equal((await project.contentsOf("disk/app"))["a"], "own 2");
});

test("a project whose sets cannot be read does not keep those of others", async (context) => {
  const project = await MergedProject.create(context);
  await project.write("disk/app", { a: "own" });
  await project.write("versions/1/code", { a: "code" });
  await project.merge(1);
  project.nowMs += keptMs;
  await mkdir(project.place("../prj_damaged"));
  await symlink("replaced", project.place("../prj_damaged/replaced"));
  await project.files.collect(["prj_damaged", id]);
  assert.deepEqual(await readdir(project.place("replaced")), []);
});

test("beyond their bound the oldest sets go, and on a full disk all but the newest", async (context) => {
  const project = await MergedProject.create(context);
  project.diskMb = 40;
  const big = "x".repeat(4 << 20);
  for (const version of [1, 2, 3]) {
    await project.write("disk/app", { a: big });
    await project.write(`versions/${version}/code`, { a: `code ${version}` });
    await project.merge(version);
  }
  assert.deepEqual((await readdir(project.place("replaced"))).sort(), ["2", "3"]);
  project.full = "bytes";
  await project.write("disk/app", { a: "own" });
  await project.write("versions/4/code", { a: "code" });
  await project.merge(4);
  assert.deepEqual((await readdir(project.place("replaced"))).sort(), ["3", "4"]);
});

test("many files and long names are counted and named as far as a report may be long", async (context) => {
  const project = await MergedProject.create(context);
  const names = Array.from({ length: 60 }, (_, index) => `${"n".repeat(200)}${index}`);
  await project.write("disk/app", Object.fromEntries(names.map((name) => [name, "own"])));
  await project.write("versions/1/code", Object.fromEntries(names.map((name) => [name, "code"])));
  const [set] = await project.merge(1);
  assert.equal(set?.count, 60);
  assert.ok(set.paths.length > 5 && set.paths.join("").length <= 3_000);
});
