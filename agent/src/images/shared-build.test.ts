import assert from "node:assert/strict";
import { test } from "node:test";
import { SharedBuilds } from "./shared-build.ts";

test("callers of one key share one run, and the next call runs again", async () => {
  const builds = new SharedBuilds<number>();
  let runs = 0;
  const work = async () => ++runs;
  assert.deepEqual(await Promise.all([builds.run("a", {}, work), builds.run("a", {}, work)]), [1, 1]);
  assert.equal(await builds.run("a", {}, work), 2);
});

test("one caller that leaves does not abort the work of the other", async () => {
  const builds = new SharedBuilds<string>();
  const gate = Promise.withResolvers<string>();
  const leaving = new AbortController();
  const seen: string[] = [];
  const work = async ({ signal, progress }: { signal: AbortSignal; progress: (line: string) => void }) => {
    const result = await gate.promise;
    progress("half done");
    signal.throwIfAborted();
    return result;
  };
  const first = builds.run("a", { signal: leaving.signal }, work);
  const second = builds.run("a", { onProgress: (line) => seen.push(line) }, work);
  leaving.abort(new Error("left"));
  await assert.rejects(first, /left/);
  gate.resolve("built");
  assert.equal(await second, "built");
  assert.deepEqual(seen, ["half done"]);
});

test("the last caller that leaves aborts the work and waits for its end", async () => {
  const builds = new SharedBuilds<void>();
  const leaving = new AbortController();
  const started = Promise.withResolvers<void>();
  let isCleanedUp = false;
  const build = builds.run("a", { signal: leaving.signal }, async ({ signal }) => {
    started.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    await new Promise(setImmediate);
    isCleanedUp = true;
    throw signal.reason;
  });
  await started.promise;
  leaving.abort(new Error("left"));
  await assert.rejects(build, /left/);
  assert.ok(isCleanedUp);
});

test("a caller that comes while the work is being aborted gets a run of its own", async () => {
  const builds = new SharedBuilds<string>();
  const leaving = new AbortController();
  const started = Promise.withResolvers<void>();
  const first = builds.run("a", { signal: leaving.signal }, async ({ signal }) => {
    started.resolve();
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    throw signal.reason;
  });
  first.catch(() => {});
  await started.promise;
  leaving.abort(new Error("left"));
  assert.equal(await builds.run("a", {}, async () => "fresh"), "fresh");
  await assert.rejects(first, /left/);
});
