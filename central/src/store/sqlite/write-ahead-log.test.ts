import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { WriteAheadLog } from "./write-ahead-log.ts";

/** Makes a log whose disk answers when the test says so. */
function slowLog() {
  const syncs: PromiseWithResolvers<void>[] = [];
  const log = new WriteAheadLog({
    datasync() {
      const sync = Promise.withResolvers<void>();
      syncs.push(sync);
      return sync.promise;
    },
    close: async () => {},
  });
  return { log, syncs };
}

test("who asks while a sync is under way waits for the next, which all of them share", async () => {
  const { log, syncs } = slowLog();
  const told: string[] = [];
  const flush = (name: string) => log.flush().then(() => told.push(name));
  const first = flush("first");
  await nextTurn();
  const others = [flush("second"), flush("third")];
  await nextTurn();
  assert.equal(syncs.length, 1);
  syncs[0]?.resolve();
  await first;
  await nextTurn();
  assert.deepEqual([told, syncs.length], [["first"], 2]);
  syncs[1]?.resolve();
  await Promise.all(others);
  assert.deepEqual([told, syncs.length], [["first", "second", "third"], 2]);
});

test("a sync that failed is told to those who asked, and to all who ask later", async () => {
  const { log, syncs } = slowLog();
  const first = log.flush();
  await nextTurn();
  const second = log.flush();
  syncs[0]?.reject(new Error("EIO"));
  for (const each of [first, second, log.flush()]) await assert.rejects(each, /EIO/);
  assert.equal(syncs.length, 1);
});
