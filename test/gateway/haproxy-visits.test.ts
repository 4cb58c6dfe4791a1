/** Tests what visitors and programs of sites see of HAProxy. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { createServer, type ServerResponse } from "node:http";
import { connect, createServer as createTcpServer } from "node:net";
import { availableParallelism } from "node:os";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/until.ts";
import { HaproxyFixture, pagesKey, projectIdOf } from "./haproxy-fixture.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";

test("a visit goes straight to the program, which learns who asks and nothing that a visitor made up", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (request, response) => response.end(JSON.stringify(request.headers)));
  const madeUp = {
    "x-forwarded-for": "203.0.113.9",
    "X-Forwarded-Proto": "https",
    X_Forwarded_For: "203.0.113.9",
    Forwarded: "for=203.0.113.9",
    "X-Real-IP": "203.0.113.9",
    "x-tijolo-gateway": pagesKey,
    "x-tijolo-project": "another",
  };
  const { status, body } = await fixture.get("shop", "/", { headers: madeUp });
  assert.equal(status, 200);
  const seen = JSON.parse(body) as Record<string, string>;
  assert.equal(seen["x-forwarded-for"], "127.0.0.1");
  assert.equal(seen["x-forwarded-proto"], "http");
  assert.equal(seen["x-forwarded-host"], "shop.localhost");
  assert.equal(seen["x-real-ip"], "127.0.0.1");
  assert.ok(!body.includes("203.0.113.9") && !body.includes(pagesKey) && !body.includes("another"), body);
  assert.equal(fixture.pageVisits.length, 0);
});

test("only a trusted proxy is believed about a visitor", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv, ["127.0.0.0/8"]);
  await fixture.app("shop", ({ headers }, response) =>
    response.end(`${headers["x-forwarded-for"]} ${headers["x-forwarded-proto"]}`),
  );
  const headers = { "x-forwarded-for": "192.0.2.1, 203.0.113.9, 127.0.0.2", "x-forwarded-proto": "https" };
  assert.equal((await fixture.get("shop", "/", { headers })).body, "203.0.113.9 https");
});

test("a trusted proxy that forwards connections says the visitor's address first, and nobody else may", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  const hasProxyProtocol = true;
  const visit =
    "GET / HTTP/1.1\r\nHost: shop.localhost\r\nX-Forwarded-For: 192.0.2.1\r\nConnection: close\r\n\r\n";
  const line = "PROXY TCP4 203.0.113.9 127.0.0.1 5555 80\r\n";
  for (const [networks, withLine, without] of [
    [["127.0.0.0/8"], /\r\n\r\n203\.0\.113\.9$/, /^$/],
    [["192.0.2.0/24"], /^HTTP\/1\.1 400 /, /\r\n\r\n127\.0\.0\.1$/],
  ] as const) {
    await using fixture = await HaproxyFixture.create(argv, [...networks], { hasProxyProtocol });
    await fixture.app("shop", ({ headers }, response) => {
      const body = String(headers["x-forwarded-for"]);
      response.setHeader("content-length", body.length).end(body);
    });
    const said = (text: string) => fixture.raw(text).catch(() => ""); // it resets what it refuses
    assert.match(await said(line + visit), withLine);
    assert.match(await said(visit), without);
  }
});

test("a program sets cookies for its own name only", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const cookies = [
    "own=1; Path=/",
    "wide=1; Domain=localhost; Path=/",
    "odd=1;dOmAiN = .localhost",
    "two=1; Domain=shop.localhost; Domain=localhost",
  ];
  await fixture.app("shop", (_, response) => response.writeHead(200, { "set-cookie": cookies }).end());
  const { headers } = await fixture.get("shop");
  const [own, wide, odd, two = ""] = headers["set-cookie"] ?? [];
  assert.deepEqual([own, wide, odd], ["own=1; Path=/", "wide=1; Path=/", "odd=1"]);
  assert.ok(!/domain/i.test(two), two);
});

test("below a domain of the site's own its cookies are its own affair", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const cookies = ["parent=1; Domain=example.com; Path=/"];
  const app = createServer((_, response) => response.writeHead(200, { "set-cookie": cookies }).end());
  await fixture.site("shop", await fixture.listen(app), { isOwnDomain: true });
  for (const method of ["GET", "POST"])
    // by either way to the program
    assert.deepEqual((await fixture.get("shop", "/", { method })).headers["set-cookie"], cookies);
});

test("a program that does not listen is tried for 4 s, then the visit goes on with its body", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.site("shop", await freePort());
  const startedMs = performance.now();
  const body = Buffer.alloc(3_000_000);
  const visits = await Promise.all([
    fixture.get("shop"),
    fixture.get("shop", "/", { method: "POST", body, headers: { "content-length": String(body.length) } }),
  ]);
  const ms = performance.now() - startedMs;
  assert.deepEqual(
    visits.map(({ body }) => body),
    ["pages", "pages"],
  );
  assert.ok(ms > 3_500, `${ms} ms`);
  assert.deepEqual(
    fixture.pageVisits.map(({ bytes }) => bytes).sort((a, b) => a - b),
    [0, 3_000_000],
  );
  for (const { headers } of fixture.pageVisits) {
    assert.equal(headers["x-tijolo-gateway"], pagesKey);
    assert.equal(headers["x-forwarded-for"], "127.0.0.1");
  }
});

test("a program that comes while it is tried gets the visit", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const port = await freePort();
  await fixture.site("shop", port);
  const visit = fixture.get("shop", "/", { method: "POST", body: "1", headers: { "content-length": "1" } });
  const server = createServer((_, response) => response.end("here"));
  setTimeout(() => server.listen(port, "127.0.0.1"), 600);
  assert.equal((await visit).body, "here");
  server.closeAllConnections();
  server.close();
});

test("a request that a program has begun to read is sent again only when it is repeatable, and once", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const seen: string[] = [];
  const cut = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", (data) => {
      seen.push(String(data).split(" ", 1)[0] ?? "");
      socket.destroy();
    });
  });
  await fixture.site("shop", await fixture.listen(cut));
  await fixture.get("shop");
  assert.deepEqual(seen.splice(0), ["GET", "GET"]);
  await fixture.get("shop", "/", { method: "POST", body: "x", headers: { "content-length": "1" } });
  assert.deepEqual(seen, ["POST"]);
  assert.deepEqual(
    fixture.pageVisits.map(({ headers }) => headers["x-tijolo-failure"]),
    ["bad_response", "bad_response"],
  );
});

test("a WebSocket passes both ways, and is counted apart from other visits", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const server = await fixture.app("shop", (_, response) => response.end());
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(`heard ${String(data)}`)));
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "shop.localhost" } });
  await once(socket, "open");
  socket.send("hello");
  const [answer] = await once(socket, "message");
  assert.equal(String(answer), "heard hello");
  const underWay = () => fixture.haproxy.visitsOf(projectIdOf("shop"), 1);
  assert.deepEqual(await underWay(), { visits: 0, streams: 1 });
  socket.terminate();
  await until(async () => (await underWay()).streams === 0);
});

test("a redirect keeps path and query; an unknown name and a run that is being drained go to the pages server", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.end("program"));
  await fixture.site("old", 1, { redirectTo: "shop.localhost" });
  const moved = await fixture.get("old", "/a?b=c");
  assert.deepEqual([moved.status, moved.headers.location], [308, "http://shop.localhost/a?b=c"]);
  assert.equal(moved.headers["cache-control"], "no-store", "its owner may change it");
  assert.equal((await fixture.get("nobody")).body, "pages");
  assert.equal((await fixture.get("shop")).body, "program");
  await fixture.map.beginDrain(projectIdOf("shop"), 1);
  assert.equal((await fixture.get("shop")).body, "pages");
});

test("visits under way are counted by run, so that those of the next one hold up no drain", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  const waiting: ServerResponse[] = [];
  await fixture.app("shop", (_, response) => waiting.push(response));
  const visitsOf = () =>
    Promise.all([1, 2].map(async (run) => (await fixture.haproxy.visitsOf(projectIdOf("shop"), run)).visits));
  const first = fixture.get("shop");
  await until(() => waiting.length === 1);
  const near = { address: "127.0.0.1", port: fixture.portOf("shop"), runNumber: 2, isStatic: false };
  await fixture.site("shop", near.port, { near });
  const second = fixture.get("shop");
  await until(() => waiting.length === 2);
  assert.deepEqual(await visitsOf(), [1, 1]);
  waiting[0]?.end("of the first");
  assert.equal((await first).body, "of the first");
  await until(async () => (await visitsOf())[0] === 0);
  assert.deepEqual(await visitsOf(), [0, 1]);
  waiting[1]?.end();
  await second;
});

test("HAProxy that was killed is started again with the same routes, and one that runs is adopted", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.end("program"));
  const first = await fixture.haproxy.api.info();
  assert.equal(await fixture.serve(), "adopted");
  process.kill(first?.pid ?? 0, "SIGKILL");
  const second = await until(async () => {
    const info = await fixture.haproxy.api.info();
    return info?.pid === first?.pid ? undefined : info;
  });
  assert.notEqual(second.pid, first?.pid);
  assert.equal((await fixture.get("shop")).body, "program");
});

test("HAProxy that answers nothing is ended, and another one has all visitors", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.end("here"));
  const { pid = 0 } = (await fixture.haproxy.api.info()) ?? {};
  process.kill(pid, "SIGSTOP");
  t.after(() => {
    if (existsSync(`/proc/${pid}`)) process.kill(pid, "SIGKILL");
  });
  await until(
    async () => {
      const now = await fixture.haproxy.api.info();
      return now !== undefined && now.pid !== pid;
    },
    { timeoutMs: 60_000 },
  );
  assert.equal(existsSync(`/proc/${pid}`), false);
  for (let visit = 0; visit < 20; visit++) assert.equal((await fixture.get("shop")).body, "here");
});

test("another configuration takes the visitors over without losing one", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => setTimeout(() => response.end("program"), 20));
  const visits: Promise<{ status: number }>[] = [];
  const load = setInterval(() => visits.push(fixture.get("shop")), 5);
  await until(() => visits.length > 50);
  const how = await fixture.serve({ key: "n".repeat(43) });
  await until(() => visits.length > 200);
  clearInterval(load);
  const statuses = (await Promise.all(visits)).map(({ status }) => status);
  assert.equal(how, "started");
  assert.ok(
    statuses.every((status) => status === 200),
    String(statuses.filter((status) => status !== 200)),
  );
});

test("an address that another HAProxy serves is not shared with it", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await assert.rejects(HaproxyFixture.create(argv, [], { port: fixture.port }), /in use/i);
  assert.equal((await fixture.get("nobody")).body, "pages");
});

test("what somebody else changed in the map or its file is repaired; many changes are one step", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv);
  await fixture.app("shop", (_, response) => response.end("program"));
  const { api, files } = fixture.haproxy;
  await api.run(`del map ${files.routes} shop.localhost`);
  assert.equal((await fixture.get("shop")).body, "pages");
  await fixture.map.compare();
  assert.equal((await fixture.get("shop")).body, "program");
  const text = await readFile(files.routes, "utf8");
  await writeFile(files.routes, "rubbish\n");
  await fixture.map.compare();
  assert.equal(await readFile(files.routes, "utf8"), text);
  const many = new Map(
    Array.from({ length: 3_000 }, (_, index) => {
      const hostname = `site-${index}.${"long-label.".repeat(20)}localhost`;
      const projectId = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
      return [
        hostname,
        {
          hostname,
          projectId,
          near: null,
          redirectTo: null,
          isOwnDomain: false,
          hasHsts: true,
          isCompressed: true,
        },
      ] as const;
    }),
  );
  await fixture.map.apply(many);
  const shown = await api.ask(`show map ${files.routes}`, 30_000);
  assert.equal(shown.trim().split("\n").length, 3_000);
  assert.ok(!shown.includes("shop.localhost"));
});

test("visitors who only hold connections open cost others no kept connection to a program", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  const descriptors = 400;
  await using fixture = await HaproxyFixture.create(["prlimit", `--nofile=${descriptors}`, ...argv]);
  let connections = 0;
  (await fixture.app("shop", (_, response) => response.end("here"))).on("connection", () => connections++);
  const idle = Array.from({ length: 0.3 * descriptors }, () => connect(fixture.port, "127.0.0.1"));
  try {
    await Promise.all(idle.map((socket) => once(socket, "connect")));
    for (let visit = 0; visit < 20; visit++) assert.equal((await fixture.get("shop")).body, "here");
    // HAProxy has a thread for each processor, with connections of its own.
    assert.ok(connections <= availableParallelism(), `${connections} connections for 20 visits`);
  } finally {
    for (const socket of idle) socket.destroy();
  }
});
