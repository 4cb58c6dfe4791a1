/** Tests that what is believed by its name alone is whole after a power cut, or is made anew. */

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, beforeEach, test } from "node:test";
import { openDatabase } from "../../../central/src/store/sqlite/open-database.ts";
import { findOperatorByHash } from "../../../central/src/store/tables/operators/operator.ts";
import { ensureFirstOperator } from "../../../central/src/app/operators/operator.ts";
import type { AppContext } from "../../../central/src/app/context.ts";
import { hashSecret } from "../../../central/src/app/identity/secret.ts";
import { defaultBounds, InstallCache } from "../../../agent/src/install-cache/install-cache.ts";
import { assertFilterHolds } from "../../../agent/src/host/checks/check-filter.ts";
import { Tools } from "../../../agent/src/host/checks/tools.ts";
import { openLedger, type Ledger } from "../../../agent/src/ledger/ledger.ts";
import { LocalPorts } from "../../../agent/src/runtime/process/local-ports.ts";
import { ProjectLogs } from "../../../agent/src/logs/project-logs.ts";
import { PowerCutDisk } from "../support/disks/power-cut-disk.ts";

const silent = { info() {}, warn() {}, error() {} };
const initScript = join(import.meta.dirname, "../../../agent/src/runtime/nspawn/init.sh");

let disk: PowerCutDisk;
let data: string;
before(async () => {
  disk = await PowerCutDisk.create(512);
});
after(() => disk[Symbol.asyncDispose]());
beforeEach(async () => {
  data = join(disk.path, randomBytes(4).toString("hex"));
  await mkdir(data);
});

/**
 * The power goes right after the agent has written a change to its ledger: that has names on the disk, also
 * of others' files, and no contents.
 */
async function cutAfterLedger(): Promise<void> {
  const ledger: Ledger = openLedger({ path: join(data, "ledger.sqlite"), clock: Date, logger: silent });
  await writeFile(join(data, "witness"), "in memory");
  ledger.setEpoch(7);
  disk.cut();
  ledger.close();
  await disk.startAgain();
  assert.equal(
    (await stat(join(data, "witness"))).size,
    0,
    "the power was cut: a file that was not synced has lost its contents",
  );
}

test("tools that were published before a power cut are those of after it", async () => {
  const open = () => Tools.create({ dataDirectory: data, initScript });
  const { insideDirectory } = await open();
  await cutAfterLedger();
  const tools = await open();
  assert.equal(tools.insideDirectory, insideDirectory);
  const sizes = await Promise.all(
    (await readdir(insideDirectory)).map(async (name) => (await stat(join(insideDirectory, name))).size),
  );
  assert.ok(
    sizes.every((size) => size > 0),
    String(sizes),
  );
  await assertFilterHolds(tools);
});

test("what an agent that was killed has left of its tools is removed; what cannot be is told, and holds up no start", async (t) => {
  const leftovers = ["tree.999999999-1.partial", "inside-0.999999999-2.partial"].map((name) =>
    join(data, "tools", name),
  );
  for (const leftover of leftovers) await mkdir(join(leftover, "etc"), { recursive: true });
  const held = join(leftovers[0] ?? "", "etc");
  execFileSync("mount", ["-t", "tmpfs", "none", held]); // as good as a program that goes on writing there: it cannot be removed
  t.after(() => spawnSync("umount", [held]));
  const told: string[] = [];
  const open = () => Tools.create({ dataDirectory: data, initScript, onLeftover: (text) => told.push(text) });
  await open();
  assert.deepEqual(leftovers.map(existsSync), [true, false]);
  assert.ok(
    told.some((text) => /could not be removed yet/.test(text)),
    told.join("\n"),
  );
  execFileSync("umount", [held]);
  await open();
  assert.deepEqual(leftovers.map(existsSync), [false, false]);
});

test("a kept install that a power cut has torn is not given to anybody", async () => {
  const openCache = (bootId: string) =>
    InstallCache.create({
      directory: join(data, "installs"),
      bounds: { ...defaultBounds, freeBytes: 0 },
      inUse: () => new Set(),
      accounts: () => new Set(["acc_1"]),
      clock: Date,
      bootId,
      logger: silent,
    });
  const key = "a".repeat(64);
  const layer = join(data, "layer");
  await mkdir(layer);
  await writeFile(join(layer, "index.js"), "module.exports = 1;\n");
  const { signal } = new AbortController();
  const kept = await (await openCache("first boot")).keep("acc_1", key, layer, signal);
  assert.ok(kept !== undefined);
  await cutAfterLedger();
  assert.equal((await stat(join(kept.directory, "index.js"))).size, 0, "it is torn");
  await writeFile(join(layer, "index.js"), "module.exports = 2;\n");
  const cache = await openCache("second boot");
  assert.equal(await cache.find("acc_1", key), undefined);
  const again = await cache.keep("acc_1", key, layer, signal);
  assert.equal(await readFile(join(again?.directory ?? "", "index.js"), "utf8"), "module.exports = 2;\n");
});

test("the first operator's token is there when the operator is", async () => {
  const path = join(data, "central.sqlite");
  const file = join(data, "first-operator-token");
  const app = (db: AppContext["db"]) =>
    ({
      db,
      clock: Date,
      random: (bytes: number) => randomBytes(bytes),
      logger: silent,
    }) as unknown as AppContext;
  {
    await using opened = await openDatabase(path);
    await ensureFirstOperator(app(opened.db), file);
    disk.cut();
  }
  await disk.startAgain();
  await using opened = await openDatabase(path);
  await ensureFirstOperator(app(opened.db), file);
  const token = (await readFile(file, "utf8")).trim();
  assert.equal((await findOperatorByHash(opened.db, hashSecret(token), Date.now()))?.name, "first operator");
  assert.equal((await stat(file)).mode & 0o777, 0o600);
});

test("a log's cursors go on after a power cut", async () => {
  const query = { lines: 10 };
  const first = new ProjectLogs({ data, bootId: "first boot", createId: () => "0123456789abcdef" });
  await first.appendSystemLine("p1", "app", "before", new Date());
  await first.readLast("p1", query);
  await cutAfterLedger();
  const logs = new ProjectLogs({ data, bootId: "second boot", createId: () => "fedcba9876543210" });
  await logs.appendSystemLine("p1", "app", "after", new Date());
  const { lines } = await logs.readLast("p1", query);
  await logs.appendSystemLine("p1", "app", "later", new Date());
  const items = logs.follow(
    "p1",
    { ...query, after: lines.at(-1)?.cursor ?? "" },
    AbortSignal.timeout(5_000),
  );
  const { value } = await items.next();
  assert.deepEqual(
    value?.map((item) => (item.type === "line" ? item.text : item.type)),
    ["later"],
  );
});

test("ports of sites are known after a power cut", async () => {
  const open = () => LocalPorts.open(join(data, "ports.json"));
  const port = await (await open()).claim("p1", 0);
  await cutAfterLedger();
  assert.equal((await open()).find("p1"), port);
});
