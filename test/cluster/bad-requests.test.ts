/** Requests that are wrong on the level of HTTP, multipart and JSON: each has its code, and nothing of it stays. */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../support/api-request.ts";
import { boundary, multipart, multipartType, uploadBody } from "../support/multipart.ts";
import { RawHttp } from "../support/raw-http.ts";
import { projectWhen, simulatedBot, TestCluster, type TestAccount } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/zip-of.ts";

const shortMs = 300;

let cluster: TestCluster;
let account: TestAccount;
let projectId: string;
before(async () => {
  cluster = await TestCluster.create({ apiBounds: { jsonBodyMs: shortMs, uploadIdleMs: shortMs } });
  account = await cluster.createAccount({ plan: "Free", scopes: ["projects:settings"] });
  const { project } = await account.client.createProject({ fields: {}, file: await simulatedBot("sim run") });
  projectId = project.id;
  await projectWhen(account.client, projectId, ({ status }) => status === "stopped");
});
after(() => cluster[Symbol.asyncDispose]());

const post = (body: NonNullable<ApiRequest["body"]>, headers: Record<string, string> = multipartType): Promise<ApiAnswer> =>
  apiRequest(cluster.central.url, { method: "POST", path: "/api/projects", token: account.key, headers, body });
const patch = (
  body: NonNullable<ApiRequest["body"]>,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<ApiAnswer> =>
  apiRequest(cluster.central.url, { method: "PATCH", path: `/api/projects/${projectId}`, token: account.key, headers, body });
const goodZip = () => zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) });

async function assertNothingStays(): Promise<void> {
  const incoming = join(cluster.directory, "central", "objects", "incoming");
  await until(async () => (await readdir(incoming)).length === 0);
  assert.equal((await account.client.listProjects()).projects.length, 1);
}

function assertRefused(answer: { status: number; code: string | undefined }, status: number, code: string): void {
  assert.deepEqual([answer.status, answer.code], [status, code]);
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
    "a text field named file": multipart([{ name: "file", content: "text" }]),
    "a field twice": multipart([
      { name: "language", content: "node" },
      { name: "language", content: "node" },
      { name: "file", fileName: "a.zip", content: zip },
    ]),
    "a field that is too long": uploadBody(zip, { command: "x".repeat(9 * 1024) }),
    "too many fields": uploadBody(zip, Object.fromEntries(Array.from({ length: 60 }, (_, index) => [`field${index}`, "x"]))),
    "another boundary": Buffer.from(uploadBody(zip).toString("latin1").replaceAll(boundary, "other"), "latin1"),
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
  await http.send(head("POST", "/api/projects", { ...multipartType, "content-length": String(large.length) }));
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
  const headers = { ...multipartType, authorization: "Bearer svc_wrong", "content-length": String(body.length) };
  using http = await RawHttp.open(cluster.central.url);
  await http.send(head("POST", "/api/projects", headers));
  await http.send(body);
  assertRefused(await http.answer(), 401, "invalid_api_key");
});

test("an upload that is cut in the middle leaves nothing", async () => {
  const body = uploadBody(Buffer.alloc(200_000, 1));
  for (const share of [0.01, 0.5, 0.999]) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(head("POST", "/api/projects", { ...multipartType, "content-length": String(body.length) }));
    await http.send(body.subarray(0, Math.floor(body.length * share)));
    if (share === 0.5) await until(async () => (await readdir(join(cluster.directory, "central", "objects", "incoming"))).length === 1);
    http.socket.resetAndDestroy();
  }
  await assertNothingStays();
});

test("an upload that stalls is ended with invalid_request, and leaves nothing", async () => {
  const body = uploadBody(Buffer.alloc(200_000, 1));
  for (const share of [0, 0.0005, 0.5]) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(head("POST", "/api/projects", { ...multipartType, "content-length": String(body.length) }));
    await http.send(body.subarray(0, Math.floor(body.length * share)));
    assertRefused(await http.answer(shortMs * 10), 400, "invalid_request");
  }
  await assertNothingStays();
});

test("an upload that is slow but moves is taken", async () => {
  const body = uploadBody(await goodZip(), { name: "slow" });
  using http = await RawHttp.open(cluster.central.url);
  await http.send(head("POST", "/api/projects", { ...multipartType, "content-length": String(body.length) }));
  const begunMs = performance.now();
  for (let at = 0; at < body.length; at += Math.ceil(body.length / 10)) {
    await http.send(body.subarray(at, at + Math.ceil(body.length / 10)));
    await until(() => performance.now() - begunMs > (at / body.length) * shortMs * 3);
  }
  const answer = await http.answer();
  assert.equal(answer.status, 201, answer.body);
  const { project } = JSON.parse(answer.body) as { project: { id: string } };
  await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
});

test("a body that is not JSON is 415 by its type and 400 by its text", async () => {
  for (const headers of [
    {},
    { "content-type": "text/plain" },
    multipartType,
    { "content-type": "application/jsonx" },
    { "content-type": ";;" },
  ]) {
    assertRefused(await patch('{"name":"x"}', headers), 415, "unsupported_media_type");
  }
  for (const text of ["", "{", "nope", '{"name":"x"', "\u0000", "[1,2", '{"name":"a"}{"name":"b"}'])
    assertRefused(await patch(text), 400, "invalid_request");
  const { status } = await patch('{"description":"ok"}', { "content-type": "Application/JSON; charset=utf-8" });
  assert.equal(status, 200);
});

test("JSON of the wrong shape is invalid_request", async () => {
  const texts = [
    "null",
    "[]",
    "1",
    '"x"',
    "true",
    "{}",
    '{"nam":"x"}',
    '{"name":1}',
    '{"name":""}',
    `{"name":"${"x".repeat(41)}"}`,
    '{"name":"x","__proto__":{}}',
    '{"constructor":"x"}',
    '{"port":"80"}',
    '{"memoryMb":1.5}',
    '{"systemPackages":["bash"]}',
    '{"description":"a\\u0000b"}',
  ];
  for (const text of texts) assert.deepEqual([text, (await patch(text)).code], [text, "invalid_request"]);
});

test("a JSON body of 10 MB is payload_too_large, and a deeply nested one is invalid_request", async () => {
  assertRefused(await patch(`{"name":"${"x".repeat(10 * 1024 * 1024)}"}`), 413, "payload_too_large");
  assertRefused(await patch(`${"[".repeat(100_000)}${"]".repeat(100_000)}`), 400, "invalid_request");
  assertRefused(await patch(`{"name":${'{"a":'.repeat(40_000)}1${"}".repeat(40_001)}`), 400, "invalid_request");
});

test("a JSON body that stalls or is cut is ended", async () => {
  using http = await RawHttp.open(cluster.central.url);
  await http.send(head("PATCH", `/api/projects/${projectId}`, { "content-type": "application/json", "content-length": "1000" }));
  await http.send('{"name":');
  assertRefused(await http.answer(shortMs * 10), 400, "invalid_request");
  const cut = await RawHttp.open(cluster.central.url);
  await cut.send(head("PATCH", `/api/projects/${projectId}`, { "content-type": "application/json", "content-length": "1000" }));
  await cut.send('{"name":"cut');
  cut.socket.resetAndDestroy();
  assert.notEqual((await account.client.getProject({ id: projectId })).project.name, "cut");
});

test("requests that are wrong on the level of HTTP get the error body too", async () => {
  const key = `Authorization: Bearer ${account.key}\r\n`;
  const requests: [text: string, status: number, code: string][] = [
    ["NONSENSE\r\n\r\n", 400, "invalid_request"],
    [`GET /api/projects HTTP/1.1\r\n${key}Host: a\r\nX: ${"a".repeat(200_000)}\r\n\r\n`, 400, "invalid_request"],
    [`GET /api/projects HTTP/1.1\r\n${key}Host: a\r\nBad Header: x\r\n\r\n`, 400, "invalid_request"],
    [
      `PATCH /api/projects/${projectId} HTTP/1.1\r\n${key}Host: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n`,
      400,
      "invalid_request",
    ],
    [
      `PATCH /api/projects/${projectId} HTTP/1.1\r\n${key}Host: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      400,
      "invalid_request",
    ],
    [`GET /api/projects/%ZZ HTTP/1.1\r\n${key}Host: a\r\n\r\n`, 400, "invalid_request"],
    [`GET /api/projects/${"a".repeat(5_000)} HTTP/1.1\r\n${key}Host: a\r\n\r\n`, 400, "invalid_request"],
    [`GET /api/projects/%00 HTTP/1.1\r\n${key}Host: a\r\n\r\n`, 400, "invalid_request"],
    [`GET /api/nothing HTTP/1.1\r\n${key}Host: a\r\n\r\n`, 404, "not_found"],
    [`BREW /api/projects HTTP/1.1\r\n${key}Host: a\r\n\r\n`, 400, "invalid_request"],
    [`PUT /api/projects HTTP/1.1\r\n${key}Host: a\r\nContent-Length: 0\r\n\r\n`, 404, "not_found"],
  ];
  for (const [text, status, code] of requests) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(text);
    const answer = await http.answer().catch((error: unknown) => ({ status: 0, code: String(error), headers: new Map<string, string>() }));
    assert.deepEqual([text.slice(0, 60), answer.status, answer.code], [text.slice(0, 60), status, code]);
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9A-Z]{26}$/, text.slice(0, 60));
  }
});

function head(method: string, path: string, headers: Record<string, string>): string {
  const lines = Object.entries({ host: "test", authorization: `Bearer ${account.key}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  return `${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n`;
}
