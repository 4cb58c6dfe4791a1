/**
 * Uploads that are wrong on the level of multipart, too large, cut, or too many at once: each has its code,
 * and nothing of it stays.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../support/requests/api-request.ts";
import { assertRefused } from "../support/requests/assert-contract.ts";
import { boundary, multipart, multipartType, uploadBody } from "../support/requests/multipart.ts";
import { RawHttp, requestHead } from "../support/requests/raw-http.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Free" });
  const project = await SimulatedProject.create(account, "sim run", { start: false });
  await project.is("stopped");
});
after(() => cluster[Symbol.asyncDispose]());

const post = (
  body: NonNullable<ApiRequest["body"]>,
  headers: Record<string, string> = multipartType,
): Promise<ApiAnswer> =>
  apiRequest(cluster.central.url, {
    method: "POST",
    path: "/api/projects",
    token: account.key,
    headers,
    body,
  });
const goodZip = () => zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) });

/** Returns the head of an upload of so many bytes. */
function uploadHead({ length }: Buffer, { key }: { key: string } = account): string {
  const headers = { ...multipartType, authorization: `Bearer ${key}`, "content-length": String(length) };
  return requestHead("POST", "/api/projects", headers);
}

async function assertNothingStays(): Promise<void> {
  const incoming = join(cluster.directory, "central", "objects", "incoming");
  await until(async () => (await readdir(incoming)).length === 0);
  assert.equal((await account.client.listProjects()).projects.length, 1);
}

test("an upload that is not multipart is unsupported_media_type", async () => {
  for (const headers of [
    { "content-type": "application/json" },
    { "content-type": "application/zip" },
    { "content-type": "multipart/mixed; boundary=x" },
    {},
  ]) {
    assertRefused(await post(await goodZip(), headers), 415, "unsupported_media_type");
  }
  assertRefused(await post("", { "content-type": "multipart/form-data" }), 415, "unsupported_media_type");
  await assertNothingStays();
});

test("a multipart body without a usable file is invalid_request", async () => {
  const zip = await goodZip();
  const bodies: Record<string, Buffer<ArrayBuffer>> = {
    "no parts": multipart([]),
    "no file": multipart([{ name: "language", content: "node" }]),
    "wrong field name": multipart([{ name: "archive", fileName: "bot.zip", content: zip }]),
    "two files": multipart([
      { name: "file", fileName: "a.zip", content: zip },
      { name: "file", fileName: "b.zip", content: zip },
    ]),
    "a second file under another name": multipart([
      { name: "file", fileName: "a.zip", content: zip },
      { name: "more", fileName: "b.zip", content: zip },
    ]),
    "a field twice": multipart([
      { name: "language", content: "node" },
      { name: "language", content: "node" },
      { name: "file", fileName: "a.zip", content: zip },
    ]),
    "a field that is too long": uploadBody(zip, { command: "x".repeat(9 * 1024) }),
    "too many fields": uploadBody(
      zip,
      Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, "x"])),
    ),
    "another boundary": Buffer.from(
      uploadBody(zip).toString("latin1").replaceAll(boundary, "other"),
      "latin1",
    ),
    "no end": multipart([{ name: "file", fileName: "a.zip", content: zip }], { isEnded: false }),
    garbage: Buffer.alloc(100_000, 7),
    empty: Buffer.alloc(0),
  };
  for (const [name, body] of Object.entries(bodies)) {
    const answer = await post(body);
    assert.deepEqual([name, answer.status, answer.code], [name, 400, "invalid_request"]);
  }
  await assertNothingStays();
});

test("an upload over the plan's limit is 413 invalid_zip with limitMb, also for a client that writes all before it reads", async () => {
  const large = uploadBody(Buffer.alloc(51 * 1024 * 1024));
  const answer = await post(large);
  assertRefused(answer, 413, "invalid_zip");
  assert.equal((answer.json as { limitMb: number }).limitMb, 50);
  using http = await RawHttp.open(cluster.central.url);
  await http.send(uploadHead(large));
  await http.send(large);
  assertRefused(await http.answer(), 413, "invalid_zip");
  await assertNothingStays();
});

test("a field that is unknown, or not even a name, is invalid_config", async () => {
  for (const name of ["colour", "n".repeat(200), "__proto__", "constructor", "$schema", ""]) {
    const answer = await post(uploadBody(await goodZip(), { [name]: "x" }));
    assert.deepEqual([name, answer.status, answer.code], [name, 422, "invalid_config"]);
  }
  await assertNothingStays();
});

test("a refusal reaches a client that writes its whole body before it reads", async () => {
  const body = Buffer.alloc(30 * 1024 * 1024);
  using http = await RawHttp.open(cluster.central.url);
  await http.send(uploadHead(body, { key: "svc_wrong" }));
  await http.send(body);
  assertRefused(await http.answer(), 401, "invalid_api_key");
});

test("an upload that is cut in the middle leaves nothing", async () => {
  const body = uploadBody(Buffer.alloc(200_000, 1));
  for (const share of [0.01, 0.5, 0.999]) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(uploadHead(body));
    await http.send(body.subarray(0, Math.floor(body.length * share)));
    if (share === 0.5)
      await until(
        async () => (await readdir(join(cluster.directory, "central", "objects", "incoming"))).length === 1,
      );
    http.socket.resetAndDestroy();
  }
  await assertNothingStays();
});

test("an account has four uploads under way at once, over all its keys; one that ends makes room, and nobody else's count", async () => {
  await using own = await TestCluster.create({ hasRealLimits: true });
  const ana = await own.createAccount();
  const other = await own.createAccount();
  const incoming = join(own.directory, "central", "objects", "incoming");
  const body = uploadBody(Buffer.alloc(200_000, 1));
  using open = new DisposableStack();
  const begin = async (account: { key: string }): Promise<RawHttp> => {
    const http = open.use(await RawHttp.open(own.central.url));
    await http.send(uploadHead(body, account));
    await http.send(body.subarray(0, 100_000));
    return http;
  };
  const underWay: RawHttp[] = [];
  for (const key of [ana.key, ana.key, ana.key, await own.createKey(ana.id, "write")]) {
    underWay.push(await begin({ key }));
    await until(async () => (await readdir(incoming)).length === underWay.length);
    own.clock.advance(3_000);
  }
  const fifth = await (await begin(ana)).answer();
  assertRefused(fifth, 429, "too_many_requests");
  assert.equal(fifth.headers.get("retry-after"), "5");
  await begin(other);
  await until(async () => (await readdir(incoming)).length === 5);
  underWay[0]?.socket.resetAndDestroy();
  await until(async () => (await readdir(incoming)).length === 4);
  await begin(ana);
  await until(async () => (await readdir(incoming)).length === 5);
  own.clock.advance(3_000);
  assertRefused(await (await begin(ana)).answer(), 429, "too_many_requests");
});
