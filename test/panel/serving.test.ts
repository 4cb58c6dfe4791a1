/** Tests how central serves the panel: which addresses are its own, encodings, caching, and before it is built. */

import assert from "node:assert/strict";
import { request as httpRequest, type IncomingHttpHeaders } from "node:http";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { after, before, test } from "node:test";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { standInFiles, writeStandInPanel } from "./support/stand-in-panel.ts";

const page = "text/html,application/xhtml+xml,*/*;q=0.8";

let cluster: TestCluster;
before(async () => {
  cluster = await clusterWithPanel();
  await writeStandInPanel(join(cluster.directory, "panel"));
});
after(() => cluster[Symbol.asyncDispose]());

/** Creates a cluster whose panel is looked for in its directory. */
async function clusterWithPanel(): Promise<TestCluster> {
  const created = await TestCluster.create({ hosts: 0 });
  await created.stopCentral();
  created.options.centralSettings = { TIJOLO_PANEL_DIRECTORY: join(created.directory, "panel") };
  await created.startCentral();
  return created;
}

interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  bytes: Buffer;
}

/** Sends the path as it is, without a browser's tidying, and takes the bytes as they come. */
async function get(path: string, headers: Record<string, string> = {}, method = "GET"): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const { hostname, port } = new URL(cluster.centralUrl);
  const request = httpRequest({ hostname, port, path, method, headers, agent: false }, (response) => {
    buffer(response).then(
      (bytes) => resolve({ status: response.statusCode ?? 0, headers: response.headers, bytes }),
      reject,
    );
  });
  request.on("error", reject).end();
  return promise;
}

test("the document stands for each page, with the policy, and is confirmed by its tag", async () => {
  for (const path of ["/", "/projects", "/projects/x/logs?section=run", "/apis", "/linked", "/index.html"]) {
    const { status, headers, bytes } = await get(path, { accept: page });
    assert.deepEqual([status, bytes.toString()], [200, standInFiles["index.html"]], path);
    assert.equal(headers["content-type"], "text/html; charset=utf-8");
    assert.equal(headers["cache-control"], "no-cache");
    const policy = headers["content-security-policy"] ?? "";
    assert.match(String(policy), /^default-src 'none'; script-src 'self';.*trusted-types tijolo-worker$/);
    assert.doesNotMatch(String(policy), /unsafe/);
    assert.equal(headers["referrer-policy"], "no-referrer");
    assert.equal(headers["x-content-type-options"], "nosniff");
    assert.equal(headers["cross-origin-opener-policy"], "same-origin");
    const again = await get(path, { accept: page, "if-none-match": headers.etag ?? "" });
    assert.deepEqual([again.status, again.bytes.length], [304, 0]);
    assert.equal(again.headers.etag, headers.etag);
  }
});

test("a file comes in the best form that the client takes, each form with its own tag", async () => {
  const path = "/assets/main-a1.js";
  const text = standInFiles["assets/main-a1.js"];
  const plain = await get(path);
  const br = await get(path, { "accept-encoding": "gzip, deflate, br, zstd" });
  const gzip = await get(path, { "accept-encoding": "gzip, br;q=0" });
  assert.deepEqual(
    [plain, br, gzip].map(({ headers }) => headers["content-encoding"]),
    [undefined, "br", "gzip"],
  );
  assert.equal(plain.bytes.toString(), text);
  assert.equal(brotliDecompressSync(br.bytes).toString(), text);
  assert.equal(gunzipSync(gzip.bytes).toString(), text);
  assert.equal(new Set([plain, br, gzip].map(({ headers }) => headers.etag)).size, 3);
  for (const { headers } of [plain, br, gzip]) {
    assert.equal(headers["cache-control"], "public, max-age=31536000, immutable");
    assert.equal(headers["content-type"], "text/javascript; charset=utf-8");
    assert.equal(headers.vary, "accept-encoding");
  }
  const head = await get(path, {}, "HEAD");
  assert.deepEqual(
    [head.status, head.headers["content-length"], head.bytes.length],
    [200, String(Buffer.byteLength(text)), 0],
  );
  const icon = await get("/favicon.svg");
  assert.deepEqual(
    [icon.headers["content-type"], icon.headers["cache-control"]],
    ["image/svg+xml; charset=utf-8", "no-cache"],
  );
});

test("what is neither a file nor asked for as a page leads nowhere, as without a panel", async () => {
  const nowhere: [path: string, headers: Record<string, string>, method?: string][] = [
    ["/nothing", {}],
    ["/nothing", { accept: "*/*" }],
    ["/assets/old-a0.js", { accept: page }],
    ["/assets/main-a1.js.br", {}],
    ["/assets/../index.html", {}],
    ["/assets/%2e%2e/index.html", {}],
    ["//index.html", {}],
    ["/../central/config", {}],
    ["/", { accept: page }, "POST"],
    ["/api", { accept: page }],
    ["/api/", { accept: page }],
    ["/api/nothing", { accept: page }],
    ["/api/cluster/nothing", { accept: page }],
  ];
  for (const [path, headers, method] of nowhere) {
    const { status, bytes } = await get(path, headers, method);
    assert.equal(status, 404, path);
    assert.equal((JSON.parse(bytes.toString()) as { code: string }).code, "not_found", path);
  }
  assert.equal((await get("/link/nothing", { accept: page })).status, 404);
});

test("until it is built, a page without a script says so in both languages and reloads itself", async () => {
  await using other = await clusterWithPanel();
  const ask = (headers: Record<string, string>) => fetch(other.centralUrl, { headers });
  const portuguese = await ask({ accept: page });
  const text = await portuguese.text();
  assert.deepEqual([portuguese.status, portuguese.headers.get("retry-after")], [503, "2"]);
  assert.match(text, /<html lang="pt-BR">[^]*<meta http-equiv="refresh" content="2" \/>[^]*preparado/);
  assert.doesNotMatch(text, /<script|style="/);
  assert.match(await (await ask({ accept: page, "accept-language": "en" })).text(), /being prepared/);
  assert.equal((await ask({ accept: "application/json" })).status, 404);
  await writeStandInPanel(join(other.directory, "panel"));
  const built = await ask({ accept: page });
  assert.deepEqual([built.status, await built.text()], [200, standInFiles["index.html"]]);
});
