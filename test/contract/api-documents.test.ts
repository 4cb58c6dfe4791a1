/** Tests the description of the interface as central serves it: for programs, for people, for editors. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, before, test } from "node:test";
import { gunzipSync } from "node:zlib";
import { errorCodes, openApiDocument, operationNames, operations } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { RawHttp } from "../support/requests/raw-http.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0, hasRealLimits: true });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
});

const get = (path: string, headers: Record<string, string> = {}) =>
  apiRequest(cluster.centralUrl, { method: "GET", path: `/api${path}`, headers });

test("the served document is the table's, with the address that was called", async () => {
  const { json, headers } = await get("/openapi.json");
  const expected = openApiDocument({ baseUrl: `${cluster.centralUrl}/api`, sessionCookie: "tijolo-session" });
  assert.deepEqual(json, expected);
  assert.equal(headers.get("access-control-allow-origin"), "*");
});

test("an address that is none does not get into the document", async () => {
  const called = async (host: string) => {
    using http = await RawHttp.open(cluster.centralUrl);
    await http.send(`GET /api/openapi.json HTTP/1.1\r\nHost: ${host}\r\n\r\n`);
    return JSON.parse((await http.answer()).body) as { servers: unknown };
  };
  assert.deepEqual((await called("tijolo.dev:8443")).servers, [{ url: "http://tijolo.dev:8443/api" }]);
  assert.deepEqual((await called("[::1]:80")).servers, [{ url: "http://[::1]:80/api" }]);
  for (const host of ['a"><script>', "a/b", "a b", "a?b", "user@host"]) {
    assert.deepEqual((await called(host)).servers, [{ url: `${cluster.central.panelUrl}/api` }], host);
  }
});

test("a document that the caller has is not sent again", async () => {
  for (const path of ["/openapi.json", "/docs", "/svc.schema.json"]) {
    const first = await get(path);
    const etag = first.headers.get("etag") ?? "";
    assert.match(etag, /^"[\w-]+"$/, path);
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, "*"]) {
      const { status, text } = await get(path, { "if-none-match": known });
      assert.deepEqual([status, text], [304, ""], `${path} ${known}`);
    }
    const other = await get(path, { "if-none-match": '"other"' });
    assert.deepEqual([other.status, other.text], [200, first.text]);
  }
});

test("a document is compressed for those who can read that, and only for them", async () => {
  const plain = await get("/docs", { "accept-encoding": "identity" });
  assert.equal(plain.headers.get("content-encoding"), null);
  for (const refused of ["gzip;q=0", "br", "xgzip"]) {
    assert.equal(
      (await get("/docs", { "accept-encoding": refused })).headers.get("content-encoding"),
      null,
      refused,
    );
  }
  using http = await RawHttp.open(cluster.centralUrl);
  await http.send("GET /api/docs HTTP/1.1\r\nHost: 127.0.0.1\r\nAccept-Encoding: br, gzip;q=0.5\r\n\r\n");
  const answer = await http.answer();
  assert.equal(answer.headers.get("content-encoding"), "gzip");
  const text = gunzipSync(Buffer.from(answer.body, "latin1")).toString();
  assert.equal(text.replaceAll("http://127.0.0.1/api", `${cluster.centralUrl}/api`), plain.text);
});

test("the page loads nothing but itself", async () => {
  const { text, headers } = await get("/docs");
  const policy = headers.get("content-security-policy") ?? "";
  const style = /<style>(.*?)<\/style>/s.exec(text)?.[1] ?? "";
  const digest = createHash("sha256").update(style).digest("base64");
  assert.deepEqual(policy.split("; ").slice(0, 2), ["default-src 'none'", `style-src 'sha256-${digest}'`]);
  assert.ok(style.length > 500);
  assert.doesNotMatch(text, /<script|<img|<link|<iframe|<form|\sstyle=|\son\w+=|@import|url\(/i);
  for (const [, target = ""] of text.matchAll(/href="([^"]*)"/g))
    assert.match(target, /^#|^openapi\.json$|^svc\.schema\.json$/);
});

test("the page has every operation, every error, the plans, and no link that leads nowhere", async () => {
  const { text } = await get("/docs");
  const ids = new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id));
  for (const name of operationNames) {
    assert.ok(ids.has(name), name);
    assert.ok(text.includes(`<code>${operations[name].path}</code>`), operations[name].path);
  }
  for (const code of errorCodes) assert.ok(ids.has(`error-${code}`), code);
  for (const [, target = ""] of text.matchAll(/href="#([^"]+)"/g))
    assert.ok(ids.has(target), `nothing is at #${target}`);
  assert.match(text, /<td>Empresas<\/td>\s*<td>240<\/td>\s*<td>345600<\/td>/);
  assert.match(text, /curl -X PATCH/);
  assert.doesNotMatch(text, /undefined|\[object Object\]|NaN/);
});
