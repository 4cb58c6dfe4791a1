import assert from "node:assert/strict";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { insertHost } from "../../store/tables/hosts/host.ts";
import { saveSetting } from "../../store/tables/setting.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { transact } from "../../store/store.ts";
import { Epoch } from "./epoch.ts";

const logger = { warn: () => {} };
const dayMs = 24 * 60 * 60 * 1000;
const hosts = ["host", "one", "two", "three", "four", "five"];

async function begin(context: { after(work: () => Promise<void>): void }, inDatabase: number) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-epoch-"));
  const { db, ...opened } = await openDatabase(":memory:");
  context.after(async () => {
    await opened[Symbol.asyncDispose]();
    await rm(directory, { recursive: true });
  });
  await transact(db, async (tx) => {
    for (const id of hosts) await insertHost(tx, { id, name: id, publicKey: id, createdAt: 0 });
    if (inDatabase > 0) await saveSetting(tx, "epoch", String(inDatabase));
  });
  const file = join(directory, "epoch");
  const time = { now: Date.now() };
  const app = { db, logger, clock: { now: () => time.now } } as unknown as Parameters<typeof Epoch.begin>[0];
  const setBack = (values: Record<string, string> = { epoch: "1" }) =>
    transact(db, async (tx) => {
      for (const [name, value] of Object.entries(values)) await saveSetting(tx, name, value);
    });
  return { start: () => Epoch.begin(app, file), setBack, file, time };
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

test("a restored one begins far above, and goes above what each host has seen, as long as it has not led it", async (context) => {
  const { start, file } = await begin(context, 5);
  const epoch = await start();
  assert.equal(epoch.current, 1_000_005);
  assert.equal(await epoch.above("one", 9), 1_000_005);
  await epoch.led("one");
  assert.equal(await epoch.above("two", 1_000_005), 2_000_005, "a tie would leave it open who leads");
  assert.equal(await epoch.above("four", Number.MAX_SAFE_INTEGER), 1_000_005, "nobody comes that far");
  await epoch.led("two");
  assert.equal(await epoch.above("two", 3_000_000), 2_000_005, "another has taken over");
  assert.equal(Number.parseInt(await readFile(file, "utf8"), 10), 1_000_005);
});

test("what one host claims changes nothing for another", async (context) => {
  const { start } = await begin(context, 5);
  const epoch = await start();
  assert.ok((await epoch.above("one", 2 ** 48)) > 2 ** 48);
  assert.equal(epoch.current, 1_000_005, "the hostile host used nothing up");
  await epoch.led("one");
  await epoch.above("one", Number.MAX_SAFE_INTEGER);
  assert.equal(await epoch.above("two", 3_000_000), 4_000_000, "nor did it end what the restore allows");
});

test("a restart forgets neither that central was restored nor what hosts were told; after 30 days it is as any other", async (context) => {
  const { start, time } = await begin(context, 5);
  const epoch = await start();
  assert.equal(await epoch.above("one", 7_000_000), 8_000_000);
  await epoch.led("one");
  const again = await start();
  assert.equal(await again.above("one", 8_000_000), 8_000_001, "one higher with each start, for each host");
  assert.equal(await again.above("two", 7_000_000), 8_000_000);
  time.now += 31 * dayMs;
  const later = await start();
  assert.equal(await later.above("one", 8_000_001), 8_000_002);
  assert.equal(await later.above("three", 7_000_000), later.current);
});

test("a database that is set back within one run of central is noticed by its mark, and leads hosts that were told more", async (context) => {
  const { start, setBack } = await begin(context, 5);
  const epoch = await start();
  await epoch.above("one", 7_000_000);
  await epoch.led("one");
  await epoch.mark();
  await setBack({ epoch_mark: "0" });
  const after = await start();
  assert.equal(after.current, epoch.current + 1);
  assert.equal(await after.above("one", 8_000_000), 9_000_000);
});
