/** Tests the gateway's pages for when no project answers. */

import assert from "node:assert/strict";
import { createServer as createTcpServer, type AddressInfo } from "node:net";
import { once } from "node:events";
import { createServer } from "node:http";
import { test } from "node:test";
import type { ProjectStatus } from "../../protocol/src/index.ts";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/until.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

const quick = { headMs: 5_000, hostMs: 100 };

test("each status of a site that is not up has its page, as HTML and as JSON", async () => {
  await using fixture = await GatewayFixture.create();
  const expected: [ProjectStatus, string, boolean][] = [
    ["creating", "site_installing", true],
    ["installing", "site_installing", true],
    ["restarting", "site_starting", true],
    ["stopped", "site_stopped", false],
    ["error", "site_error", false],
    ["crash_loop", "site_crash_loop", false],
  ];
  for (const [status, code, refreshes] of expected) {
    fixture.site("blog", { kind: "process", address: "127.0.0.1", port: 1 }, { status, isRouted: false });
    const page = await fixture.get("blog", "/", { headers: { accept: "text/html,*/*" } });
    assert.equal(page.status, 503, status);
    assert.ok(Number(page.headers["retry-after"]) > 0);
    assert.match(page.headers["content-type"] ?? "", /^text\/html; charset=utf-8$/);
    assert.equal(/http-equiv="refresh"/.test(page.body), refreshes, status);
    assert.match(page.body, new RegExp(`503 · ${code}`));
    assert.ok(page.body.indexOf('lang="pt-BR"') < page.body.indexOf('lang="en"'));
    assert.doesNotMatch(page.body, /<script|https?:\/\//);
    assert.equal(page.headers["cache-control"], "no-store");
    const json = await fixture.get("blog", "/", { headers: { accept: "application/json" } });
    assert.equal(json.status, 503);
    assert.deepEqual([JSON.parse(json.body).status, JSON.parse(json.body).code], ["error", code]);
  }
  const head = await fixture.get("blog", "/", { method: "HEAD" });
  assert.deepEqual([head.status, head.body], [503, ""]);
});

test("a host of whose site nothing is up, nor about to be, has the page of the status shown", async () => {
  await using fixture = await GatewayFixture.create();
  const expected: [ProjectStatus, string][] = [
    ["installing", "site_installing"],
    ["running", "site_starting"],
    ["stopped", "site_stopped"],
    ["error", "site_error"],
  ];
  for (const [status, code] of expected) {
    fixture.site("blog", { kind: "process", address: "127.0.0.1", port: 1 }, { status });
    fixture.targets.delete("project-blog");
    const page = await fixture.get("blog");
    assert.deepEqual([page.status, page.body.includes(`503 · ${code}`)], [503, true], status);
  }
});

test("a page answers an upload without waiting for it", async () => {
  await using fixture = await GatewayFixture.create();
  const small = await fixture.get("nobody", "/", { method: "POST", body: "x".repeat(10_000) });
  assert.equal(small.status, 404);
  const request = fixture.request("nobody", "/", {
    method: "POST",
    headers: { "content-length": "1000000000" },
  });
  request.on("error", () => {});
  request.write("x");
  const [response] = await once(request, "response");
  assert.equal(response.statusCode, 404);
  await once(response.resume(), "close");
});

test("an unknown subdomain is 404, and an address that is no site too", async () => {
  await using fixture = await GatewayFixture.create();
  const page = await fixture.get("nobody");
  assert.deepEqual([page.status, /site_not_found/.test(page.body)], [404, true]);
  assert.equal((await fixture.get("x", "/", { headers: { host: "127.0.0.1" } })).status, 404);
});

test("a host without a tunnel is unreachable, for a WebSocket too", async () => {
  await using fixture = await GatewayFixture.create({ gateway: { times: quick } });
  fixture.site("far", { kind: "process", address: "127.0.0.1", port: 1 }, { hostId: "host-b" });
  const page = await fixture.get("far");
  assert.deepEqual([page.status, /host_unreachable/.test(page.body)], [503, true]);
  assert.match(
    await fixture.raw(
      "GET / HTTP/1.1\r\nHost: far.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    ),
    /^HTTP\/1\.1 503 [^]*host_unreachable/,
  );
});

test("a program that does not listen gets its owner told the port, after a short wait", async () => {
  await using fixture = await GatewayFixture.create({ ingress: { times: { listenMs: 300 } } });
  const port = await freePort();
  fixture.site("deaf", { kind: "process", address: "127.0.0.1", port });
  const startedAt = performance.now();
  const page = await fixture.get("deaf", "/", { method: "POST", body: "x" });
  assert.ok(performance.now() - startedAt >= 290);
  assert.equal(page.status, 502);
  assert.match(page.body, new RegExp(`0\\.0\\.0\\.0[^]*${port}`));
  const json = await fixture.get("deaf", "/", { headers: { accept: "application/json" } });
  assert.deepEqual(
    [JSON.parse(json.body).code, JSON.parse(json.body).port],
    ["app_not_listening", String(port)],
  );
});

test("a visit waits for a program that is about to listen, with its body", async () => {
  await using fixture = await GatewayFixture.create();
  const port = await freePort();
  fixture.site("late", { kind: "process", address: "127.0.0.1", port });
  const visit = fixture.get("late", "/", { method: "POST", body: "x".repeat(300_000) });
  const server = createServer((request, response) => {
    let bytes = 0;
    request.on("data", (chunk: Buffer) => (bytes += chunk.length));
    request.on("end", () => response.end(`got ${bytes}`));
  });
  setTimeout(() => server.listen(port, "127.0.0.1"), 300);
  assert.equal((await visit).body, "got 300000");
  server.closeAllConnections();
  server.close();
});

test("a visit that waits for a program ends when the program is stopped", async () => {
  await using fixture = await GatewayFixture.create();
  fixture.site("gone", { kind: "process", address: "127.0.0.1", port: await freePort() });
  const visit = fixture.get("gone");
  setTimeout(() => fixture.targets.delete("project-gone"), 100);
  const page = await visit;
  assert.deepEqual([page.status, /site_starting/.test(page.body)], [503, true]);
});

test("a program that never answers, breaks off or speaks no HTTP is told apart", async () => {
  await using fixture = await GatewayFixture.create({
    ingress: { times: { headMs: 200 } },
    gateway: { times: quick },
  });
  await fixture.app("silent", () => {});
  const slow = await fixture.get("silent");
  assert.deepEqual([slow.status, /app_timeout/.test(slow.body)], [504, true]);
  await fixture.app("breaks", (request) => request.socket.destroy());
  const broken = await fixture.get("breaks", "/", { method: "POST", body: "x" });
  assert.deepEqual([broken.status, /app_bad_response/.test(broken.body)], [502, true]);
  assert.equal((await fixture.get("breaks")).status, 502);
  const answers = [
    "SSH-2.0-OpenSSH\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    "HTTP/1.1 200 OK\r\nContent-Length: -1\r\n\r\n",
  ];
  for (const answer of answers) {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => socket.end(answer));
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    fixture.site("other", {
      kind: "process",
      address: "127.0.0.1",
      port: (server.address() as AddressInfo).port,
    });
    const page = await fixture.get("other");
    assert.deepEqual([page.status, /app_bad_response/.test(page.body)], [502, true], answer);
    server.close();
  }
});

test("a host whose ingress hangs gives 504, not for ever", async () => {
  await using fixture = await GatewayFixture.create({
    ingress: { times: { headMs: 60_000 } },
    gateway: { times: { headMs: 200 } },
  });
  await fixture.app("silent", () => {});
  assert.equal((await fixture.get("silent")).status, 504);
});

test("one site cannot take every place", async () => {
  await using fixture = await GatewayFixture.create({ gateway: { visitsPerProject: 3 } });
  let held = 0;
  await fixture.app("busy", (_, response) => {
    held += 1;
    response.flushHeaders();
  });
  await fixture.app("calm", (_, response) => response.end("calm"));
  const visits = Array.from({ length: 3 }, () => fixture.request("busy", "/"));
  const responses = visits.map((visit) => once(visit, "response"));
  for (const visit of visits) visit.on("error", () => {}).end();
  await Promise.all(responses);
  assert.equal(held, 3);
  assert.equal((await fixture.get("busy")).status, 503);
  assert.equal((await fixture.get("calm")).body, "calm");
  for (const visit of visits) visit.destroy();
  await until(async () => {
    const again = fixture.request("busy", "/");
    again.on("error", () => {}).end();
    const [response] = await once(again, "response");
    again.destroy();
    return response.statusCode === 200;
  });
});
