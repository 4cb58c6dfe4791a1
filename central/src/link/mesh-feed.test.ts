import assert from "node:assert/strict";
import { test } from "node:test";
import type { MeshUpdate } from "@tijolo/protocol";
import { until } from "../../../test/support/until.ts";
import { meshFeed } from "./mesh-feed.ts";

const own = { key: "k", port: 1, range: "10.200.0.0/21" };

/** A feed that is read all the time, of a mesh that tells the host what `now` is. */
function follow() {
  let now: MeshUpdate = { range: null, clashesWith: null, members: [], projects: [], gateways: [] };
  let tell = () => {};
  let reads = 0;
  const told: { update: MeshUpdate; atMs: number }[] = [];
  const end = new AbortController();
  const backend = {
    storeOwn: async () => {},
    setLetIn() {},
    leave() {},
    updateFor() {
      reads += 1;
      return now;
    },
    onChange(_hostId: string, listener: () => void) {
      tell = listener;
      return () => (tell = () => {});
    },
    areNeighbours: () => false,
  };
  const way = { drained: async () => {}, signal: end.signal };
  const feed = meshFeed(backend, { hostId: "h", own, address: null, connection: {} }, way);
  const done = (async () => {
    for await (const update of feed) told.push({ update, atMs: performance.now() });
  })();
  return {
    told,
    reads: () => reads,
    change(clashesWith: string) {
      now = { ...now, clashesWith };
      tell();
    },
    async [Symbol.asyncDispose]() {
      end.abort();
      await done;
    },
  };
}

test("changes at once are one update, the last of them", async () => {
  await using followed = follow();
  await until(() => followed.told.length === 1);
  for (let change = 0; change < 100; change++) {
    followed.change(String(change));
    if (change % 10 === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  await until(() => followed.told.at(-1)?.update.clashesWith === "99");
  assert.ok(followed.told.length <= 3, `${followed.told.length} updates`);
});

test("what was told last is not told again", async () => {
  await using followed = follow();
  await until(() => followed.told.length === 1);
  followed.change("a");
  await until(() => followed.told.length === 2);
  const before = followed.reads();
  followed.change("a");
  await until(() => followed.reads() > before);
  followed.change("b");
  await until(() => followed.told.length === 3);
  assert.equal(followed.told[2]?.update.clashesWith, "b");
});

test("after a large update the next one waits longer", async () => {
  await using followed = follow();
  await until(() => followed.told.length === 1);
  followed.change("x".repeat(400_000));
  await until(() => followed.told.length === 2);
  followed.change("b");
  await until(() => followed.told.length === 3);
  const [, large, next] = followed.told;
  assert.ok((next?.atMs ?? 0) - (large?.atMs ?? 0) >= 399);
});
