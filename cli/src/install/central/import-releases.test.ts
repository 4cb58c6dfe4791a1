import assert from "node:assert/strict";
import { createHash, generateKeyPairSync, type KeyObject } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { test, type TestContext } from "node:test";
import { manifestName, signatureName } from "@tijolo/protocol";
import { publicHalf, ReleaseRefusedError, signRelease, tijoloVersion } from "@tijolo/protocol/kit";
import { loadMessages } from "../../messages.ts";
import { Output } from "../../show/output.ts";
import { runSteps } from "../steps.ts";
import { importReleases, type ReleasePlaces } from "./import-releases.ts";

const archive = "tijolo-linux-x64.tar.gz";
const newKey = () => generateKeyPairSync("ed25519").privateKey;

/** Makes a release whose folder names `key`, and whose description `signer` has signed. */
async function release(
  t: TestContext,
  key: KeyObject,
  { signer = key, archives = [archive] } = {},
): Promise<ReleasePlaces> {
  const from = await mkdtemp(join(tmpdir(), "tijolo-release-"));
  t.after(() => rm(from, { recursive: true }));
  const places = { from, tree: join(from, "tree"), store: join(from, "store") };
  await mkdir(places.tree);
  await writeFile(join(places.tree, "release-key.pub"), `${publicHalf(key)}\n`);
  for (const name of archives) await writeFile(join(from, name), "the archive");
  const sha256 = createHash("sha256").update("the archive").digest("hex");
  const manifest = {
    version: tijoloVersion(),
    commitTime: 0,
    protocol: { min: 1, max: 1 },
    schemas: {},
    files: archives.map((name) => ({ name, architecture: "x64", bytes: 11, sha256 })),
  };
  const description = Buffer.from(JSON.stringify(manifest));
  await writeFile(join(from, manifestName), description);
  await writeFile(join(from, signatureName), signRelease(description, signer));
  return places;
}

const taken = ({ store }: ReleasePlaces) => readdir(store, { recursive: true }).catch(() => []);

test("a release is taken once, with its description, and can be given back", async (t) => {
  const places = await release(t, newKey());
  const undo = await importReleases(places);
  const inStore = join(places.store, tijoloVersion());
  assert.equal(await readFile(join(inStore, archive), "utf8"), "the archive");
  assert.deepEqual((await readdir(inStore)).toSorted(), [archive, manifestName, signatureName].toSorted());
  assert.equal(await importReleases(places), null);
  await undo?.();
  assert.deepEqual(await readdir(inStore), []);
});

test("a release that another key has signed is refused, and one with a byte changed", async (t) => {
  const other = await release(t, newKey(), { signer: newKey() });
  await assert.rejects(importReleases(other), (error) => {
    assert.ok(error instanceof ReleaseRefusedError);
    return error.reason === "wrong_key";
  });
  assert.deepEqual(await taken(other), []);
  const changed = await release(t, newKey());
  await writeFile(join(changed.from, archive), "the Archive");
  await assert.rejects(importReleases(changed), /SHA-256/);
  assert.deepEqual(await taken(changed), [tijoloVersion()]);
});

test("an archive that was taken before a damaged one is given back", async (t) => {
  const second = "tijolo-linux-arm64.tar.gz";
  const places = await release(t, newKey(), { archives: [archive, second] });
  await writeFile(join(places.from, second), "the Archive");
  const inStore = join(places.store, tijoloVersion());
  const run = async () => {
    try {
      return await importReleases(places);
    } finally {
      assert.deepEqual(await readdir(inStore), [archive]);
    }
  };
  const output = new Output({ stdout: new PassThrough(), stderr: new PassThrough() }, { isJson: false });
  const context = { messages: await loadMessages("en"), output };
  await assert.rejects(runSteps({ steps: [{ name: "releases", run }] }, context), /arm64.*SHA-256/);
  assert.deepEqual(await readdir(inStore), []);
});
