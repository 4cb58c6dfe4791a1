/**
 * Bodies that stall, crawl or never end: what does not move is ended, what moves is taken, and nothing of the
 * rest stays.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { RawHttp, requestHead } from "../support/requests/raw-http.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

/** Milliseconds that a body may stall: short for a test, and long against the pauses of one that moves. */
const stallMs = 1_000;

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create({ apiBounds: { jsonBodyMs: stallMs, uploadIdleMs: stallMs } });
  account = await cluster.createAccount({ plan: "Free", scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

async function beginUpload({ central }: TestCluster, { key }: TestAccount, body: Buffer): Promise<RawHttp> {
  const http = await RawHttp.open(central.url);
  const headers = { ...multipartType, authorization: `Bearer ${key}`, "content-length": String(body.length) };
  await http.send(requestHead("POST", "/api/projects", headers));
  return http;
}

const incoming = ({ directory }: TestCluster) => readdir(join(directory, "central", "objects", "incoming"));

test("an upload that stalls is ended with invalid_request, and leaves nothing", async () => {
  const body = uploadBody(Buffer.alloc(200_000, 1));
  for (const share of [0, 0.0005, 0.5]) {
    using http = await beginUpload(cluster, account, body);
    await http.send(body.subarray(0, Math.floor(body.length * share)));
    const { status, code } = await http.answer();
    assert.deepEqual([status, code], [400, "invalid_request"]);
  }
  await until(async () => (await incoming(cluster)).length === 0);
  assert.deepEqual((await account.client.listProjects()).projects, []);
});

test("an upload that is slow but moves is taken", async () => {
  const body = uploadBody(
    await zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) }),
    { name: "slow" },
  );
  using http = await beginUpload(cluster, account, body);
  const begunMs = performance.now();
  for (let at = 0; at < body.length; at += Math.ceil(body.length / 10)) {
    await http.send(body.subarray(at, at + Math.ceil(body.length / 10)));
    await until(() => performance.now() - begunMs > (at / body.length) * stallMs * 3);
  }
  const answer = await http.answer();
  assert.equal(answer.status, 201, answer.body);
  const { project } = JSON.parse(answer.body) as { project: { id: string } };
  await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
});

test("an upload that moves and never ends is ended at its deadline, which grows with the plan's limit, and leaves nothing", async () => {
  await using own = await TestCluster.create({ apiBounds: { uploadBaseMs: 0, uploadMsPerMb: 60 } });
  const free = await own.createAccount({ plan: "Free" });
  const body = uploadBody(Buffer.alloc(200_000, 1));
  const begunMs = performance.now();
  using http = await beginUpload(own, free, body);
  await http.send(body.subarray(0, 1_000));
  await until(async () => (await incoming(own)).length === 1);
  let sent = 1_000;
  const drip = setInterval(() => void http.send(body.subarray(sent, (sent += 1))), 20);
  try {
    const answer = await http.answer();
    assert.deepEqual([answer.status, answer.code], [400, "invalid_request"]);
    assert.match((JSON.parse(answer.body) as { message: string }).message, /demorou demais/);
    assert.ok(sent > 1_000 && sent < body.length);
    assert.ok(performance.now() - begunMs >= 50 * 60 - 10, "50 MB of the plan Free, 60 ms each");
  } finally {
    clearInterval(drip);
  }
  await until(async () => (await incoming(own)).length === 0);
});

test("a JSON body that stalls is ended", async () => {
  const project = await SimulatedProject.create(account, "sim run", { start: false });
  await project.is("stopped");
  const headers = {
    authorization: `Bearer ${account.key}`,
    "content-type": "application/json",
    "content-length": "1000",
  };
  using http = await RawHttp.open(cluster.central.url);
  await http.send(requestHead("PATCH", `/api/projects/${project.id}`, headers));
  await http.send('{"name":');
  const { status, code } = await http.answer();
  assert.deepEqual([status, code], [400, "invalid_request"]);
});
