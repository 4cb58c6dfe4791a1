/** Tests static sites through a real HAProxy before a real nginx. */

import assert from "node:assert/strict";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import type { CarriedVisit, CarriedVisits, SiteRoute } from "@tijolo/protocol";
import { VisitRing } from "../../../central/gateway/src/visits/visit-ring.ts";
import { HaproxyFixture, projectIdOf } from "../../gateway/haproxy-fixture.ts";
import { haproxyOf } from "../../support/machine/haproxy.ts";
import { until } from "../../support/until.ts";
import { StaticHost } from "../support/statics/static-host.ts";

interface Way extends AsyncDisposable {
  host: StaticHost;
  fixture: HaproxyFixture;
  /** Leads visitors of a name to nginx, whether it serves the site or not. */
  lead(name: string, change?: Partial<SiteRoute>): Promise<void>;
}

async function open(t: TestContext): Promise<Way | undefined> {
  const argv = await haproxyOf(t);
  if (argv === undefined) return undefined;
  const host = await StaticHost.create();
  const fixture = await HaproxyFixture.create(argv);
  const near = { address: host.address, port: 80, runNumber: 1, isStatic: true };
  return {
    host,
    fixture,
    lead: (name, change) => fixture.site(name, 80, { near, ...change }),
    async [Symbol.asyncDispose]() {
      await fixture[Symbol.asyncDispose]();
      await host[Symbol.asyncDispose]();
    },
  };
}

test("a visit goes straight to the files, of the site that its name says and no other", async (t) => {
  await using way = await open(t);
  if (way === undefined) return;
  const { host, fixture, lead } = way;
  for (const name of ["one", "two"]) {
    await host.serve(name, await host.version(name, { "index.html": `page of ${name}` }));
    await lead(name);
  }
  const madeUp = { "x-tijolo-site": projectIdOf("two"), x_tijolo_site: projectIdOf("two") };
  const answer = await fixture.get("one", "/", { headers: madeUp });
  assert.deepEqual([answer.status, answer.body], [200, "page of one"]);
  assert.deepEqual([answer.headers.server, answer.headers["cache-control"]], [undefined, "no-cache"]);
  const etag = String(answer.headers["etag"]);
  assert.equal((await fixture.get("one", "/", { headers: { "if-none-match": etag } })).status, 304);
  const post = await fixture.get("one", "/", {
    method: "POST",
    body: "x",
    headers: { "content-length": "1" },
  });
  assert.deepEqual([post.status, post.headers.allow], [405, "GET, HEAD"]);
  assert.equal(fixture.pageVisits.length, 0, "nothing else was needed");
});

test("a missing file gets the site's own page, or ours as HTML or JSON, without another program", async (t) => {
  await using way = await open(t);
  if (way === undefined) return;
  const { host, fixture, lead } = way;
  await host.serve("one", await host.version("one", { "index.html": "home" }));
  await host.serve("two", await host.version("two", { "404.html": "own page" }));
  for (const name of ["one", "two"]) await lead(name);
  const html = await fixture.get("one", "/none", { headers: { accept: "text/html, application/json" } });
  assert.deepEqual([html.status, html.headers["x-content-type-options"]], [404, "nosniff"]);
  assert.match(html.body, /<!doctype html>[^]*não tem esta página/);
  assert.match(String(html.headers["content-security-policy"]), /default-src 'none'/);
  for (const accept of ["application/json", "application/problem+json"]) {
    const json = await fixture.get("one", "/none", { headers: { accept } });
    const { code, message, messageEn } = JSON.parse(json.body) as Record<string, string>;
    assert.deepEqual([json.status, code, Boolean(message && messageEn)], [404, "file_not_found", true]);
    assert.equal(json.headers["content-type"], "application/json; charset=utf-8");
  }
  const own = await fixture.get("two", "/none", { headers: { accept: "application/json" } });
  assert.deepEqual([own.status, own.body], [404, "own page"]);
  assert.equal(own.headers["x-tijolo-failure"], undefined);
  assert.equal(fixture.pageVisits.length, 0);
  for (const name of ["one", "two"]) await lead(name, { hasMissingPage: true });
  assert.equal((await fixture.get("one", "/none")).body, "pages", "central has a page of the site's");
  assert.equal((await fixture.get("two", "/none")).body, "own page", "its files go first");
  assert.equal((await fixture.get("one")).body, "home");
  assert.deepEqual(
    fixture.pageVisits.map(({ headers }) => headers["x-tijolo-missing"]),
    [undefined],
  );
});

test("what nginx does not serve, and all while there is no nginx, goes to the pages server", async (t) => {
  await using way = await open(t);
  if (way === undefined) return;
  const { host, fixture, lead } = way;
  await host.serve("one", await host.version("one", { "index.html": "home" }));
  for (const name of ["one", "two"]) await lead(name);
  assert.equal((await fixture.get("two")).body, "pages");
  assert.equal((await fixture.get("one")).body, "home");
  await host.sites[Symbol.asyncDispose](); // an agent that would start another is away
  for (const pid of await host.cgroups.pids("statics")) process.kill(pid, "SIGKILL");
  const startedMs = performance.now();
  assert.equal((await fixture.get("one")).body, "pages");
  assert.ok(performance.now() - startedMs < 2_000);
  assert.deepEqual(
    fixture.pageVisits.map(({ headers }) => headers["x-tijolo-site"]),
    [undefined, undefined],
  );
  await host.open();
  await until(async () => (await fixture.get("one")).body === "home");
});

test("text is compressed by the site's setting; a file that is compressed already goes as it is", async (t) => {
  await using way = await open(t);
  if (way === undefined) return;
  const { host, fixture, lead } = way;
  const text = "words and words ".repeat(60);
  await host.serve("one", await host.version("one", { "short.txt": text, "long.txt": text.repeat(10) }));
  const encodingOf = async (path: string) => {
    const { status, headers } = await fixture.get("one", path, {
      headers: { "accept-encoding": "gzip, br" },
    });
    return [status, headers["content-encoding"]];
  };
  await lead("one");
  assert.deepEqual(
    [await encodingOf("/short.txt"), await encodingOf("/long.txt")],
    [
      [200, "gzip"],
      [200, "br"],
    ],
  );
  await lead("one", { isCompressed: false });
  assert.deepEqual(
    [await encodingOf("/short.txt"), await encodingOf("/long.txt")],
    [
      [200, undefined],
      [200, "br"],
    ],
  );
});

test("visits of static sites are counted as those of programs are", async (t) => {
  await using way = await open(t);
  if (way === undefined) return;
  const { host, fixture, lead } = way;
  await host.serve("one", await host.version("one", { "index.html": "home" }));
  await lead("one");
  for (const path of ["/", "/none"]) await fixture.get("one", path);
  const reported: CarriedVisit[] = [];
  const report = async ({ visits }: CarriedVisits) => void reported.push(...visits);
  const socketPath = join(fixture.directory, "run", "api");
  await using _ring = new VisitRing(
    { socketPath, report, savePositions: async () => {}, logger: { warn() {} } },
    {},
  );
  await until(() => reported.length === 2);
  assert.deepEqual(
    reported.map(({ projectId, path, status }) => [projectId, path, status]),
    [
      [projectIdOf("one"), "/", 200],
      [projectIdOf("one"), "/none", 404],
    ],
  );
});
