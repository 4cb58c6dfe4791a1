import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { formatMasterKeys, makeMasterKey } from "./master-keys.ts";
import { openMasterKeys, type MasterKeySettings } from "./master-key-source.ts";

const clock = { now: () => 0 };
const text = () => formatMasterKeys([makeMasterKey({ clock, random: randomBytes })]);

async function bench(t: TestContext) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-keys-"));
  t.after(() => rm(directory, { recursive: true }));
  const ownFile = join(directory, "master-keys");
  const open = (settings: Partial<MasterKeySettings> = {}, mayMake = true) =>
    openMasterKeys(
      { credentialsDirectory: null, text: null, file: null, ownFile, ...settings },
      { clock, random: randomBytes, mayMake },
    );
  return { directory, ownFile, open };
}

test("the first source that is there counts", async (t) => {
  const { directory, open } = await bench(t);
  const [credential, environment, file] = [text(), text(), text()];
  const credentialsDirectory = join(directory, "credentials");
  await mkdir(credentialsDirectory);
  await writeFile(join(directory, "keys"), file, { mode: 0o600 });
  const all = { credentialsDirectory, text: environment, file: join(directory, "keys") };
  assert.equal((await open(all)).source, "environment", "systemd handed in other credentials");
  await writeFile(join(credentialsDirectory, "tijolo-master-keys"), credential, { mode: 0o440 });
  const opened = [
    await open(all),
    await open({ ...all, credentialsDirectory: null }),
    await open({ file: all.file }),
  ];
  assert.deepEqual(
    opened.map(({ source, keys, save }) => [source, formatMasterKeys(keys), save]),
    [
      ["credentials", credential, null],
      ["environment", environment, null],
      ["file", file, null],
    ],
  );
});

test("central's own file is made at the first start, for its owner alone, and read at the next", async (t) => {
  const { ownFile, open } = await bench(t);
  const made = await open();
  assert.equal((await stat(ownFile)).mode & 0o777, 0o600);
  assert.equal(await readFile(ownFile, "utf8"), formatMasterKeys(made.keys));
  const again = await open();
  assert.deepEqual([again.source, again.keys[0]?.id, again.keys.length], ["own", made.keys[0]?.id, 1]);
});

test("a lost file is not made anew over what it has sealed", async (t) => {
  const { ownFile, open } = await bench(t);
  assert.deepEqual((await open({}, false)).keys, []);
  await assert.rejects(stat(ownFile), { code: "ENOENT" });
});

test("a file that others can read is refused, with what to do", async (t) => {
  const { directory, ownFile, open } = await bench(t);
  await open();
  for (const mode of [0o640, 0o604, 0o644]) {
    await chmod(ownFile, mode);
    await assert.rejects(open(), /others can read it .*chmod 600/);
  }
  const file = join(directory, "keys");
  await writeFile(file, text(), { mode: 0o644 });
  await assert.rejects(open({ file }), /others can read it/);
  await assert.rejects(open({ file: join(directory, "none") }), /does not exist/);
});

test("a broken source is refused, and no later one takes its place", async (t) => {
  const { ownFile, open } = await bench(t);
  await assert.rejects(open({ text: "nonsense" }), /^Error: TIJOLO_MASTER_KEYS: line 1/);
  await writeFile(ownFile, "nonsense", { mode: 0o600 });
  await assert.rejects(open(), /line 1 is not a master key/);
});
