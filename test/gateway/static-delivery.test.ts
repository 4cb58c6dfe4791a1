/**
 * Tests how a static site's files reach its visitors: compressed, cached by their names, and as an app of one
 * page.
 */

import assert from "node:assert/strict";
import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test, type TestContext } from "node:test";
import { brotliCompressSync, brotliDecompressSync, gunzipSync } from "node:zlib";
import { compressSite } from "../../agent/src/sites/compress-site.ts";
import { bytesOf, GatewayFixture, type VisitOptions } from "./gateway-fixture.ts";
import type { IncomingMessage } from "node:http";
import { once } from "node:events";

const script = "let answer = 42; ".repeat(500);
const files = {
  "index.html": `<p>${"home ".repeat(500)}`,
  "about.html": "about",
  "docs/index.html": "docs",
  "docs/app/guide.html": "guide",
  "assets/index-DiwrgTda.js": script,
  "app.js": script,
  "picture.png": script,
};

test("a compressed file goes to those who accept it, with an ETag of its own", async (t) => {
  const { fixture } = await siteOf(t);
  const rows: [accepted: string | undefined, encoding: string | undefined][] = [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["identity", undefined],
    [undefined, undefined],
  ];
  const etags = new Set<string | undefined>();
  for (const [accepted, encoding] of rows) {
    const headers = accepted === undefined ? {} : { "accept-encoding": accepted };
    const answer = await visit(fixture, "/app.js", { headers });
    assert.deepEqual(
      [answer.status, answer.headers["content-encoding"], answer.headers.vary],
      [200, encoding, "accept-encoding"],
      accepted,
    );
    assert.match(answer.headers["content-type"] ?? "", /javascript; charset=utf-8$/i);
    assert.equal(answer.headers["content-length"], String(answer.bytes.length));
    const plain =
      encoding === "br"
        ? brotliDecompressSync(answer.bytes)
        : encoding === "gzip"
          ? gunzipSync(answer.bytes)
          : answer.bytes;
    assert.equal(plain.toString(), script, accepted);
    etags.add(answer.headers.etag);
    const again = await visit(fixture, "/app.js", {
      headers: { ...headers, "if-none-match": answer.headers.etag },
    });
    assert.deepEqual(
      [again.status, again.headers.vary, again.bytes.length, again.headers["content-encoding"]],
      [304, "accept-encoding", 0, undefined],
    );
  }
  assert.equal(etags.size, 3, "one of the file and one of each encoding");
  const page = await visit(fixture, "/", { headers: { "accept-encoding": "br" } });
  assert.deepEqual(
    [page.headers["content-encoding"], page.headers["content-type"]],
    ["br", "text/html; charset=utf-8"],
  );
  const head = await visit(fixture, "/app.js", { method: "HEAD", headers: { "accept-encoding": "br" } });
  assert.deepEqual([head.headers["content-encoding"], head.bytes.length], ["br", 0]);
});

test("a part of a file is of the file itself, and a picture goes as it is", async (t) => {
  const { fixture } = await siteOf(t);
  const headers = { "accept-encoding": "br, gzip" };
  const part = await visit(fixture, "/app.js", { headers: { ...headers, range: "bytes=0-2" } });
  assert.deepEqual(
    [part.status, part.bytes.toString(), part.headers["content-encoding"], part.headers.vary],
    [206, "let", undefined, "accept-encoding"],
  );
  const picture = await visit(fixture, "/picture.png", { headers });
  assert.deepEqual(
    [picture.headers["content-encoding"], picture.headers.vary, picture.bytes.toString()],
    [undefined, undefined, script],
  );
  const small = await visit(fixture, "/about", { headers });
  assert.deepEqual([small.headers["content-encoding"], small.bytes.toString()], [undefined, "about"]);
});

test("a file that is not the site's is not served for being compressed, nor a link in its place", async (t) => {
  const { fixture, site, compressed } = await siteOf(t);
  const headers = { "accept-encoding": "br" };
  await writeFile(join(compressed, "br/only.js"), brotliCompressSync("secret"));
  assert.equal((await visit(fixture, "/only.js", { headers })).status, 404);
  await writeFile(join(dirname(site), "secret.js"), "secret");
  await writeFile(join(site, "linked.js"), "fine");
  await symlink(join(dirname(site), "secret.js"), join(compressed, "br/linked.js"));
  const answer = await visit(fixture, "/linked.js", { headers });
  assert.deepEqual([answer.status, answer.bytes.toString()], [200, "fine"]);
  await rm(compressed, { recursive: true });
  assert.equal((await visit(fixture, "/app.js", { headers })).bytes.toString(), script);
});

test("a name with a hash is cached for good; all else is asked for each time", async (t) => {
  const { fixture } = await siteOf(t);
  const forGood = "public, max-age=31536000, immutable";
  for (const [path, expected] of [
    ["/assets/index-DiwrgTda.js", forGood],
    ["/app.js", "no-cache"],
    ["/", "no-cache"],
    ["/docs/", "no-cache"],
    ["/picture.png", "no-cache"],
  ] as const) {
    for (const accepted of ["br", "identity"]) {
      const { status, headers } = await visit(fixture, path, { headers: { "accept-encoding": accepted } });
      assert.deepEqual([status, headers["cache-control"]], [200, expected], path);
    }
  }
  const missing = await visit(fixture, "/assets/index-AbCdEf12.js");
  assert.equal(missing.status, 404);
  assert.doesNotMatch(missing.headers["cache-control"] ?? "", /max-age=3/);
});

test("an app of one page answers its own addresses with index.html, and missing files with 404", async (t) => {
  const { fixture, site, compressed } = await siteOf(t);
  const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  for (const path of ["/login", "/user/7", "/docs/app/", "/a.b", "/deep/"])
    assert.equal((await visit(fixture, path, { headers: asBrowser })).status, 404, `${path} before`);
  fixture.site("static", { kind: "static", directory: site, compressed, isSpa: true });
  for (const path of ["/login", "/user/7?tab=1", "/docs/app", "/docs/app/", "/user/ana@example.org"]) {
    const answer = await visit(fixture, path, { headers: asBrowser });
    assert.deepEqual(
      [answer.status, answer.bytes.toString(), answer.headers["cache-control"]],
      [200, files["index.html"], "no-cache"],
      path,
    );
    const encoded = await visit(fixture, path, { headers: { ...asBrowser, "accept-encoding": "br" } });
    assert.equal(encoded.headers["content-encoding"], "br");
  }
  for (const [path, status, body] of [
    ["/about", 200, "about"],
    ["/docs", 308, ""],
    ["/docs/", 200, "docs"],
    ["/docs/app/guide", 200, "guide"],
    ["/login", 200, files["index.html"]],
  ] as const) {
    const answer = await visit(fixture, path);
    assert.deepEqual([answer.status, answer.bytes.toString()], [status, body], path);
  }
  for (const path of ["/assets/old-DiwrgTdb.js", "/missing.png", "/.env"])
    assert.equal((await visit(fixture, path, { headers: { accept: "*/*" } })).status, 404, path);
  await writeFile(join(site, "404.html"), "own page");
  assert.equal((await visit(fixture, "/missing.png")).bytes.toString(), "own page");
  assert.equal((await visit(fixture, "/login")).status, 200, "the app shows its own page for it");
});

/** Returns a site whose files lie in a directory of the test, compressed as an install does it. */
async function siteOf(
  t: TestContext,
): Promise<{ fixture: GatewayFixture; site: string; compressed: string }> {
  const place = await mkdtemp(join(tmpdir(), "static-delivery-"));
  const fixture = await GatewayFixture.create();
  t.after(async () => {
    await fixture[Symbol.asyncDispose]();
    await rm(place, { recursive: true });
  });
  const [site, compressed] = [join(place, "site"), join(place, "compressed")];
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(site, name)), { recursive: true });
    await writeFile(join(site, name), text);
  }
  await compressSite(site, compressed, { signal: new AbortController().signal });
  fixture.site("static", { kind: "static", directory: site, compressed });
  return { fixture, site, compressed };
}

async function visit(
  fixture: GatewayFixture,
  path: string,
  options: VisitOptions = {},
): Promise<{ status: number; headers: IncomingMessage["headers"]; bytes: Buffer }> {
  const request = fixture.request("static", path, options);
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, headers: response.headers, bytes: await bytesOf(response) };
}
