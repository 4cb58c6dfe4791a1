import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { saveSetting } from "../db/setting.ts";
import { openDatabase, transact } from "../db/open-database.ts";
import { Epoch } from "./epoch.ts";

const logger = { warn: () => {} };

async function begin(context: { after(work: () => Promise<void>): void }, inDatabase: number) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-epoch-"));
  const { db, ...opened } = await openDatabase(":memory:");
  context.after(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });
  if (inDatabase > 0) await transact(db, (tx) => saveSetting(tx, "epoch", String(inDatabase)));
  const file = join(directory, "epoch");
  const app = { db, logger } as unknown as Parameters<typeof Epoch.begin>[0];
  return {
    start: () => Epoch.begin(app, file),
    setBack: () => transact(db, (tx) => saveSetting(tx, "epoch", "1")),
    file,
  };
}

test("each start is one higher, also when the database is set back beside its file", async (context) => {
  const { start, setBack } = await begin(context, 0);
  assert.deepEqual([(await start()).current, (await start()).current], [1, 2]);
  await setBack();
  assert.equal((await start()).current, 3);
});

test("a central that was not restored does not go above what a host has seen", async (context) => {
  const { start } = await begin(context, 0);
  const epoch = await start();
  assert.equal(await epoch.above("host", 7), 1);
  assert.equal(epoch.current, 1);
});

test("a restored one begins far above, and goes above each host that has seen more, as long as it has not led it", async (context) => {
  const { start, file } = await begin(context, 5);
  const epoch = await start();
  assert.equal(epoch.current, 1_000_005);
  assert.equal(await epoch.above("one", 9), 1_000_005);
  epoch.led("one");
  assert.equal(await epoch.above("two", 1_000_005), 2_000_005, "a tie would leave it open who leads");
  assert.equal(await epoch.above("three", 1_000_007), 2_000_005);
  assert.equal((await readFile(file, "utf8")).trim(), "2000005");
  assert.equal(await epoch.above("four", Number.MAX_SAFE_INTEGER), 2_000_005, "nobody comes that far");
  epoch.led("two");
  assert.equal(await epoch.above("two", 3_000_000), 2_000_005, "another has taken over");
  assert.equal(await epoch.above("five", 3_000_000), 2_000_005, "and leads the others too");
  assert.equal((await start()).current, 2_000_006, "from the next start on it is as any other");
});
