import assert from "node:assert/strict";
import { test } from "node:test";
import { mergeAll } from "./merge-all.ts";

test("every item of every stream comes, a few streams open at a time", async () => {
  let open = 0;
  let most = 0;
  const stream = (name: string) =>
    async function* () {
      most = Math.max(most, ++open);
      for (let index = 0; index < 3; index++) {
        await new Promise((resolve) => setImmediate(resolve));
        yield `${name}${index}`;
      }
      open--;
    };
  const items = await Array.fromAsync(mergeAll(["a", "b", "c", "d", "e"].map(stream), 2));
  assert.deepEqual(
    items.sort(),
    ["a", "b", "c", "d", "e"].flatMap((name) => [0, 1, 2].map((index) => `${name}${index}`)),
  );
  assert.equal(most, 2);
  assert.deepEqual(await Array.fromAsync(mergeAll([], 2)), []);
});

test("a stream that is slow holds up no other; one that fails ends all, and all are returned", async () => {
  const returned: string[] = [];
  const never = async function* () {
    try {
      yield "slow";
      await new Promise(() => {});
    } finally {
      returned.push("slow");
    }
  };
  const quick = async function* () {
    try {
      yield "quick 1";
      yield "quick 2";
      throw new Error("broken");
    } finally {
      returned.push("quick");
    }
  };
  const seen: string[] = [];
  await assert.rejects(
    async () => {
      for await (const item of mergeAll<string>([never, quick], 2)) seen.push(item);
    },
    { message: "broken" },
  );
  assert.deepEqual(seen, ["slow", "quick 1", "quick 2"]);
  assert.deepEqual(returned, ["quick"], "one that waits is asked to return, and does when its own wait ends");
});

test("a reader that leaves closes the streams that wait for it", async () => {
  let isReturned = false;
  const endless = async function* () {
    try {
      for (let index = 0; ; index++) yield index;
    } finally {
      isReturned = true;
    }
  };
  for await (const item of mergeAll([endless], 1)) if (item === 3) break;
  await new Promise((resolve) => setImmediate(resolve));
  assert.ok(isReturned);
});
