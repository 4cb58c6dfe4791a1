/** Tests what a visit carries, both ways: methods, bodies, streams, trailers, WebSockets, and their ends. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { until } from "../support/until.ts";
import { bytesOf, GatewayFixture } from "./gateway-fixture.ts";

test("a visit reaches the project with its method, path, body and host, and the answer comes back", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("shop", async (request, response) => {
    const body = await bytesOf(request);
    response.writeHead(201, "Made", {
      "x-own": "1",
      "set-cookie": ["a=1", "b=2"],
      "content-type": "application/json",
    });
    response.end(
      JSON.stringify({
        method: request.method,
        url: request.url,
        host: request.headers.host,
        body: body.toString(),
      }),
    );
  });
  const answer = await fixture.get("shop", "/a/b?c=d%20e", { method: "POST", body: "olá" });
  assert.equal(answer.status, 201);
  assert.equal(answer.headers["x-own"], "1");
  assert.deepEqual(answer.headers["set-cookie"], ["a=1", "b=2"]);
  assert.deepEqual(JSON.parse(answer.body), {
    method: "POST",
    url: "/a/b?c=d%20e",
    host: `shop.localhost:${fixture.port}`,
    body: "olá",
  });
});

test("HEAD, 204, 304 and an empty body keep their shape", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("shapes", (request, response) => {
    const status = Number(new URL(request.url ?? "/", "http://app").searchParams.get("status") ?? 200);
    response.writeHead(status, { etag: '"v1"', ...(status === 200 ? { "content-length": 5 } : {}) });
    response.end(status === 200 && request.method !== "HEAD" ? "hello" : undefined);
  });
  const head = await fixture.get("shapes", "/", { method: "HEAD" });
  assert.deepEqual([head.status, head.headers["content-length"], head.body], [200, "5", ""]);
  for (const status of [204, 304]) {
    const answer = await fixture.get("shapes", `/?status=${status}`);
    assert.deepEqual([answer.status, answer.headers.etag, answer.body], [status, '"v1"', ""]);
  }
  assert.equal((await fixture.get("shapes", "/?status=404")).body, "");
});

test("server-sent events pass line by line while the answer is open", async () => {
  await using fixture = await GatewayFixture.create();
  let events: ServerResponse | undefined;
  await fixture.app("events", (_, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    response.flushHeaders();
    events = response;
  });
  const request = fixture.request("events", "/");
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  assert.equal(response.headers["content-type"], "text/event-stream");
  response.setEncoding("utf8");
  for (const line of ["data: 1\n\n", "data: 2\n\n", "data: 3\n\n"]) {
    events?.write(line);
    assert.deepEqual(await once(response, "data"), [line]);
  }
  request.destroy();
  await until(() => events?.destroyed === true);
});

test("a WebSocket is carried both ways, with its protocol, large messages and close code", async () => {
  await using fixture = await GatewayFixture.create();
  const server = createServer();
  const sockets = new WebSocketServer({ server, handleProtocols: () => "chat" });
  let closeCode = 0;
  sockets.on("connection", (socket) => {
    socket.on("message", (data, isBinary) => socket.send(data, { binary: isBinary }));
    socket.on("close", (code) => (closeCode = code));
  });
  await fixture.app("talk", server);
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/room?x=1`, ["chat"], {
    headers: { host: "talk.localhost" },
  });
  await once(socket, "open");
  assert.equal(socket.protocol, "chat");
  for (const message of [Buffer.from("oi"), Buffer.alloc(3_000_000, 7)]) {
    socket.send(message);
    const [echo] = (await once(socket, "message")) as [Buffer];
    assert.ok(echo.equals(message));
  }
  socket.close(4001, "bye");
  const [code] = (await once(socket, "close")) as [number];
  assert.equal(code, 4001);
  await until(() => closeCode === 4001);
});

test("a project that refuses a WebSocket answers in its own words", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("plain", (_, response) =>
    response.writeHead(200, { "x-own": "1" }).end("no sockets here"),
  );
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "plain.localhost" } });
  const [, response] = (await once(socket, "unexpected-response")) as [unknown, IncomingMessage];
  assert.equal(response.statusCode, 200);
  assert.equal((await bytesOf(response)).toString(), "no sockets here");
});

test("either side of a WebSocket that breaks takes the other with it", async () => {
  await using fixture = await GatewayFixture.create();
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  await fixture.app("talk", server);
  for (const breaker of ["visitor", "project"]) {
    const accepted = once(sockets, "connection") as Promise<[WebSocket]>;
    const visitor = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "talk.localhost" } });
    visitor.on("error", () => {});
    const [project] = await accepted;
    await once(visitor, "open");
    const [broken, other] = breaker === "visitor" ? [visitor, project] : [project, visitor];
    broken.terminate();
    await until(() => other.readyState === WebSocket.CLOSED);
  }
});

test("a visitor who leaves cancels the project's answer", async () => {
  await using fixture = await GatewayFixture.create();
  let answered: ServerResponse | undefined;
  await fixture.app("endless", (_, response) => {
    answered = response;
    const write = () => {
      while (!response.destroyed && response.write("x".repeat(65_536)));
    };
    response.on("drain", write);
    write();
  });
  const request = fixture.request("endless", "/");
  request.on("error", () => {});
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response, "readable");
  request.destroy();
  await until(() => answered?.destroyed === true);
});

test("a visitor who leaves in the middle of an upload never looks like the end of it", async () => {
  await using fixture = await GatewayFixture.create();
  const seen: string[] = [];
  await fixture.app("upload", (request) => {
    request.on("data", () => seen.includes("data") || seen.push("data"));
    request.on("end", () => seen.push("end"));
    request.on("error", () => seen.push("aborted"));
  });
  const request = fixture.request("upload", "/", { method: "POST" });
  request.on("error", () => {});
  request.write("x".repeat(100_000));
  await until(() => seen.includes("data"));
  request.destroy();
  await until(() => seen.includes("aborted"));
  assert.ok(!seen.includes("end"));
});

test("an answer that a project breaks off is broken off for the visitor too", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("broken", (request, response) => {
    response.writeHead(200, request.url === "/sized" ? { "content-length": 1000 } : {});
    response.write("half");
    setTimeout(() => response.destroy(), 20);
  });
  for (const path of ["/sized", "/chunked"]) {
    const request = fixture.request("broken", path);
    request.end();
    const [response] = (await once(request, "response")) as [IncomingMessage];
    await assert.rejects(bytesOf(response), { code: "ECONNRESET" });
  }
});

test("trailers travel both ways", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("trailing", async (request, response) => {
    await bytesOf(request);
    response.writeHead(200, { trailer: "x-sum" });
    response.write("body");
    response.addTrailers({ "x-sum": request.trailers["x-in"] ?? "none" });
    response.end();
  });
  const request = fixture.request("trailing", "/", {
    method: "POST",
    headers: { trailer: "x-in", "transfer-encoding": "chunked" },
  });
  request.write("data");
  request.addTrailers({ "x-in": "42" });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  assert.equal((await bytesOf(response)).toString(), "body");
  assert.equal(response.trailers["x-sum"], "42");
});

test("Expect: 100-continue is answered by the project, and a refusal spares the upload", async () => {
  await using fixture = await GatewayFixture.create();
  const server = createServer(async (request, response) =>
    response.end(`got ${(await bytesOf(request)).length}`),
  );
  server.on("checkContinue", (request, response) => {
    if (request.url === "/no") return response.writeHead(413).end("too large");
    response.writeContinue();
    server.emit("request", request, response);
  });
  await fixture.app("careful", server);

  const accepted = fixture.request("careful", "/yes", {
    method: "PUT",
    headers: { expect: "100-continue", "content-length": "5" },
  });
  accepted.flushHeaders();
  await once(accepted, "continue");
  accepted.end("12345");
  const [answer] = (await once(accepted, "response")) as [IncomingMessage];
  assert.equal((await bytesOf(answer)).toString(), "got 5");

  const refused = fixture.request("careful", "/no", {
    method: "PUT",
    headers: { expect: "100-continue", "content-length": "5" },
  });
  refused.on("error", () => {});
  let wasContinued = false;
  refused.on("continue", () => (wasContinued = true));
  refused.flushHeaders();
  const [refusal] = (await once(refused, "response")) as [IncomingMessage];
  assert.equal(refusal.statusCode, 413);
  assert.equal((await bytesOf(refusal)).toString(), "too large");
  assert.equal(wasContinued, false);
});

test("an answer before the end of an upload reaches the visitor", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("strict", (_, response) => response.writeHead(413).end("too large"));
  const request = fixture.request("strict", "/", {
    method: "POST",
    headers: { "content-length": "10000000" },
  });
  request.on("error", () => {});
  request.write("x".repeat(1000));
  const [response] = (await once(request, "response")) as [IncomingMessage];
  assert.equal(response.statusCode, 413);
  assert.equal((await bytesOf(response)).toString(), "too large");
  request.destroy();
});
