/** Static sites, served by the ingress: what is found, how it is described, and what is never reached. */

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { findStaticFile } from "../../agent/src/ingress/static-file.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

class SiteDirectory implements AsyncDisposable {
  readonly outside: string;
  readonly root: string;

  constructor(outside: string) {
    this.outside = outside;
    this.root = join(outside, "site");
  }

  static async create(files: Record<string, string>): Promise<SiteDirectory> {
    const directory = new SiteDirectory(await mkdtemp(join(tmpdir(), "gateway-static-")));
    await mkdir(directory.root);
    await writeFile(join(directory.outside, "secret.txt"), "secret");
    for (const [name, text] of Object.entries(files)) {
      await mkdir(join(directory.root, name, ".."), { recursive: true });
      await writeFile(join(directory.root, name), text);
    }
    return directory;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.outside, { recursive: true });
  }
}

const files = {
  "index.html": "<h1>início</h1>",
  "about.html": "about",
  "docs/index.html": "docs",
  "a b%/ç.txt": "spaced",
  "app.js": "let x",
  "data.json": "{}",
  "digits.txt": "0123456789",
  ".env": "TOKEN=secret",
  ".git/config": "secret",
  ".well-known/security.txt": "contact",
};

test("files are found as index.html, by name and without .html, and described with their type", async () => {
  await using fixture = await GatewayFixture.create();
  await using directory = await SiteDirectory.create(files);
  fixture.site("static", { kind: "static", directory: directory.root });
  const expected: [string, string, RegExp][] = [
    ["/", files["index.html"], /^text\/html; charset=utf-8$/i],
    ["/?q=1", files["index.html"], /^text\/html/],
    ["/about", "about", /^text\/html/],
    ["/docs/", "docs", /^text\/html/],
    ["/a%20b%25/%C3%A7.txt", "spaced", /^text\/plain; charset=utf-8$/i],
    ["/app.js", "let x", /javascript; charset=utf-8$/i],
    ["/data.json", "{}", /^application\/json/],
    ["/.well-known/security.txt", "contact", /^text\/plain/],
  ];
  for (const [path, body, type] of expected) {
    const answer = await fixture.get("static", path);
    assert.deepEqual([answer.status, answer.body], [200, body], path);
    assert.match(answer.headers["content-type"] ?? "", type);
  }
  const folder = await fixture.get("static", "/docs?a=b");
  assert.deepEqual([folder.status, folder.headers.location], [308, "/docs/?a=b"]);
  assert.doesNotMatch(String((await fixture.get("static", "//docs")).headers.location), /^\/\//);
  const head = await fixture.get("static", "/digits.txt", { method: "HEAD" });
  assert.deepEqual([head.status, head.headers["content-length"], head.body], [200, "10", ""]);
  const post = await fixture.get("static", "/", { method: "POST", body: "x" });
  assert.deepEqual([post.status, post.headers.allow], [405, "GET, HEAD"]);
});

test("ETags answer 304, ranges answer 206 and 416", async () => {
  await using fixture = await GatewayFixture.create();
  await using directory = await SiteDirectory.create(files);
  fixture.site("static", { kind: "static", directory: directory.root });
  const { etag } = (await fixture.get("static", "/digits.txt")).headers;
  assert.ok(etag);
  const fresh = await fixture.get("static", "/digits.txt", { headers: { "if-none-match": etag } });
  assert.deepEqual([fresh.status, fresh.body], [304, ""]);
  const part = await fixture.get("static", "/digits.txt", { headers: { range: "bytes=2-4" } });
  assert.deepEqual([part.status, part.body, part.headers["content-range"]], [206, "234", "bytes 2-4/10"]);
  const tail = await fixture.get("static", "/digits.txt", { headers: { range: "bytes=-3" } });
  assert.deepEqual([tail.status, tail.body], [206, "789"]);
  const beyond = await fixture.get("static", "/digits.txt", { headers: { range: "bytes=50-" } });
  assert.deepEqual([beyond.status, beyond.headers["content-range"]], [416, "bytes */10"]);
  assert.equal(
    (await fixture.get("static", "/digits.txt", { headers: { "if-match": '"other"' } })).status,
    412,
  );
  const changed = await fixture.get("static", "/digits.txt", {
    headers: { range: "bytes=2-4", "if-range": '"other"' },
  });
  assert.deepEqual([changed.status, changed.body], [200, files["digits.txt"]]);
});

test("a missing page is the site's own 404.html, or else a clear page", async () => {
  await using fixture = await GatewayFixture.create();
  await using directory = await SiteDirectory.create(files);
  fixture.site("static", { kind: "static", directory: directory.root });
  const plain = await fixture.get("static", "/nothing", { headers: { accept: "application/json" } });
  assert.deepEqual([plain.status, JSON.parse(plain.body).code], [404, "file_not_found"]);
  await writeFile(join(directory.root, "404.html"), "own page");
  const own = await fixture.get("static", "/nothing", { headers: { range: "bytes=0-1" } });
  assert.deepEqual(
    [own.status, own.body, own.headers["content-type"]],
    [404, "own page", "text/html; charset=utf-8"],
  );
  const head = await fixture.get("static", "/nothing", { method: "HEAD" });
  assert.deepEqual([head.status, head.body], [404, ""]);
});

test("hidden files, paths that climb and links that lead out are not there", async () => {
  await using fixture = await GatewayFixture.create();
  await using directory = await SiteDirectory.create(files);
  fixture.site("static", { kind: "static", directory: directory.root });
  await symlink("../secret.txt", join(directory.root, "link.txt"));
  await symlink("..", join(directory.root, "up"));
  await symlink("/etc", join(directory.root, "etc"));
  await symlink(".env", join(directory.root, "env.txt"));
  await symlink("digits.txt", join(directory.root, "inside.txt"));
  execFileSync("mkfifo", [join(directory.root, "pipe")]);
  assert.equal(
    (await fixture.get("static", "/inside.txt")).body,
    files["digits.txt"],
    "a link inside the site works",
  );
  const attacks = [
    "/.env",
    "/.git/config",
    "/%2eenv",
    "/docs/../.env",
    "/docs/.well-known/x",
    "/link.txt",
    "/up/secret.txt",
    "/etc/passwd",
    "/env.txt",
    "/../secret.txt",
    "/..%2fsecret.txt",
    "/%2e%2e/secret.txt",
    "/%2e%2e%2fsecret.txt",
    "/docs/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "/..;/secret.txt",
    "//../secret.txt",
    "/%00",
    "/digits.txt%00.html",
    "/%",
    "/%ff",
    "/%c0%ae%c0%ae/secret.txt",
    "/pipe",
    "/digits.txt/",
    `/${"a/".repeat(3_000)}`,
  ];
  for (const path of attacks) {
    const answer = await fixture.get("static", path);
    assert.equal(answer.status, 404, path);
    assert.doesNotMatch(answer.body, /secret|root:/, path);
  }
});

test("the project's own svc.json is not served, one in a folder or of a served folder is", async () => {
  await using fixture = await GatewayFixture.create();
  await using directory = await SiteDirectory.create({
    "svc.json": "secret",
    "docs/svc.json": "doc",
    "svc.json.html": "page",
  });
  await symlink("svc.json", join(directory.root, "config.json"));
  const code = directory.root;
  fixture.site("static", { kind: "static", directory: code, hidden: "svc.json" });
  for (const path of [
    "/svc.json",
    "/svc%2Ejson",
    "//svc.json",
    "/./svc.json",
    "/docs/../svc.json",
    "/config.json",
  ]) {
    const answer = await fixture.get("static", path);
    assert.doesNotMatch(answer.body, /secret/, path);
  }
  assert.equal((await fixture.get("static", "/config.json")).status, 404);
  assert.equal((await fixture.get("static", "/docs/svc.json")).body, "doc");
  fixture.site("folder", { kind: "static", directory: join(code, "docs") });
  assert.equal((await fixture.get("folder", "/svc.json")).body, "doc");
});

test("a file that is swapped for a link while it is served gives nothing from outside", async () => {
  await using fixture = await GatewayFixture.create();
  await using directory = await SiteDirectory.create({ "page.txt": "fine" });
  fixture.site("static", { kind: "static", directory: directory.root });
  const page = join(directory.root, "page.txt");
  let isOver = false;
  const swapping = (async () => {
    for (let turn = 0; !isOver; turn++) {
      const next = join(directory.outside, "next");
      if (turn % 2 === 0) await symlink(join(directory.outside, "secret.txt"), next);
      else await writeFile(next, "fine");
      await rename(next, page);
      if (turn % 2 === 1) await delay(Math.random() * 3);
    }
  })();
  const counts = new Map<string, number>();
  for (let turn = 0; turn < 300; turn++) {
    const body = await fixture.get("static", "/page.txt").then(
      (answer) => (answer.status === 200 ? answer.body : "refused"),
      () => "broken off",
    );
    counts.set(body, (counts.get(body) ?? 0) + 1);
  }
  isOver = true;
  await swapping;
  assert.equal(counts.get("secret"), undefined);
  assert.ok(
    (counts.get("fine") ?? 0) > 0 && (counts.get("refused") ?? 0) + (counts.get("broken off") ?? 0) > 0,
    JSON.stringify([...counts]),
  );
});

test("a root that is itself a link is followed, and a missing one is an empty site", async () => {
  await using directory = await SiteDirectory.create(files);
  const link = join(directory.outside, "current");
  await symlink("site", link);
  assert.equal((await findStaticFile({ directory: link }, "/app.js")).kind, "file");
  assert.equal((await findStaticFile({ directory: join(directory.outside, "none") }, "/")).kind, "missing");
});
