/** Archives reach a host over plain HTTP: with its bearer only, resumable, and no longer than its rights. */

import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";

async function setUp(bench: LinkBench, sizeBytes: number) {
  const bytes = randomBytes(sizeBytes);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  const path = join(bench.directory, sha256);
  await writeFile(path, bytes);
  bench.backend.archives.set(sha256, { path, sizeBytes });
  const host = await bench.joinHost();
  const link = bench.connect(host);
  const { bearer } = await until(() => link.bearer());
  const get = (headers: Record<string, string> = {}, hash = sha256) =>
    fetch(`${bench.url}/link/archives/${hash}`, {
      headers: { authorization: `Bearer ${bearer}`, ...headers },
    });
  return { bytes, sha256, host, link, get };
}

test("an archive arrives whole, and in two halves that fit", async () => {
  await using bench = await LinkBench.create();
  const { bytes, sha256, get } = await setUp(bench, 1_000_000);
  const whole = await get();
  assert.equal(whole.status, 200);
  assert.equal(whole.headers.get("etag"), `"${sha256}"`);
  assert.equal(whole.headers.get("accept-ranges"), "bytes");
  assert.deepEqual(Buffer.from(await whole.arrayBuffer()), bytes);

  const rest = await get({ range: "bytes=400000-", "if-range": `"${sha256}"` });
  assert.equal(rest.status, 206);
  assert.equal(rest.headers.get("content-range"), "bytes 400000-999999/1000000");
  assert.deepEqual(Buffer.from(await rest.arrayBuffer()), bytes.subarray(400_000));

  const other = await get({ range: "bytes=400000-", "if-range": '"another"' });
  assert.equal(other.status, 200);
  await other.body?.cancel();
  assert.equal((await get({ range: "bytes=1000000-" })).status, 416);
});

test("without a living bearer, with a token, or for an archive that is not the host's there is nothing", async () => {
  await using bench = await LinkBench.create();
  const { sha256, link, get } = await setUp(bench, 10);
  bench.backend.tokens.add("token");
  assert.equal((await fetch(`${bench.url}/link/archives/${sha256}`)).status, 401);
  for (const value of [
    "Bearer token",
    "Bearer ",
    "Basic x",
    `Bearer ${randomBytes(32).toString("base64url")}`,
  ]) {
    assert.equal((await get({ authorization: value })).status, 401, value);
  }
  assert.equal((await get({}, "b".repeat(64))).status, 404);
  assert.equal((await get({}, "..%2f..%2fetc%2fpasswd")).status, 404);
  assert.equal((await fetch(`${bench.url}/link/archives/`)).status, 401);
  assert.equal((await get()).status, 200);
  await link.close();
  await until(async () => (await get()).status === 401);
});

test("a download that is under way ends with the host's rights, and only so many run at once", async () => {
  await using bench = await LinkBench.create({ maxDownloads: 2 });
  const { host, get } = await setUp(bench, 64 * 1024 * 1024);
  const [first, second] = [await get(), await get()];
  assert.equal((await get()).status, 503);
  bench.backend.keys.delete(host.hostId);
  bench.server.disconnect(host.hostId);
  await assert.rejects(first.arrayBuffer());
  await assert.rejects(second.arrayBuffer());
});

test("central closes although downloads are under way", async () => {
  await using bench = await LinkBench.create();
  const { get } = await setUp(bench, 64 * 1024 * 1024);
  const response = await get();
  await bench.stopCentral();
  await assert.rejects(response.arrayBuffer());
});
