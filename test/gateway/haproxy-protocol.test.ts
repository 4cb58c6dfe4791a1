/** Tests what visitors may do in the protocol at a real HAProxy, beside plain requests, and what they may not. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect as connectHttp2, createServer as createHttp2Server } from "node:http2";
import { Agent, request, type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, createServer } from "node:net";
import { test, type TestContext } from "node:test";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { until } from "../support/until.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";

class DisposableAgent extends Agent implements Disposable {
  [Symbol.dispose](): void {
    this.destroy();
  }
}

async function open(t: TestContext): Promise<HaproxyFixture | undefined> {
  const argv = await haproxyOf(t);
  return argv && HaproxyFixture.create(argv);
}

test("hints before the answer, events as they are written, and trailers after it, arrive", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  const answers: ServerResponse[] = [];
  await fixture.app("shop", (_, response) => {
    response.writeEarlyHints({ link: "</style.css>; rel=preload" });
    answers.push(response);
  });
  const headers = { host: "shop.localhost", accept: "text/event-stream", te: "trailers" };
  const sent = request({ host: "127.0.0.1", port: fixture.port, agent: false, headers });
  const hints: unknown[] = [];
  sent.on("information", ({ statusCode, headers: early }) => hints.push([statusCode, early.link])).end();
  const responded = once(sent, "response");
  await until(() => hints.length === 1);
  answers[0]?.writeHead(200, { "content-type": "text/event-stream", trailer: "x-sum" });
  answers[0]?.write("data: 1\n\n");
  const [response] = (await responded) as [IncomingMessage];
  let body = "";
  response.setEncoding("utf8").on("data", (text: string) => (body += text));
  await until(() => body === "data: 1\n\n");
  answers[0]?.addTrailers({ "x-sum": "1" });
  answers[0]?.end();
  await once(response, "end");
  assert.deepEqual(hints, [[103, "</style.css>; rel=preload"]]);
  assert.equal(response.trailers["x-sum"], "1");
});

const interim = "HTTP/1.1 103 Early Hints\r\nlink: </style.css>; rel=preload\r\n\r\n";
const withLength = "HTTP/1.1 200 OK\r\ncontent-length: 60\r\n\r\n";
const inChunks = "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n";

for (const [what, first, rest] of [
  ["its head", interim + withLength, "z".repeat(60)],
  ["a part of it", `${interim}${withLength}zzzz`, "z".repeat(56)],
  ["its head, in chunks", interim + inChunks, `3c\r\n${"z".repeat(60)}\r\n0\r\n\r\n`],
  ["a part of it, in chunks", `${interim}${inChunks}4\r\nzzzz\r\n`, `38\r\n${"z".repeat(56)}\r\n0\r\n\r\n`],
] as const)
  test(`an answer of which hints and ${what} arrive at once is never followed by another site's`, async (t) => {
    await using fixture = await open(t);
    if (fixture === undefined) return;
    const program = createServer((socket) => {
      socket
        .on("error", () => {})
        .once("data", () => {
          socket.write(first);
          setTimeout(() => socket.write(rest), 300).unref();
        });
    });
    await fixture.site("hostile", await fixture.listen(program));
    await fixture.app("bank", (_, response) => response.end("secret"));
    const proxy = connect(fixture.port, "127.0.0.1").setEncoding("latin1");
    let received = "";
    proxy.on("error", () => {}).on("data", (text: string) => (received += text));
    proxy.write("GET / HTTP/1.1\r\nHost: hostile.localhost\r\n\r\n");
    await until(() => received.includes(" 200 "));
    proxy.write("GET / HTTP/1.1\r\nHost: bank.localhost\r\n\r\n");
    // A HAProxy without the fault sends all of the first answer, then the second; 3.0 cuts the first and closes.
    await until(() => proxy.readableEnded || proxy.destroyed || received.endsWith("secret"));
    proxy.destroy();
    const isWhole = received.split("z").length - 1 === 60;
    assert.equal(received.includes("secret"), isWhole, received);
  });

test("an answer that is whole keeps the visitor's connection", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  await fixture.app("shop", ({ url }, response) => {
    if (url === "/empty" || url === "/unchanged") response.statusCode = url === "/empty" ? 204 : 304;
    if (url === "/length") response.setHeader("content-length", 0);
    if (url === "/large") response.setHeader("content-length", 100_000);
    if (url === "/chunks") response.write("one");
    response.end(url === "/large" ? "x".repeat(100_000) : url === "/chunks" ? "two" : undefined);
  });
  using agent = new DisposableAgent({ keepAlive: true, maxSockets: 1 });
  const visits = ["GET /empty", "GET /unchanged", "GET /length", "GET /large", "HEAD /large"];
  for (const [index, visit] of [...visits, "GET /chunks", "GET /"].entries()) {
    const [method, path] = visit.split(" ");
    const headers = { host: "shop.localhost" };
    const at = { host: "127.0.0.1", port: fixture.port, agent };
    const sent: ClientRequest = request({ ...at, method, path, headers });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    await once(response.resume(), "end");
    assert.equal(sent.reusedSocket, index > 0, visit);
  }
});

test("a site has 512 visits at once; the next are told to come again, other sites are served", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  const waiting: ServerResponse[] = [];
  await fixture.app("full", (_, response) => {
    if (waiting.length < 512) waiting.push(response);
    else response.end("again");
  });
  await fixture.app("shop", (_, response) => response.end("here"));
  const underWay = Array.from({ length: 512 }, () => fixture.get("full"));
  await until(() => waiting.length === 512);
  const refused = await fixture.get("full");
  assert.deepEqual([refused.status, refused.headers["retry-after"]], [503, "5"]);
  assert.equal((await fixture.get("shop")).body, "here");
  for (const response of waiting) response.end("late");
  assert.ok((await Promise.all(underWay)).every(({ body }) => body === "late"));
  await until(async () => (await fixture.get("full")).body === "again");
});

test("a program of HTTP/2 without TLS has streams both ways with trailers, as gRPC needs, on connections that are used again", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  let connections = 0;
  const program = createHttp2Server()
    .on("session", () => (connections += 1))
    .on("stream", (stream) => {
      stream.on("wantTrailers", () => stream.sendTrailers({ "grpc-status": "0" }));
      stream.respond({ ":status": 200, "content-type": "application/grpc" }, { waitForTrailers: true });
      stream.pipe(stream);
    });
  await fixture.site("calls", await fixture.listen(program), { protocol: "h2c" });
  const visitor = connectHttp2(`http://127.0.0.1:${fixture.port}`).on("error", () => {});
  const call = async (index: number) => {
    const stream = visitor.request({
      ":method": "POST",
      ":path": `/shop.Shop/Call${index}`,
      ":authority": "calls.localhost",
      "content-type": "application/grpc",
      te: "trailers",
    });
    let [received, status] = ["", ""];
    stream.setEncoding("utf8").on("data", (text: string) => (received += text));
    stream.on("trailers", (trailers) => (status = String(trailers["grpc-status"])));
    stream.write("one ");
    await until(() => received === "one ");
    stream.end("two");
    await once(stream, "end");
    return `${received}: ${status}`;
  };
  for (let round = 0; round < 4; round++) {
    const calls = await Promise.all(Array.from({ length: 10 }, (_, index) => call(index)));
    assert.deepEqual(new Set(calls), new Set(["one two: 0"]));
  }
  visitor.destroy();
  // Some more than visits at once: the threads do not share those that are idle at any moment.
  assert.ok(connections <= 20, `${connections} connections for 40 calls, 10 at once`);
  const plain = await fixture.get("calls", "/", { method: "POST", body: "by HTTP/1.1" });
  assert.deepEqual([plain.status, plain.body], [200, "by HTTP/1.1"]);
});

test("a visitor of a program of HTTP/2 who does not read holds up no other", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  const program = createHttp2Server((sent, answer) =>
    answer.end(sent.url === "/large" ? Buffer.alloc(3_000_000, "a") : "small"),
  );
  await fixture.site("calls", await fixture.listen(program), { protocol: "h2c" });
  const visitor = connectHttp2(`http://127.0.0.1:${fixture.port}`, { settings: { initialWindowSize: 0 } });
  visitor.on("error", () => {});
  await once(visitor, "remoteSettings");
  const heads = Array.from({ length: 5 }, async () => {
    const stream = visitor.request({ ":path": "/large", ":authority": "calls.localhost" });
    await once(
      stream.on("error", () => {}),
      "response",
    );
  });
  await Promise.all(heads);
  const others = Array.from({ length: 8 }, async () => (await fixture.get("calls")).body);
  assert.deepEqual(new Set(await Promise.all(others)), new Set(["small"]));
  visitor.destroy();
  assert.equal((await fixture.get("calls")).body, "small");
});

test("an address has 256 visits at once, over however many connections; other visitors are served", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using fixture = await HaproxyFixture.create(argv, ["127.0.0.0/8"]);
  let waiting = 0;
  await fixture.app("shop", (sent, response) => {
    if (sent.url === "/wait") waiting += 1;
    else response.end("here");
  });
  const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
  const visitors = Array.from({ length: 4 }, () => connectHttp2(`http://127.0.0.1:${fixture.port}`));
  const refused: unknown[] = [];
  for (const visitor of visitors)
    for (let index = 0; index < 80; index++) {
      const head = { ":path": "/wait", ":authority": "shop.localhost", "x-forwarded-for": "203.0.113.9" };
      const stream = visitor.on("error", () => {}).request(head);
      stream.on("error", () => {}).on("response", ({ ":status": status }) => refused.push(status));
    }
  await until(() => waiting + refused.length === 4 * 80);
  assert.deepEqual([waiting, new Set(refused)], [256, new Set([429])]);
  const { status, headers } = await fixture.get("shop", "/", from("203.0.113.9"));
  assert.deepEqual([status, headers["retry-after"]], [429, "1"]);
  assert.equal(
    (await fixture.get("nobody", "/", from("203.0.113.9"))).status,
    429,
    "the panel and the API, too",
  );
  assert.equal((await fixture.get("shop", "/", from("203.0.113.10"))).body, "here");
  for (const visitor of visitors) visitor.destroy();
  await until(async () => (await fixture.get("shop", "/", from("203.0.113.9"))).body === "here");
});

test("visits of a program that does not speak the HTTP/2 of its site, or is away, go to the pages server", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  let visits = 0;
  const program = await fixture.app("calls", (_, response) => {
    visits += 1;
    response.end("HTTP/1.1");
  });
  await fixture.site("calls", fixture.portOf("calls"), { protocol: "h2c" });
  assert.equal((await fixture.get("calls", "/", { method: "POST", body: "once" })).body, "pages");
  program.close();
  assert.equal((await fixture.get("calls")).body, "pages");
  assert.deepEqual([fixture.pageVisits.map(({ bytes }) => bytes), visits], [[4, 0], 0]);
});

test("TRACE and CONNECT are refused", async (t) => {
  await using fixture = await open(t);
  if (fixture === undefined) return;
  let visits = 0;
  await fixture.app("shop", (_, response) => {
    visits += 1;
    response.end();
  });
  for (const line of ["TRACE / HTTP/1.1", "CONNECT shop.localhost:443 HTTP/1.1"]) {
    const target = line.startsWith("CONNECT") ? "shop.localhost:443" : "shop.localhost";
    assert.match(await fixture.raw(`${line}\r\nHost: ${target}\r\n\r\n`), /^HTTP\/1\.1 405 /, line);
  }
  assert.equal(visits, 0);
});
