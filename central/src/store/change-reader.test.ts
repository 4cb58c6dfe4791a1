import assert from "node:assert/strict";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { until } from "../../../test/support/until.ts";
import { ChangeReader } from "./change-reader.ts";

const logger = { error() {} };

test("a change that comes at any moment of a read is read, too", async () => {
  for (let moments = 0; moments < 15; moments++) {
    let [hasChanged, reads] = [true, 0];
    await using reader = new ChangeReader({
      hasChanged: () => hasChanged,
      async read() {
        hasChanged = false;
        reads += 1;
        if (reads === 1) void change();
      },
      failure: "",
      logger,
    });
    const change = async () => {
      for (let moment = 0; moment < moments; moment++) await Promise.resolve();
      hasChanged = true;
      reader.wake();
    };
    reader.wake();
    await turn();
    assert.deepEqual([hasChanged, reads], [false, 2], `after ${moments} moments`);
  }
});

test("a read that failed is told of and tried again, and none begins after the end", async () => {
  const told: unknown[] = [];
  let [hasChanged, reads] = [true, 0];
  const reader = new ChangeReader({
    hasChanged: () => hasChanged,
    async read() {
      reads += 1;
      if (reads === 1) throw new Error("disk full");
      hasChanged = false;
    },
    failure: "changes could not be read; trying again",
    logger: { error: (...said: unknown[]) => void told.push(said[1]) },
  });
  reader.wake();
  await until(() => !hasChanged);
  assert.deepEqual([told, reads], [["changes could not be read; trying again"], 2]);
  await reader[Symbol.asyncDispose]();
  hasChanged = true;
  reader.wake();
  await turn();
  assert.equal(reads, 2);
});
