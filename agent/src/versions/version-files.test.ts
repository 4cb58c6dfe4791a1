import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { pruneVersions, removeUnfinished, servedDirectory, versionDirectory } from "./version-files.ts";
import { uncover } from "./merge/uncover.ts";

async function layerAndUpper(
  context: TestContext,
): Promise<{ layer: string; upper: string; outside: string }> {
  const directory = await mkdtemp(join(tmpdir(), "version-files-"));
  context.after(() => rm(directory, { recursive: true }));
  const places = {
    layer: join(directory, "layer"),
    upper: join(directory, "upper"),
    outside: join(directory, "outside"),
  };
  for (const place of Object.values(places)) await mkdir(place);
  return places;
}

test("new code takes the place of what the project wrote under its names; all else stays, with its rights", async (context) => {
  const { layer, upper } = await layerAndUpper(context);
  for (const place of [layer, upper]) await mkdir(join(place, "d/deep"), { recursive: true });
  for (const name of ["index.js", "d/new", "d/deep/new", "d/file-now"])
    await writeFile(join(layer, name), "new");
  for (const name of ["index.js", "d/new", "d/own", "d/deep/new", "d/deep/own"])
    await writeFile(join(upper, name), "own");
  await mkdir(join(upper, "d/file-now/full"), { recursive: true });
  await chmod(join(upper, "d"), 0o711);
  const { ino } = await stat(join(upper, "d"));
  await uncover(layer, upper);
  assert.deepEqual((await readdir(upper, { recursive: true })).sort(), [
    "d",
    "d/deep",
    "d/deep/own",
    "d/own",
  ]);
  assert.equal(await readFile(join(upper, "d/deep/own"), "utf8"), "own");
  const renewed = await stat(join(upper, "d"));
  assert.equal(renewed.mode & 0o7777, 0o711);
  assert.notEqual(renewed.ino, ino, "the directory is a new one, which hides nothing");
});

test("what an agent had moved when it was killed in the middle comes back, and counts as what the project wrote", async (context) => {
  const { layer, upper } = await layerAndUpper(context);
  for (const name of ["half", "whole"]) {
    await mkdir(join(layer, name));
    await writeFile(join(layer, name, "new"), "new");
    await mkdir(join(upper, `${name}.tijolo-renewed`, "deep"), { recursive: true });
    for (const own of ["new", "deep/own"]) await writeFile(join(upper, `${name}.tijolo-renewed`, own), "own");
  }
  await mkdir(join(upper, "half")); // the other one was gone already, to be replaced
  await writeFile(join(upper, "half/not-moved-yet"), "own");
  await uncover(layer, upper);
  assert.deepEqual((await readdir(upper, { recursive: true })).sort(), [
    "half",
    "half/deep",
    "half/deep/own",
    "half/not-moved-yet",
    "whole",
    "whole/deep",
    "whole/deep/own",
  ]);
  assert.equal(await readFile(join(upper, "half/deep/own"), "utf8"), "own");
});

test("a link in the place of a directory is taken away, and what it leads to stays", async (context) => {
  const { layer, upper, outside } = await layerAndUpper(context);
  await mkdir(join(layer, "d"));
  await mkdir(join(layer, "e"));
  await writeFile(join(layer, "d/precious"), "new");
  await writeFile(join(outside, "precious"), "the host's");
  await symlink(outside, join(upper, "d"));
  await symlink(outside, join(upper, "e.tijolo-renewed"));
  await mkdir(join(upper, "e"));
  await uncover(layer, upper);
  assert.deepEqual(await readdir(upper), ["e"]);
  assert.deepEqual(await readdir(outside), ["precious"]);
});

test("there may be nothing to uncover", async (context) => {
  const { layer, upper } = await layerAndUpper(context);
  await uncover(join(layer, "missing"), upper);
  await uncover(layer, join(upper, "missing"));
  assert.deepEqual(await readdir(upper), []);
});

test(
  "what a build left deeper than any path may be long goes with its version",
  { skip: process.platform !== "linux" },
  async (context) => {
    const { outside } = await layerAndUpper(context);
    const deepen = `for ($ARGV[0], "node_modules", ("d" x 200) x 40) { mkdir($_) && chdir($_) or die $! }`;
    const versions = join(outside, "projects/prj_deep/versions");
    await mkdir(versions, { recursive: true });
    for (const version of ["1", "2"]) execFileSync("perl", ["-e", deepen, version], { cwd: versions });
    await mkdir(join(versionDirectory(outside, "prj_deep", 2), "code"));
    await pruneVersions(outside, "prj_deep", [2]);
    await removeUnfinished(outside, "prj_deep", 2);
    assert.deepEqual(await readdir(versions, { recursive: true }), ["2", "2/code"]);
  },
);

test("a folder that is served lies in the code, whatever its name says", () => {
  for (const [root, directory] of [
    ["", "/v/code"],
    ["./", "/v/code/"],
    ["public/site", "/v/code/public/site"],
    ["a/../b", "/v/code/b"],
    ["..", undefined],
    ["../code-of-another", undefined],
    ["\u2028/../../../etc", undefined],
  ] as const) {
    assert.deepEqual([root, servedDirectory("/v/code", root)], [root, directory]);
  }
});
