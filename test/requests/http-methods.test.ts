/**
 * Tests which methods an address takes, HEAD beside GET, and how a request without credentials is told how to
 * authenticate.
 */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { operationNames, operations, type Operation } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer } from "../support/requests/api-request.ts";
import { assertErrorBody, assertRefused } from "../support/requests/assert-contract.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let account: TestAccount;
let projectId: string;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["account:read", "activity:read"] });
  const project = await SimulatedProject.create(account, "sim run", { start: false });
  await project.is("stopped");
  projectId = project.id;
});
after(() => cluster[Symbol.asyncDispose]());

const ask = (method: string, path: string, headers: Record<string, string> = {}): Promise<ApiAnswer> =>
  apiRequest(cluster.central.url, { method, path: `/api${path}`, token: account.key, headers });

const told = ({ status, code, headers }: ApiAnswer) => ({ status, code, allow: headers.get("allow") });

test("HEAD is answered as GET, without the body, on every address that takes GET", async () => {
  const reads = operationNames
    .map((name): Operation => operations[name])
    .filter(({ method }) => method === "GET");
  assert.ok(reads.length > 5);
  for (const { path, answer } of reads) {
    const own = path.replace("{id}", projectId) + (answer.kind === "events" ? "?follow=false" : "");
    const [get, head] = [await ask("GET", own), await ask("HEAD", own)];
    const seen = ({ status, headers }: ApiAnswer) =>
      ["content-type", "etag", "ratelimit-limit"].reduce(
        (all, name) => `${all} ${headers.get(name)}`,
        `${status}`,
      );
    assert.deepEqual([path, seen(head), head.text], [path, seen(get), ""]);
  }
});

test("HEAD is counted, and refused by the same checks as GET", async () => {
  const remaining = async () => Number((await ask("HEAD", "/projects")).headers.get("ratelimit-remaining"));
  const first = await remaining();
  assert.ok((await remaining()) < first);
  const stranger = await apiRequest(cluster.central.url, { method: "HEAD", path: "/api/projects" });
  assert.deepEqual([stranger.status, stranger.text], [401, ""]);
  for (const path of [`/projects/${"0".repeat(26)}`, `/projects/${"0".repeat(26)}/logs`])
    assert.equal((await ask("HEAD", path)).status, 404);
  assert.equal((await ask("HEAD", `/projects/${projectId}/logs?lines=1001`)).status, 400);
});

test("HEAD on a log stream tells its type, and opens none", async () => {
  for (let count = 0; count < 7; count++) {
    const { status, headers, text } = await ask("HEAD", `/projects/${projectId}/logs`);
    assert.deepEqual(
      [status, headers.get("content-type"), text],
      [200, "text/event-stream; charset=utf-8", ""],
    );
    assert.equal(headers.get("cache-control"), "no-store");
  }
});

test("a method that an address does not take is not_found, which names those it takes", async () => {
  const cases: [method: string, path: string, allow: string, text: RegExp][] = [
    ["PUT", "/projects", "GET, HEAD, POST", /Este endereço não aceita PUT; aceita GET, HEAD, POST\.$/],
    ["POST", `/projects/${projectId}?x=1`, "GET, HEAD, PATCH, DELETE", /aceita GET, HEAD, PATCH, DELETE\.$/],
    ["GET", `/projects/${projectId}/start`, "POST", /Este endereço não aceita GET; aceita POST\.$/],
    ["HEAD", `/projects/${projectId}/start`, "POST", /^$/],
    ["OPTIONS", "/status", "GET, HEAD", /aceita GET, HEAD\.$/],
  ];
  for (const [method, path, allow, text] of cases) {
    const answer = await ask(method, path);
    assert.deepEqual([method, path, answer.status, answer.headers.get("allow")], [method, path, 404, allow]);
    if (method === "HEAD") continue;
    assertErrorBody(answer);
    assert.equal(answer.code, "not_found");
    assert.match((answer.json as { message: string }).message, text);
  }
  const english = await ask("PUT", "/projects", { "accept-language": "en" });
  assert.match(
    (english.json as { message: string }).message,
    /This address does not take PUT; it takes GET, HEAD, POST\.$/,
  );
});

test("an address that leads nowhere, or lacks an id, is not_found, and says so", async () => {
  const nowhere: [method: string, path: string][] = [
    ["GET", "/nothing"],
    ["GET", "/projects/"],
    ["PATCH", "/projects/"],
    ["GET", "/projects//logs"],
    ["POST", "/projects//start?x=1"],
    ["GET", `/projects/${projectId}/`],
    ["DELETE", "/account/keys/"],
  ];
  for (const [method, path] of nowhere) {
    const answer = await ask(method, path);
    assert.deepEqual(
      [method, path, told(answer)],
      [method, path, { status: 404, code: "not_found", allow: null }],
    );
    assertErrorBody(answer);
    assert.match((answer.json as { message: string }).message, /Não existe nada neste endereço/);
    assert.equal((answer.json as { field?: string }).field, undefined);
  }
  assertRefused(
    await apiRequest(cluster.central.url, { method: "GET", path: "/api/projects/", token: "svc_wrong" }),
    401,
    "invalid_api_key",
  );
});

test("a 401 says how to ask: with a key where one is taken, by a session where only that is", async () => {
  const challenge = async (method: string, path: string, authorization?: string) => {
    const headers: Record<string, string> = authorization === undefined ? {} : { authorization };
    const { status, headers: answered } = await apiRequest(cluster.central.url, {
      method,
      path: `/api${path}`,
      headers,
    });
    assert.equal(status, 401, path);
    return answered.get("www-authenticate");
  };
  assert.equal(await challenge("GET", "/projects"), 'Bearer realm="Tijolo"');
  assert.equal(await challenge("HEAD", "/projects"), 'Bearer realm="Tijolo"');
  assert.equal(await challenge("GET", "/projects", "Basic YTpi"), 'Bearer realm="Tijolo"');
  assert.equal(
    await challenge("GET", "/projects", "Bearer svc_wrong"),
    'Bearer realm="Tijolo", error="invalid_token"',
  );
  assert.equal(
    await challenge("GET", "/nothing", "Bearer svc_wrong"),
    'Bearer realm="Tijolo", error="invalid_token"',
  );
  assert.equal(await challenge("GET", "/account/keys"), 'Session realm="Tijolo"');
  assert.equal((await ask("GET", "/projects")).headers.get("www-authenticate"), null);
});
