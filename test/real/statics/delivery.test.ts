/**
 * What visitors get of a static site by nginx: the same as by the ingress, which `test/gateway/static-sites.test.ts`
 * and `static-delivery.test.ts` say.
 */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { rename, rm, symlink } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { writeOpenFile } from "../../../agent/src/host/files/open-files.ts";
import { StaticHost } from "../support/statics/static-host.ts";

const script = "let answer = 42; ".repeat(500);
const files = {
  "index.html": `<p>início ${"home ".repeat(500)}`,
  "about.html": "about",
  "docs/index.html": "docs",
  "docs/app/guide.html": "guide",
  "docs.html": "never: the folder comes first",
  "empty/file.txt": "in a folder without a page",
  "a b%/ç.txt": "spaced",
  "app.js": script,
  "data.json": "{}",
  "digits.txt": "0123456789",
  "picture.png": script,
  "assets/index-DiwrgTda.js": script,
  "assets/app-version2.js": "a word",
  "main.3f2a9c1b.css": "p{}",
  "_next/static/x/page.html": "never cached for good",
  "_app/immutable/entry.js": "1",
  ".env": "TOKEN=secret",
  ".git/config": "secret",
  "docs/.hidden": "secret",
  ".well-known/security.txt": "contact",
  ".well-known/.secret": "secret",
};

let host: StaticHost;
before(async () => {
  host = await StaticHost.create();
  const site = await host.version("one", files);
  await host.serve("one", site);
  await host.serve("app", { ...site, isApp: true });
});
after(async () => {
  assert.deepEqual(host.warnings, []);
  await host[Symbol.asyncDispose]();
});

test("files are found as index.html, by name and without .html, and described with their type", async () => {
  const expected: [string, string, RegExp][] = [
    ["/", files["index.html"], /^text\/html; charset=utf-8$/],
    ["/?q=1", files["index.html"], /^text\/html/],
    ["/about", "about", /^text\/html/],
    ["/docs/", "docs", /^text\/html/],
    ["/docs/app/guide", "guide", /^text\/html/],
    ["/a%20b%25/%C3%A7.txt", "spaced", /^text\/plain; charset=utf-8$/],
    ["/a%20b%25%2f%c3%a7.txt", "spaced", /^text\/plain/],
    ["/app.js", script, /javascript; charset=utf-8$/],
    ["/data.json", "{}", /^application\/json/],
    ["/.well-known/security.txt", "contact", /^text\/plain/],
  ];
  for (const [path, body, type] of expected) {
    const answer = await host.get("one", path);
    assert.deepEqual([answer.status, answer.body], [200, body], path);
    assert.match(answer.headers["content-type"] ?? "", type);
    assert.ok(answer.headers.etag && answer.headers["last-modified"], path);
  }
  for (const [path, location] of [
    ["/docs?a=b", "/docs/?a=b"],
    ["//docs", "/docs/"],
    ["/empty", "/empty/"],
  ] as const) {
    const { status, headers } = await host.get("one", path);
    assert.deepEqual([status, headers.location], [308, location]);
  }
  assert.equal((await host.get("one", "/empty/")).status, 404);
  const head = await host.get("one", "/digits.txt", { method: "HEAD" });
  assert.deepEqual([head.status, head.headers["content-length"], head.body], [200, "10", ""]);
  for (const method of ["POST", "OPTIONS", "PUT", "DELETE"]) {
    const { status, headers } = await host.get("one", "/", { method });
    assert.deepEqual([status, headers.allow], [405, "GET, HEAD"], method);
  }
});

test("ETags and times answer 304, ranges answer 206 and 416", async () => {
  const get = (headers: Record<string, string>) => host.get("one", "/digits.txt", { headers });
  const { etag = "", "last-modified": changed = "" } = (await get({})).headers;
  for (const headers of [{ "if-none-match": etag }, { "if-modified-since": changed }]) {
    const fresh = await get(headers);
    assert.deepEqual([fresh.status, fresh.body], [304, ""]);
  }
  const part = await get({ range: "bytes=2-4" });
  assert.deepEqual([part.status, part.body, part.headers["content-range"]], [206, "234", "bytes 2-4/10"]);
  assert.deepEqual([(await get({ range: "bytes=-3" })).body], ["789"]);
  const beyond = await get({ range: "bytes=50-" });
  assert.deepEqual([beyond.status, beyond.headers["content-range"]], [416, "bytes */10"]);
  assert.equal((await get({ "if-match": '"other"' })).status, 412);
  const other = await get({ range: "bytes=2-4", "if-range": '"other"' });
  assert.deepEqual([other.status, other.body], [200, files["digits.txt"]]);
  assert.equal((await get({ range: "bytes=0-1,3-4" })).status, 200, "one range at a time");
});

test("a compressed file goes to those who accept it, with an ETag of its own", async () => {
  const etags = new Set<string | undefined>();
  for (const [accepted, encoding] of [
    ["gzip, deflate, br", "br"],
    ["gzip", "gzip"],
    ["br;q=0, gzip;q=0.1", "gzip"],
    ["br; q=0.0, *", "gzip"],
    ["*", "br"],
    ["*;q=0", undefined],
    ["abr, xgzip", undefined],
    ["identity", undefined],
    [undefined, undefined],
  ] as const) {
    const headers: Record<string, string> = accepted === undefined ? {} : { "accept-encoding": accepted };
    const answer = await host.get("one", "/app.js", { headers });
    assert.deepEqual(
      [answer.status, answer.headers["content-encoding"], answer.headers.vary],
      [200, encoding, "accept-encoding"],
      accepted,
    );
    assert.match(answer.headers["content-type"] ?? "", /javascript; charset=utf-8$/);
    const decode = { br: brotliDecompressSync, gzip: gunzipSync, plain: (bytes: Buffer) => bytes };
    assert.equal(decode[encoding ?? "plain"](answer.bytes).toString(), script, accepted);
    etags.add(answer.headers.etag);
    const again = await host.get("one", "/app.js", {
      headers: { ...headers, "if-none-match": answer.headers.etag ?? "" },
    });
    assert.deepEqual([again.status, again.headers["content-encoding"]], [304, undefined]);
  }
  assert.equal(etags.size, 3, "one of the file and one of each encoding");
  const headers = { "accept-encoding": "br, gzip" };
  for (const path of ["/", "/docs/app/../../"])
    assert.equal((await host.get("one", path, { headers })).headers["content-encoding"], "br", path);
  const part = await host.get("one", "/app.js", { headers: { ...headers, range: "bytes=0-2" } });
  assert.deepEqual([part.status, part.body, part.headers["content-encoding"]], [206, "let", undefined]);
  const picture = await host.get("one", "/picture.png", { headers });
  assert.deepEqual([picture.headers["content-encoding"], picture.headers.vary], [undefined, undefined]);
});

test("a name with a hash is cached for good; all else is asked for each time", async () => {
  const forGood = "public, max-age=31536000, immutable";
  for (const [path, expected] of [
    ["/assets/index-DiwrgTda.js", forGood],
    ["/main.3f2a9c1b.css", forGood],
    ["/_app/immutable/entry.js", forGood],
    ["/_next/static/x/page.html", "no-cache"],
    ["/assets/app-version2.js", "no-cache"],
    ["/app.js", "no-cache"],
    ["/", "no-cache"],
    ["/docs/", "no-cache"],
    ["/picture.png", "no-cache"],
  ] as const) {
    for (const accepted of ["br", "identity"]) {
      const { status, headers } = await host.get("one", path, { headers: { "accept-encoding": accepted } });
      assert.deepEqual([status, headers["cache-control"]], [200, expected], path);
    }
  }
  const missing = await host.get("one", "/assets/index-AbCdEf12.js");
  assert.deepEqual([missing.status, missing.headers["cache-control"]], [404, "no-cache"]);
});

test("an app of one page answers its own addresses with index.html, and missing files with 404", async () => {
  const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
  for (const path of ["/login", "/user/7", "/a.b", "/deep/"])
    assert.equal((await host.get("one", path, { headers: asBrowser })).status, 404, `${path} of no app`);
  for (const path of ["/login", "/user/7?tab=1", "/empty", "/empty/", "/user/ana@example.org"]) {
    const answer = await host.get("app", path, { headers: asBrowser });
    assert.deepEqual(
      [answer.status, answer.body, answer.headers["cache-control"]],
      [200, files["index.html"], "no-cache"],
      path,
    );
    const encoded = await host.get("app", path, { headers: { ...asBrowser, "accept-encoding": "br" } });
    assert.equal(encoded.headers["content-encoding"], "br");
  }
  for (const [path, status, body] of [
    ["/about", 200, "about"],
    ["/docs/", 200, "docs"],
    ["/docs/app/guide", 200, "guide"],
    ["/login", 200, files["index.html"]],
  ] as const) {
    const answer = await host.get("app", path);
    assert.deepEqual([answer.status, answer.body], [status, body], path);
  }
  assert.equal((await host.get("app", "/docs")).headers.location, "/docs/");
  for (const path of ["/assets/old-DiwrgTdb.js", "/missing.png?page=/", "/.env"])
    assert.equal((await host.get("app", path, { headers: { accept: "*/*" } })).status, 404, path);
});

test("a missing page is the site's own 404.html, or one that says whose it is", async () => {
  const none = await host.get("one", "/nothing");
  assert.deepEqual([none.status, none.headers["x-tijolo-failure"]], [404, "file_not_found"]);
  await host.serve("own", await host.version("own", { "404.html": `<p>${"own page ".repeat(300)}` }));
  for (const [path, headers] of [
    ["/nothing", { range: "bytes=0-1", "accept-encoding": "br" }],
    ["/.env", {}],
    ["/.tijolo/404", {}],
  ] as const) {
    const own = await host.get("own", path, { headers });
    assert.equal(own.status, 404);
    assert.match(own.body, /^<p>own page/);
    assert.deepEqual(
      [own.headers["content-type"], own.headers["cache-control"], own.headers["x-tijolo-failure"]],
      ["text/html; charset=utf-8", "no-cache", undefined],
    );
  }
  const head = await host.get("own", "/nothing", { method: "HEAD" });
  assert.deepEqual([head.status, head.body], [404, ""]);
  assert.equal((await host.get("own", "/404")).status, 200, "it is a page, too");
});

test("hidden files, paths that climb and links that lead anywhere are not there", async () => {
  const site = await host.version("links", {
    "index.html": "home",
    "digits.txt": "0123456789",
    ".env": "secret",
  });
  await writeOpenFile(join(host.directory, "secret.txt"), "secret");
  const place = (name: string) => join(site.files, name);
  await symlink("../../secret.txt", place("link.txt"));
  await symlink("../..", place("up"));
  await symlink("/etc", place("etc"));
  await symlink("digits.txt", place("inside.txt"));
  await symlink("/sites", place("sites"));
  execFileSync("mkfifo", ["-m", "666", place("pipe")]);
  await host.serve("links", site);
  const attacks = [
    "/.env",
    "/%2eenv",
    "/.git/config",
    "/docs/../.env",
    "/docs/.well-known/x",
    "/.well-known/../.env",
    "/link.txt",
    "/up/secret.txt",
    "/etc/passwd",
    "/inside.txt",
    "/sites/",
    "/pipe",
    "/digits.txt/",
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "//../secret.txt",
    "/docs/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..;/secret.txt",
    "/%c0%ae%c0%ae/secret.txt",
    "/%00",
    "/digits.txt%00.html",
    "/%",
    "/%ff",
    "/%zz",
    "/a\\..\\b",
    "/.tijolo/404",
    "/files/digits.txt",
    "/trees",
    "/sites",
    "/nginx.conf",
    "/%252e%252e/secret.txt",
    `/${"a/".repeat(3_000)}`,
    `/${"a".repeat(300)}`,
    `/${"%c3%a7".repeat(2_000)}`,
  ];
  for (const path of attacks) {
    const answer = await host.get("links", path);
    assert.ok(answer.status === 404 || answer.status === 400, `${path} ${answer.status}`);
    assert.doesNotMatch(answer.body, /secret|root:|0123|daemon/, path);
  }
});

test("the project's own svc.json is not served, one in a folder or of a served folder is", async () => {
  const site = await host.version("whole", {
    "svc.json": `{"secret":"${"x".repeat(3_000)}"}`,
    "docs/svc.json": "doc",
  });
  await host.serve("whole", { ...site, isWhole: true });
  for (const path of ["/svc.json", "/svc%2Ejson", "//svc.json", "/./svc.json", "/docs/../svc.json"]) {
    const answer = await host.get("whole", path, { headers: { "accept-encoding": "br" } });
    assert.equal(answer.status, 404, path);
  }
  assert.equal((await host.get("whole", "/docs/svc.json")).body, "doc");
  await host.serve("whole", { ...site, files: join(site.files, "docs"), isWhole: false });
  assert.equal((await host.get("whole", "/svc.json")).body, "doc");
});

test("a file that is swapped for a link while it is served gives nothing from outside", async () => {
  const site = await host.version("swapped", { "page.txt": "fine" });
  await writeOpenFile(join(host.directory, "outside.txt"), "secret");
  await host.serve("swapped", site);
  let isOver = false;
  const swapping = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const next = join(site.files, "..", "next");
      if (turn % 2 === 0) await symlink("../../outside.txt", next);
      else await writeOpenFile(next, "fine");
      await rename(next, join(site.files, "page.txt"));
      if (turn % 2 === 1) await delay(Math.random() * 3);
    }
  })();
  const bodies = new Map<string, number>();
  for (let turn = 0; turn < 300 || (turn < 5_000 && bodies.size < 2); turn++) {
    const { status, body } = await host.get("swapped", "/page.txt");
    const key = status === 200 ? body : String(status);
    bodies.set(key, (bodies.get(key) ?? 0) + 1);
  }
  isOver = true;
  await swapping;
  await rm(join(site.files, "..", "next"), { force: true });
  assert.deepEqual(
    [...bodies.keys()].filter((key) => key !== "fine" && key !== "404"),
    [],
  );
  assert.equal(bodies.size, 2, JSON.stringify([...bodies]));
});

test("only the header of a gateway names a site, and only as an id", async () => {
  const ask = (value: string) => host.get("one", "/about", { headers: { "x-tijolo-site": value } });
  for (const value of [
    "",
    "one",
    "..",
    "../trees",
    "0".repeat(25),
    "0".repeat(27),
    "u".repeat(26),
    "%00",
    "x y",
  ])
    assert.equal((await ask(value)).status, 404, value);
  const unknown = await ask("0".repeat(26));
  assert.deepEqual([unknown.status, unknown.body.includes("about")], [503, false]);
});
