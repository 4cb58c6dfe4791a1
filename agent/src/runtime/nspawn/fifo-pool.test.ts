import assert from "node:assert/strict";
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../../../../test/support/until.ts";
import { fifoNames, FifoPool } from "./fifo-pool.ts";

test("each taker gets fifos of its own, also when many come at once or the pool was cleared", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-fifos-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const pool = await FifoPool.create(join(directory, "pool"));
  const take = async (name: string) => {
    await pool.take(join(directory, name));
    assert.deepEqual((await readdir(join(directory, name))).sort(), [...fifoNames].sort());
    for (const fifo of fifoNames) assert.ok((await stat(join(directory, name, fifo))).isFIFO());
  };
  await Promise.all(Array.from({ length: 30 }, (_, index) => take(`set-${index}`)));
  await (await FifoPool.create(join(directory, "pool"))).close();
  await take("after-clearing");
  await pool.close();
  assert.ok(!(await readdir(directory)).includes("pool"));
});

test("a pool that another agent clears while it is filled is filled all the same", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-fifos-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const place = join(directory, "pool");
  const pool = await FifoPool.create(place);
  for (const ready of await readdir(place)) await rm(join(place, ready), { recursive: true });
  const taken = pool.take(join(directory, "set"));
  const made = await until(async () => (await readdir(place).catch(() => []))[0]);
  await rm(join(place, made), { recursive: true, force: true });
  await taken;
  assert.deepEqual((await readdir(join(directory, "set"))).sort(), [...fifoNames].sort());
  await pool.close();
});

test(
  "a place that is not there is an error, and the fifos stay for the next taker",
  { timeout: 60_000 },
  async (t) => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-fifos-"));
    t.after(() => rm(directory, { recursive: true, force: true }));
    const pool = await FifoPool.create(join(directory, "pool"));
    const ready = await readdir(join(directory, "pool"));
    await assert.rejects(pool.take(join(directory, "missing", "set")), { code: "ENOENT" });
    assert.deepEqual(await readdir(join(directory, "pool")), ready);
    await pool.take(join(directory, "set"));
    assert.equal((await readdir(join(directory, "pool"))).length, ready.length - 1);
    await pool.close();
  },
);
