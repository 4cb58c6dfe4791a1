import assert from "node:assert/strict";
import { chmod, mkdir, mkdtemp, readFile, readdir, readlink, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, before, beforeEach, describe, test } from "node:test";
import { packageSetFile, type PackageSet } from "@tijolo/protocol";
import { loadMessages, type Messages } from "../../messages.ts";
import { findPackageSets, importPackages } from "./import-packages.ts";
import { runProgram } from "../run-program.ts";

const set: PackageSet = { suite: "trixie", architecture: "x64" };
let messages: Messages;
before(async () => {
  messages = await loadMessages("en");
});

describe("a set of Debian packages", () => {
  let directory = "";
  beforeEach(async () => (directory = await mkdtemp(join(tmpdir(), "tijolo-packages-"))));
  afterEach(() => rm(directory, { recursive: true, force: true }));
  const places = () => ({ from: directory, store: join(directory, "store") });
  const file = () => join(directory, packageSetFile(set));
  const link = () => readlink(join(directory, "store/trixie-x64"));

  async function make(index: string): Promise<void> {
    await mkdir(join(directory, "trixie"), { recursive: true });
    await writeFile(join(directory, "trixie/Packages"), index);
    await runProgram(["tar", "-czf", file(), "-C", directory, "trixie"]);
  }

  test("is taken once, and replaced by a newer one, which can be taken back", async () => {
    await make("one");
    await chmod(file(), 0o600);
    assert.deepEqual(await findPackageSets(directory), [set]);
    assert.notEqual(await importPackages([set], messages, places()), null);
    const first = await link();
    assert.equal((await stat(join(directory, "store", first))).mode & 0o777, 0o644);
    assert.equal((await stat(join(directory, "store"))).mode & 0o777, 0o755);
    assert.equal(await importPackages([set], messages, places()), null);

    await make("another");
    const undo = await importPackages([set], messages, places());
    assert.notEqual(await link(), first);
    await undo?.();
    assert.equal(await link(), first);
    assert.equal(await importPackages([], messages, places()), null);
    assert.deepEqual((await readdir(join(directory, "store"))).toSorted(), [first, "trixie-x64"].toSorted());
  });

  test("is refused when it is damaged, or of another system, and the one before stays", async () => {
    await make("one");
    await importPackages([set], messages, places());
    const first = await link();
    const bytes = await readFile(file());
    for (const damaged of [bytes.subarray(0, -9), bytes.with(bytes.length - 8, bytes.at(-8) === 0 ? 1 : 0)]) {
      await writeFile(file(), damaged);
      await assert.rejects(importPackages([set], messages, places()), /incomplete, or of another system/);
    }
    await runProgram(["tar", "-czf", file(), "-C", directory, "--transform=s/trixie/bookworm/", "trixie"]);
    await assert.rejects(importPackages([set], messages, places()), /incomplete, or of another system/);
    assert.equal(await link(), first);
  });
});
