import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { exec } from "../exec.ts";
import { countOfTree, removeTree, sizeOfTree } from "./trees.ts";

const skip = process.platform === "linux" ? false : "needs GNU's tools";

test(
  "a tree deeper than any path may be long is removed, and what a link in it names stays",
  { skip },
  async () => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-trees-"));
    const [tree, kept] = [join(directory, "tree"), join(directory, "kept")];
    await writeFile(kept, "x".repeat(10_000));
    const deepen = `mkdir($ARGV[0]) && chdir($ARGV[0]) or die; for (1 .. 40) { mkdir("d" x 200) && chdir("d" x 200) or die $! } open(F, ">", "file") or die`;
    await exec(["perl", "-e", deepen, tree]);
    await symlink(kept, join(tree, "link"));
    await assert.rejects(rm(tree, { recursive: true, force: true }), /ENAMETOOLONG/, "Node alone cannot");
    await removeTree(tree);
    await removeTree(tree);
    assert.ok(!existsSync(tree));
    assert.ok((await sizeOfTree(directory)) >= 10_000);
    assert.equal(await countOfTree(directory), 2);
    await rm(directory, { recursive: true });
  },
);
