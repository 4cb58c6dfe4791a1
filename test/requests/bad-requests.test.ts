/** Requests that are wrong on the level of HTTP and JSON: each has its code, and takes no effect. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../support/requests/api-request.ts";
import { assertRefused } from "../support/requests/assert-contract.ts";
import { multipartType } from "../support/requests/multipart.ts";
import { RawHttp, requestHead } from "../support/requests/raw-http.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

let cluster: TestCluster;
let account: TestAccount;
let projectId: string;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Free", scopes: ["projects:settings"] });
  const project = await SimulatedProject.create(account, "sim run", { start: false });
  await project.is("stopped");
  projectId = project.id;
});
after(() => cluster[Symbol.asyncDispose]());

const patch = (
  body: NonNullable<ApiRequest["body"]>,
  headers: Record<string, string> = { "content-type": "application/json" },
): Promise<ApiAnswer> =>
  apiRequest(cluster.central.url, {
    method: "PATCH",
    path: `/api/projects/${projectId}`,
    token: account.key,
    headers,
    body,
  });
const patchHead = (headers: Record<string, string>) =>
  requestHead("PATCH", `/api/projects/${projectId}`, { authorization: `Bearer ${account.key}`, ...headers });

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
  const { status } = await patch('{"description":"ok"}', {
    "content-type": "Application/JSON; charset=utf-8",
  });
  assert.equal(status, 200);
});

test("a body that is encoded, or in another charset than UTF-8, is 415, and told what is read", async () => {
  const json = "application/json";
  const refused: [headers: Record<string, string>, body: NonNullable<ApiRequest["body"]>][] = [
    [{ "content-type": json, "content-encoding": "gzip" }, gzipSync('{"name":"x"}')],
    [{ "content-type": json, "content-encoding": "identity, br" }, '{"name":"x"}'],
    [{ "content-type": `${json}; charset=iso-8859-1` }, '{"name":"x"}'],
    [{ "content-type": `${json}; v=1; Charset="UTF-16"` }, Buffer.from('{"name":"x"}', "utf16le")],
    [{ "content-type": "text/plain" }, '{"name":"x"}'],
  ];
  for (const [headers, body] of refused) {
    const answer = await patch(body, headers);
    assertRefused(answer, 415, "unsupported_media_type");
    assert.match(
      (answer.json as { message: string }).message,
      /application\/json.*UTF-8.*Content-Encoding/,
      JSON.stringify(headers),
    );
  }
  for (const headers of [
    { "content-type": `${json};charset="UTF-8"`, "content-encoding": "Identity" },
    { "content-type": `${json} ; charset=utf8` },
  ]) {
    assert.equal((await patch('{"description":"ok"}', headers)).status, 200, JSON.stringify(headers));
  }
  const upload = {
    method: "POST",
    path: `/api/projects/${projectId}/code`,
    token: account.key,
    body: gzipSync("x"),
  };
  const headers = { ...multipartType, "content-encoding": "gzip" };
  assertRefused(await apiRequest(cluster.central.url, { ...upload, headers }), 415, "unsupported_media_type");
});

test("a request without any body is invalid_request, whatever type it names", async () => {
  const headers: Record<string, string>[] = [{}, { "content-length": "0" }, { "content-type": "text/plain" }];
  for (const each of headers) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(patchHead(each));
    assertRefused(await http.answer(), 400, "invalid_request");
  }
  for (const each of [{ "content-length": "2" }, { "transfer-encoding": "chunked" }]) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(patchHead(each));
    assertRefused(await http.answer(), 415, "unsupported_media_type");
  }
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
    '{"name":" \\u200b\\u200d "}',
    '{"name":"a\\u202eb"}',
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
  assertRefused(
    await patch(`{"name":${'{"a":'.repeat(40_000)}1${"}".repeat(40_001)}`),
    400,
    "invalid_request",
  );
});

test("a JSON body that is cut changes nothing", async () => {
  using http = await RawHttp.open(cluster.central.url);
  await http.send(patchHead({ "content-type": "application/json", "content-length": "1000" }));
  await http.send('{"name":"cut');
  http.socket.resetAndDestroy();
  assert.notEqual((await account.client.getProject({ id: projectId })).project.name, "cut");
});

test("requests that are wrong on the level of HTTP get the error body too", async () => {
  const key = `Authorization: Bearer ${account.key}\r\n`;
  const requests: [text: string, status: number, code: string][] = [
    ["NONSENSE\r\n\r\n", 400, "invalid_request"],
    [
      `GET /api/projects HTTP/1.1\r\n${key}Host: a\r\nX: ${"a".repeat(200_000)}\r\n\r\n`,
      400,
      "invalid_request",
    ],
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
    const answer = await http
      .answer()
      .catch((error: unknown) => ({ status: 0, code: String(error), headers: new Map<string, string>() }));
    assert.deepEqual([text.slice(0, 60), answer.status, answer.code], [text.slice(0, 60), status, code]);
    assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9A-Z]{26}$/, text.slice(0, 60));
  }
});

test("a head that is far too large is refused, and the refusal arrives", async () => {
  for (let round = 0; round < 5; round++) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(`GET /api/projects HTTP/1.1\r\nHost: x\r\nX-Huge: ${"x".repeat(400_000)}\r\n\r\n`);
    const answer = await http.answer();
    assertRefused(answer, 400, "invalid_request");
    assert.ok(answer.headers.has("x-request-id"));
    await until(() => http.isOver);
  }
});

test("a client that offers an upgrade or expects what nobody knows is answered as any other", async () => {
  for (const extra of [
    "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
    "Expect: 200-ok",
  ]) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(
      `GET /api/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n${extra}\r\n\r\n`,
    );
    assert.equal((await http.answer()).status, 200, extra);
  }
});

test("a request without a host, or with two, is invalid_request", async () => {
  for (const hosts of ["", "Host: a\r\nHost: b\r\n"]) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(`GET /api/projects HTTP/1.1\r\n${hosts}Authorization: Bearer ${account.key}\r\n\r\n`);
    assertRefused(await http.answer(), 400, "invalid_request");
  }
});

test("what the operators' API refuses a stranger with says nothing of central's insides", async () => {
  for (const [path, code] of [
    ["hosts", "invalid_operator_token"],
    ["nothing", "not_found"],
  ]) {
    const answer = await apiRequest(cluster.central.url, { method: "GET", path: `/api/cluster/${path}` });
    assert.equal(answer.code, code);
    assert.deepEqual(Object.keys(answer.json as object).sort(), ["code", "message", "status"]);
  }
});

test("a body's type that is none is judged after who sends it", async () => {
  const request = {
    method: "PATCH",
    path: `/api/projects/${projectId}`,
    headers: { "content-type": ";" },
    body: "{}",
  };
  assertRefused(await apiRequest(cluster.central.url, request), 401, "invalid_api_key");
  assertRefused(
    await apiRequest(cluster.central.url, { ...request, token: account.key }),
    415,
    "unsupported_media_type",
  );
});

test("a request whose end can be read in two ways is refused, and nothing behind it is taken for another", async () => {
  const smuggled = `GET /api/projects HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${account.key}\r\n\r\n`;
  const ambiguous = [
    "Content-Length: 4\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: chunked\r\nContent-Length: 0",
    "Transfer-Encoding: xchunked",
    "Transfer-Encoding: chunked, identity",
    "Content-Length: 0\r\nContent-Length: 4",
    "Content-Length: +0",
    "Content-Length: 0, 0",
    "Transfer-Encoding : chunked",
  ];
  for (const lines of ambiguous) {
    using http = await RawHttp.open(cluster.central.url);
    await http.send(`POST /api/sign-in HTTP/1.1\r\nHost: x\r\n${lines}\r\n\r\n0\r\n\r\n${smuggled}`);
    assertRefused(await http.answer(), 400, "invalid_request");
    await until(() => http.isOver);
    await assert.rejects(http.answer(), /no answer/, lines);
  }
});

test("who asks for an upgrade and is gone before the refusal ends nothing", async () => {
  const uncaught: Error[] = [];
  const onUncaught = (error: Error) => void uncaught.push(error);
  process.on("uncaughtException", onUncaught);
  try {
    for (const path of ["/link", "/link/tunnel", "/elsewhere", "/api/projects"]) {
      for (let count = 0; count < 20; count++) {
        using http = await RawHttp.open(cluster.central.url);
        await http.send(
          `GET ${path} HTTP/1.1\r\nHost: [[\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`,
        );
        http.socket.resetAndDestroy();
      }
    }
    using http = await RawHttp.open(cluster.central.url);
    await http.send("GET /api/projects HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n");
    assert.equal((await http.answer()).status, 401);
    assert.deepEqual(uncaught, []);
  } finally {
    process.off("uncaughtException", onUncaught);
  }
});
