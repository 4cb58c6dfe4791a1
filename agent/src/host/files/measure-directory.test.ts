import assert from "node:assert/strict";
import { link, mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { measureDirectory } from "./measure-directory.ts";

const mebibyte = 1024 * 1024;
const never = new AbortController().signal;
let directory: string;
before(async () => {
  directory = await mkdtemp(join(tmpdir(), "tijolo-measure-"));
});
after(() => rm(directory, { recursive: true, force: true }));

test("files count once, and links lead nowhere", async () => {
  const outside = join(directory, "outside");
  const tree = join(directory, "tree");
  await mkdir(outside);
  await mkdir(tree);
  await writeFile(join(outside, "big"), Buffer.alloc(40 * mebibyte, 1));
  await writeFile(join(tree, "own"), Buffer.alloc(3 * mebibyte, 1));
  await link(join(tree, "own"), join(tree, "same file again"));
  await symlink(outside, join(tree, "way out"));
  await symlink(tree, join(tree, "circle"));
  const megabytes = await measureDirectory(tree, never);
  assert.ok(megabytes >= 3 && megabytes <= 4, String(megabytes));
  assert.equal(
    await measureDirectory(join(tree, "way out"), never),
    0,
    "not even when it is the directory itself",
  );
});

test("names of any kind, deep trees and files full of holes cost nothing", async () => {
  const tree = join(directory, "hostile");
  await mkdir(join(tree, "--files0-from=-"), { recursive: true });
  await writeFile(join(tree, "9999\t$(reboot)\n8888\t."), "");
  await writeFile(join(tree, "holes"), "");
  await truncate(join(tree, "holes"), 2 ** 40);
  let deep = tree;
  while (deep.length < 4_000) deep = join(deep, "d".repeat(200));
  await mkdir(deep, { recursive: true });
  assert.equal(await measureDirectory(tree, never), 1);
});

test("a directory that is not there has no size; an abort ends the measuring", async () => {
  await assert.rejects(measureDirectory(join(directory, "missing"), never));
  await assert.rejects(
    measureDirectory(directory, AbortSignal.abort(new Error("the agent stops"))),
    /the agent stops/,
  );
});
