import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmod, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import { findDamage } from "../src/install/release-tree.ts";
import { packRelease } from "./pack-release.ts";
import { textEntry } from "./tree-entry.ts";

describe("an unpacked release", () => {
  let directory = "";
  let tree = "";
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), "tijolo-pack-"));
    const file = join(directory, "release.tar.gz");
    const entries = [
      textEntry("LICENSE", "text"),
      textEntry("bin/tijolo", "program", true),
      { path: "node_modules/a", kind: "link", target: "../.pnpm/a" } as const,
    ];
    await packRelease(entries, { folder: "release", file, commitTime: 0 });
    execFileSync("tar", ["-xzf", file, "-C", directory]);
    tree = join(directory, "release");
  });
  afterEach(() => rm(directory, { recursive: true, force: true }));

  test("is whole as it was packed", async () => {
    assert.equal(await findDamage(tree), null);
  });

  test("is damaged where a file has other bytes, or is missing", async () => {
    await writeFile(join(tree, "LICENSE"), "other");
    assert.equal(await findDamage(tree), "LICENSE");
    await rm(join(tree, "LICENSE"));
    assert.equal(await findDamage(tree), "LICENSE");
  });

  test("is damaged where a link is missing, or leads elsewhere", async () => {
    const link = join(tree, "node_modules/a");
    await rm(link);
    assert.equal(await findDamage(tree), "node_modules/a");
    await symlink("../.pnpm/b", link);
    assert.equal(await findDamage(tree), "node_modules/a");
  });

  test("is damaged where a program cannot be run", async () => {
    await chmod(join(tree, "bin/tijolo"), 0o644);
    assert.equal(await findDamage(tree), "bin/tijolo");
  });
});
