/**
 * Tests what visitors may not do: name another host, speak for the gateway, smuggle requests, hold
 * connections open.
 */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { connect } from "node:net";
import { once } from "node:events";
import { test } from "node:test";
import { parseSiteHost } from "../../central/src/pages-server/site-host.ts";
import { ambiguousFramings } from "../support/requests/hostile-conversations.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

test("a Host header means a site only as <subdomain>.localhost or <subdomain>.<site domain>", () => {
  const kindOf = (host: string) => {
    const parsed = parseSiteHost(["Host", host], "sites.example");
    return parsed.kind === "site" ? parsed.subdomain : parsed.kind;
  };
  for (const host of [
    "blog.localhost",
    "blog.localhost:8080",
    "BLOG.LocalHost",
    "blog.localhost.",
    "blog.localhost.:80",
    "blog.sites.example",
    "Blog.Sites.Example.:443",
  ]) {
    assert.equal(kindOf(host), "blog", host);
  }
  for (const host of [
    "localhost",
    "127.0.0.1",
    "127.0.0.1:80",
    "[::1]:80",
    "[::1]",
    "sites.example",
    "a.b.localhost",
    "-a.localhost",
    "a_b.localhost",
  ]) {
    assert.equal(kindOf(host), "unknown", host);
  }
  // Some site's own domain, perhaps: the database knows.
  for (const host of ["blog.localhost.evil.com", "blogsites.example", "WWW.Loja.dev.:80"])
    assert.equal(kindOf(host), "domain", host);
  for (const host of [
    "",
    " ",
    ".",
    "a b.localhost",
    "user@blog.localhost",
    "blog.localhost/x",
    "blog.localhost:port",
    "blog.localhost:1:2",
    "blog.localhost,evil",
    "blóg.localhost",
    "[::1",
  ]) {
    assert.equal(kindOf(host), "invalid", host);
  }
  assert.equal(parseSiteHost([], "sites.example").kind, "invalid");
  assert.equal(
    parseSiteHost(["Host", "a.localhost", "host", "b.localhost"], "sites.example").kind,
    "invalid",
  );
});

test("a wrong, missing or doubled Host reaches no project", async () => {
  await using fixture = await GatewayFixture.create();
  let visits = 0;
  await fixture.app("blog", (_, response) => {
    visits += 1;
    response.end("blog");
  });
  assert.equal((await fixture.get("blog")).body, "blog");
  assert.equal((await fixture.get("evil")).status, 404);
  const end = "Connection: close\r\n\r\n";
  assert.match(await fixture.raw(`GET / HTTP/1.1\r\n${end}`), /^HTTP\/1\.1 400 /);
  assert.match(await fixture.raw(`GET / HTTP/1.0\r\n${end}`), /^HTTP\/1\.1 400 /);
  assert.match(
    await fixture.raw(`GET / HTTP/1.1\r\nHost: blog.localhost\r\nHost: evil.localhost\r\n${end}`),
    /^HTTP\/1\.1 400 /,
  );
  assert.match(
    await fixture.raw(`GET http://evil.localhost/ HTTP/1.1\r\nHost: blog.localhost\r\n${end}`),
    /^HTTP\/1\.1 400 /,
  );
  assert.match(await fixture.raw(`GET evil HTTP/1.1\r\nHost: blog.localhost\r\n${end}`), /^HTTP\/1\.1 400 /);
  assert.equal(visits, 1);
  assert.match(
    await fixture.raw(`GET http://blog.localhost/ HTTP/1.1\r\nHost: blog.localhost\r\n${end}`),
    /^HTTP\/1\.1 200 /,
  );
  assert.match(
    await fixture.raw(`GET / HTTP/1.0\r\nHost: blog.localhost\r\n\r\n`),
    /^HTTP\/1\.1 200 [^]*\r\n\r\nblog$/,
  );
});

test("what a visitor says about itself or for the gateway is dropped, in every spelling", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("echo", (request, response) => response.end(JSON.stringify(request.headers)));
  await fixture.app("victim", (_, response) => response.end("secret"));
  const spoofed = {
    "X-Forwarded-For": "6.6.6.6",
    X_Forwarded_For: "6.6.6.6",
    "X-Forwarded-Proto": "https",
    "X-Forwarded-Host": "evil",
    "X-Forwarded-Port": "1",
    Forwarded: "for=6.6.6.6",
    "X-Real-IP": "6.6.6.6",
    "X-Tijolo-Project": "project-victim",
    X_Tijolo_Project: "project-victim",
    Connection: "keep-alive, X-Hop, X-Forwarded-For, Host",
    "X-Hop": "1",
    "Proxy-Authorization": "Basic x",
    TE: "trailers",
    "X-Kept": "1",
  };
  const answer = await fixture.get("echo", "/", { headers: spoofed });
  const seen = JSON.parse(answer.body) as Record<string, string>;
  assert.equal(seen["x-forwarded-for"], "127.0.0.1");
  assert.equal(seen["x-real-ip"], "127.0.0.1");
  assert.equal(seen["x-forwarded-proto"], "http");
  assert.equal(seen["x-forwarded-host"], `echo.localhost:${fixture.port}`);
  assert.equal(seen["host"], `echo.localhost:${fixture.port}`);
  assert.equal(seen["x-kept"], "1");
  assert.doesNotMatch(answer.body, /6\.6\.6\.6|victim|x-hop|x-tijolo|proxy-auth|evil/i);
});

test("a project can neither speak for the ingress nor see its headers", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("liar", (_, response) => {
    response.writeHead(200, {
      "x-tijolo-failure": "timeout",
      "x-tijolo-port": "1",
      connection: "x-secret-hop",
      "x-secret-hop": "1",
    });
    response.end("mine");
  });
  const answer = await fixture.get("liar");
  assert.deepEqual([answer.status, answer.body], [200, "mine"]);
  assert.doesNotMatch(JSON.stringify(answer.headers), /tijolo|secret-hop/);
});

test("ambiguously framed requests are refused and nothing after them is taken for a request", async () => {
  await using fixture = await GatewayFixture.create();
  const seen: string[] = [];
  await fixture.app("blog", (request, response) => {
    seen.push(`${request.method} ${request.url}`);
    request.resume().on("end", () => response.end("ok"));
  });
  const hidden = "GET /smuggled HTTP/1.1\r\nHost: blog.localhost\r\n\r\n";
  for (const framing of ambiguousFramings) {
    const attack = framing + hidden;
    const answer = await fixture.raw(`POST /front HTTP/1.1\r\nHost: blog.localhost\r\n${attack}`);
    assert.match(answer, /^HTTP\/1\.1 400 /, JSON.stringify(attack));
    assert.equal(answer.match(/HTTP\/1\.1 /g)?.length, 1, JSON.stringify(attack));
  }
  assert.deepEqual(
    seen.filter((line) => line.includes("smuggled")),
    [],
  );
  // A chunked body with a valid frame passes, and only with one framing.
  const fine = await fixture.raw(
    "POST /fine HTTP/1.1\r\nHost: blog.localhost\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
  );
  assert.match(fine, /^HTTP\/1\.1 200 /);
});

test("an upgrade cannot hide a request, and only WebSockets upgrade", async () => {
  await using fixture = await GatewayFixture.create();
  const seen: string[] = [];
  await fixture.app("blog", (request, response) => {
    seen.push(request.url ?? "");
    response.end(request.headers.upgrade ?? "no upgrade");
  });
  const upgrade = "Host: blog.localhost\r\nConnection: Upgrade, HTTP2-Settings\r\n";
  const h2c = await fixture.raw(
    `GET /h2c HTTP/1.1\r\n${upgrade}Upgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n`,
  );
  assert.match(h2c, /^HTTP\/1\.1 200 [^]*no upgrade/);
  const hidden = "GET /smuggled HTTP/1.1\r\nHost: blog.localhost\r\n\r\n";
  const withBody = await fixture.raw(
    `GET /ws HTTP/1.1\r\n${upgrade}Upgrade: websocket\r\nContent-Length: ${hidden.length}\r\n\r\n${hidden}`,
  );
  assert.match(withBody, /^HTTP\/1\.1 400 /);
  const refused = await fixture.raw(
    `GET /ws HTTP/1.1\r\n${upgrade}Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n${hidden}`,
  );
  assert.match(refused, /^HTTP\/1\.1 200 [^]*Connection: close/i);
  assert.ok(!seen.includes("/smuggled"), seen.join());
  assert.match(
    await fixture.raw("CONNECT blog.localhost:80 HTTP/1.1\r\nHost: blog.localhost\r\n\r\n"),
    /^(HTTP\/1\.1 4|$)/,
  );
});

test("headers have limits, and bytes outside ASCII survive", async () => {
  await using fixture = await GatewayFixture.create();
  const server = createServer({ maxHeaderSize: 100_000 }, (request, response) => {
    response.setHeader("x-name", Buffer.from("açúcar").toString("latin1"));
    response.end(Buffer.from(String(request.headers["x-in"]), "latin1"));
  });
  await fixture.app("echo", server);
  const fine = await fixture.get("echo", "/", {
    headers: { "x-in": Buffer.from("pão").toString("latin1"), "x-long": "x".repeat(20_000) },
  });
  assert.equal(fine.body, "pão");
  assert.equal(Buffer.from(String(fine.headers["x-name"]), "latin1").toString(), "açúcar");
  await fixture.rawApp("talk", (socket) =>
    socket.end(
      "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nX-Name: açúcar\r\n\r\n",
    ),
  );
  const upgraded = await fixture.raw(
    "GET / HTTP/1.1\r\nHost: talk.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
  );
  assert.match(Buffer.from(upgraded, "latin1").toString(), /^HTTP\/1\.1 101 [^]*x-name: açúcar\r\n/);
  assert.equal((await fixture.get("echo", "/", { headers: { "x-long": "x".repeat(40_000) } })).status, 431);
  const many = Array.from({ length: 250 }, (_, index) => `X-${index}: 1\r\n`).join("");
  assert.match(
    await fixture.raw(`GET / HTTP/1.1\r\nHost: echo.localhost\r\n${many}\r\n`),
    /^HTTP\/1\.1 431 /,
  );
});

test("a visitor who sends its headers slowly is cut off", async () => {
  await using fixture = await GatewayFixture.create({ gateway: { times: { visitorHeadMs: 300 } } });
  await fixture.app("blog", (_, response) => response.end("blog"));
  const socket = connect(fixture.port, "127.0.0.1");
  socket.on("error", () => {});
  socket.write("GET / HTTP/1.1\r\nHost: blog.localhost\r\n");
  const drip = setInterval(() => socket.write("X: y\r\n"), 50);
  const startedAt = performance.now();
  socket.resume();
  await once(socket, "close");
  clearInterval(drip);
  assert.ok(performance.now() - startedAt < 3_000);
});

test("a tunnel needs a bearer that central knows", async () => {
  await using fixture = await GatewayFixture.create();
  for (const [authorization, status] of [
    ["Bearer wrong", 401],
    ["", 401],
    ["Bearer token-a token-a", 401],
  ] as const) {
    const socket = connect(fixture.centralPort, "127.0.0.1");
    socket.write(
      `GET /link/tunnel HTTP/1.1\r\nHost: central\r\nConnection: Upgrade\r\nUpgrade: tijolo-tunnel\r\nAuthorization: ${authorization}\r\n\r\n`,
    );
    const [answer] = (await once(socket, "data")) as [Buffer];
    assert.match(answer.toString(), new RegExp(`^HTTP/1.1 ${status} `));
    socket.destroy();
  }
});
