import assert from "node:assert/strict";
import { mkdtempDisposable, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { untilFound } from "./directory-watch.ts";

test("looks do not overlap, however long one takes: what a look does once is done once", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "tijolo-watch-"));
  let looking = 0;
  let most = 0;
  let looks = 0;
  const found = await untilFound(directory.path, 10_000, async () => {
    most = Math.max(most, ++looking);
    looks++;
    await writeFile(join(directory.path, `change-${looks}`), ""); // a change while it looks
    await delay(600); // and the slow look's turn
    looking--;
    return looks < 3 ? undefined : looks;
  });
  assert.equal(found, 3);
  assert.equal(most, 1);
});

test("a look that fails ends the wait with its error", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "tijolo-watch-"));
  await assert.rejects(
    untilFound(directory.path, 10_000, () => Promise.reject(new Error("cannot be read"))),
    /cannot be read/,
  );
});

test("an abort ends the wait with its reason, during the wait and before it", async () => {
  await using directory = await mkdtempDisposable(join(tmpdir(), "tijolo-watch-"));
  const over = new AbortController();
  const wait = () =>
    untilFound(
      directory.path,
      10_000,
      async () => {
        over.abort(new Error("it is over"));
        return undefined;
      },
      over.signal,
    );
  await assert.rejects(wait(), /it is over/);
  await assert.rejects(wait(), /it is over/);
});
