/**
 * Tests what visitors see where HAProxy itself finds that the program of a site fails: the site's own page or the
 * service's, from the pages server, and without that one a plain page. No visit is made twice that had an effect.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/until.ts";
import { FailingSites, html, json, type Fault } from "./failing-sites.ts";
import { HaproxyFixture, projectIdOf } from "./haproxy-fixture.ts";

const closes: Fault = (socket) => socket.end();
/** Behaviour of a program once it has read the head of a request, and the status that visitors see. */
const faults: { name: string; status: 502 | 504; fault: Fault }[] = [
  { name: "closes before its answer", status: 502, fault: closes },
  { name: "resets before its answer", status: 502, fault: (socket) => socket.resetAndDestroy() },
  {
    name: "dies within the head of its answer",
    status: 502,
    fault: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Ty"),
  },
  { name: "answers what is no HTTP", status: 502, fault: (socket) => socket.end("SSH-2.0-OpenSSH_9.2\r\n") },
  { name: "says nothing", status: 504, fault: () => {} },
];
const codes = { 502: "app_bad_response", 504: "app_timeout" };
const own = (status: number) => `<!doctype html><p>${`página ${status} `.repeat(5_000)}`;

for (const { name, status, fault } of faults)
  test(`a program that ${name} leaves the page of ${status}, and has a POST once`, async (t) => {
    const argv = await haproxyOf(t);
    if (argv === undefined) return;
    await using sites = await FailingSites.create(argv, { programSilenceMs: 4_000 });
    await sites.add("own", fault);
    await sites.add("none", fault);
    sites.setPage("own", String(status), own(status));
    const post = { method: "POST", body: "a=1" };
    const seen = (method: string) => sites.read.get("own")?.filter((each) => each === method).length;
    const [page, ours, asJson, head, posted, postedJson] = await Promise.all([
      sites.get("own", { headers: html }),
      sites.get("none", { headers: html }),
      sites.get("own", { headers: json }),
      sites.get("own", { headers: html, method: "HEAD" }),
      sites.get("own", { headers: html, ...post }),
      sites.get("none", { headers: json, ...post }),
    ]);
    for (const answer of [page, ours, asJson, head, posted, postedJson]) {
      assert.equal(answer.status, status);
      assert.equal(answer.headers["cache-control"], "no-store");
      assert.equal(answer.headers["x-content-type-options"], "nosniff");
    }
    assert.ok(page.body === own(status) && posted.body === own(status), page.body.slice(0, 300));
    assert.equal(page.headers["content-type"], "text/html; charset=utf-8");
    assert.match(ours.body, new RegExp(`<html lang="pt-BR">[^]*lang="en"[^]*${status} · ${codes[status]}`));
    for (const answer of [asJson, postedJson]) {
      assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
      const { status: word, code, message, messageEn } = JSON.parse(answer.body) as Record<string, string>;
      assert.deepEqual([word, code], ["error", codes[status]]);
      assert.ok(message && messageEn && message !== messageEn);
    }
    assert.deepEqual([head.body, head.headers["content-length"]], ["", page.headers["content-length"]]);
    assert.deepEqual([seen("POST"), seen("GET")], [1, status === 504 ? 2 : 4]);
    assert.deepEqual(sites.carriedByPagesServer(), [], "the pages server has sent the visit on");
  });

test("a program that does not listen leaves the site's page, and one that comes late may fail, too", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv);
  for (const name of ["away", "late"]) {
    await sites.at(name, await freePort());
    sites.setPage(name, "502", own(502));
  }
  const post = { headers: html, method: "POST", body: "a=1" };
  const away = sites.get("away", post);
  const late = sites.get("late", post);
  const lateJson = sites.get("late", { ...post, headers: json });
  setTimeout(() => void sites.startAt("late", closes), 800);
  for (const { status, body } of await Promise.all([away, late]))
    assert.deepEqual([status, body === own(502)], [502, true]);
  assert.equal((JSON.parse((await lateJson).body) as { code: string }).code, "app_bad_response");
  assert.deepEqual(sites.read.get("late"), ["POST", "POST"]);
});

test("without the pages server a plain page says the same", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv, { programSilenceMs: 4_000 });
  await sites.haproxy.serve({ pages: { host: "127.0.0.1", port: await freePort() } });
  await sites.add("broken", closes);
  await sites.add("silent", () => {});
  const visits = await Promise.all([
    sites.get("broken", { headers: html }),
    sites.get("silent", { headers: html, method: "POST", body: "a=1" }),
    sites.get("broken", { headers: json }),
  ]);
  assert.deepEqual(
    visits.map(({ status }) => status),
    [502, 504, 502],
  );
  assert.match(visits[0].body, /<!doctype html>[^]*502 · app_bad_response/);
  assert.match(visits[1].body, /<!doctype html>[^]*504 · app_timeout/);
  assert.match(visits[2].body, /^\{"status":"error","code":"app_bad_response"/);
  assert.deepEqual(
    [sites.read.get("broken"), sites.read.get("silent")],
    [["GET", "GET", "GET", "GET"], ["POST"]],
  );
});

test("a central that does not know failures is not asked, for it would make the visit again", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv);
  const pages = { host: "127.0.0.1", port: sites.haproxy.pagesPort };
  await sites.haproxy.haproxy.serve({ key: "k".repeat(43), pages, api: null });
  await sites.add("broken", closes);
  const { status, body } = await sites.get("broken", { headers: html, method: "POST", body: "a=1" });
  assert.deepEqual([status, /502 · app_bad_response/.test(body)], [502, true]);
  assert.deepEqual([sites.haproxy.pageVisits.length, sites.read.get("broken")], [0, ["POST"]]);
});

test("an upload that HAProxy cannot hold is made once, and has the plain page when it fails", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv);
  await sites.add("broken", closes);
  sites.setPage("broken", "502", own(502));
  const upload = {
    headers: { ...html, "content-length": "100000" },
    method: "POST",
    body: Buffer.alloc(100_000),
  };
  const { status, body } = await sites.get("broken", upload);
  assert.deepEqual(
    [status, /502 · app_bad_response/.test(body), sites.read.get("broken")],
    [502, true, ["POST"]],
  );
});

test("a form whose fields come later than its head has the page; a WebSocket has it, too", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv);
  await sites.add("broken", closes);
  sites.setPage("broken", "502", "<p>da loja");
  const socket = connect(sites.haproxy.port, "127.0.0.1");
  let received = "";
  socket.setEncoding("utf8").on("data", (text: string) => (received += text));
  socket.write("POST / HTTP/1.1\r\nHost: broken.localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\n");
  setTimeout(() => socket.write("a=1"), 300);
  await once(socket, "close");
  assert.match(received, /^HTTP\/1\.1 502 [^]*<p>da loja$/);
  const head =
    "GET / HTTP/1.1\r\nHost: broken.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
  assert.match(await sites.haproxy.raw(head), /^HTTP\/1\.1 502 [^]*<p>da loja$/);
  assert.deepEqual(sites.read.get("broken"), ["POST", "GET"]);
});

test("a program of another host leaves its page, too, and has a POST once", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv);
  await sites.add("broken", closes);
  sites.setPage("broken", "502", own(502));
  const { haproxy } = sites;
  await haproxy.site("broken", haproxy.portOf("broken"), { farHost: projectIdOf("host") });
  await haproxy.map.probeFarHosts();
  const shown = await haproxy.haproxy.api.ask(`show map ${haproxy.haproxy.files.routes}`);
  assert.match(shown, / broken\.localhost far-zip\|/);
  const visits = [{ headers: html }, { headers: html, method: "POST", body: "a=1" }];
  for (const { status, body } of await Promise.all(visits.map((visit) => sites.get("broken", visit))))
    assert.deepEqual([status, body === own(502)], [502, true]);
  assert.deepEqual(sites.read.get("broken")?.sort(), ["GET", "GET", "POST"]);
});

test("each visit is counted once: by the gateway that carried it, or by the pages server", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using sites = await FailingSites.create(argv);
  await sites.add("broken", closes);
  await sites.at("away", await freePort());
  const forging = createServer((_, response) => response.writeHead(200, { "x-tijolo-counted": "k" }).end());
  await sites.at("forging", await sites.haproxy.listen(forging));
  const [forged] = await Promise.all(["forging", "broken", "away"].map((name) => sites.get(name)));
  assert.equal(forged?.headers["x-tijolo-counted"], undefined);
  const ring = await until(async () => {
    const lines = (await sites.haproxy.haproxy.api.ask("show events visits")).trim().split("\n");
    return lines.length >= 2 && lines.map((line) => JSON.parse(line) as { project: string; status: number });
  });
  assert.deepEqual(
    ring.map(({ project, status }) => `${project} ${status}`).sort(),
    [`${projectIdOf("broken")} 502`, `${projectIdOf("forging")} 200`].sort(),
  );
  assert.deepEqual(sites.carriedByPagesServer(), ["project-away"]);
});

test("who is no gateway says nothing about failures", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", ({ headers }, response) => response.end(String(headers["x-tijolo-failure"])));
  const headers = { "x-tijolo-failure": "timeout" };
  assert.equal((await fixture.get("shop", "/", { headers })).body, "undefined");
  await using sites = await FailingSites.create(argv);
  await sites.pages.app("shop", (_, response) => response.end("program"));
  assert.equal((await sites.pages.get("shop", "/", { headers })).body, "program");
});
