/** Nothing is left of a visit, however it ended; what says nothing for too long is ended. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { until } from "../support/until.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

test("after visits that ended in every way no stream, place or connection to a project is held", async () => {
  await using fixture = await GatewayFixture.create({ gateway: { visitsPerProject: 4 } });
  const open = new Set<Socket>();
  const server = createServer(answer);
  server.keepAliveTimeout = 50;
  server.on("connection", (socket) => {
    open.add(socket);
    socket.once("close", () => open.delete(socket));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on("connection", (socket) => socket.on("message", (data) => socket.send(data)));
  await fixture.app("mix", server);
  fixture.site("files", { kind: "static", directory: import.meta.dirname });

  const ignore = () => {};
  const leaveAt = async (path: string, moment: "head" | "body" | "upload") => {
    const request = fixture.request("mix", path, moment === "upload" ? { method: "POST" } : {});
    request.on("error", ignore);
    if (moment === "upload") {
      request.write("x".repeat(100_000));
      await new Promise((resolve) => setTimeout(resolve, 5));
    } else {
      request.end();
      if (moment === "body") await once(request, "response");
      else await new Promise((resolve) => setTimeout(resolve, 5));
    }
    request.destroy();
  };
  const webSocket = async (isPolite: boolean) => {
    const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "mix.localhost" } });
    await once(socket, "open");
    socket.send("hi");
    await once(socket, "message");
    if (isPolite) socket.close();
    else socket.terminate();
    await once(socket, "close");
  };
  for (let turn = 0; turn < 15; turn++) {
    await fixture.get("mix", "/plain");
    await fixture.get("mix", "/plain", { method: "HEAD" });
    await fixture.get("mix", "/304");
    await fixture.get("mix", "/echo", { method: "POST", body: "x".repeat(200_000) });
    await fixture.get("mix", "/early", { method: "POST", body: "x".repeat(2_000_000) }).catch(ignore);
    await fixture.get("mix", "/break").catch(ignore);
    await leaveAt("/never", "head");
    await leaveAt("/endless", "body");
    await leaveAt("/never", "upload");
    await webSocket(true);
    await webSocket(false);
    await fixture.get("files", "/leftovers.test.ts");
    await fixture.get("files", "/missing");
    await fixture.get("files", "/", { method: "POST", body: "x".repeat(10_000) });
  }
  assert.equal((await fixture.get("mix", "/plain")).status, 200, "a place is free");
  await until(() => open.size === 0);
  const startedAt = performance.now();
  await fixture.ingress.close({ graceMs: 10_000 });
  assert.ok(performance.now() - startedAt < 2_000, "closing waited for a stream that nobody ended");

  function answer(request: IncomingMessage, response: ServerResponse): void {
    request.on("error", ignore);
    switch (request.url ?? "") {
      case "/304":
        return void response.writeHead(304).end();
      case "/echo":
        return void request.pipe(response);
      case "/early":
        return void response.writeHead(413).end("no");
      case "/break":
        response.write("half");
        return void setTimeout(() => response.destroy(), 5);
      case "/endless": {
        const write = () => {
          while (!response.destroyed && response.write("x".repeat(65_536)));
        };
        response.on("drain", write);
        return write();
      }
      case "/never":
        return void request.resume(); // a server that does not read does not see who left
      default:
        return void response.end("plain");
    }
  }
});

test("a visitor who sends requests ahead and leaves cancels them all", async () => {
  await using fixture = await GatewayFixture.create();
  const answers: ServerResponse[] = [];
  await fixture.app("blog", (_, response) => void answers.push(response));
  const socket = connect(fixture.port, "127.0.0.1");
  socket.write("GET / HTTP/1.1\r\nHost: blog.localhost\r\n\r\n".repeat(20));
  await until(() => answers.length === 20);
  socket.destroy();
  await until(() => answers.every((answer) => answer.destroyed));
});

test("an answer and a WebSocket that say nothing for too long are ended on both sides", async () => {
  await using fixture = await GatewayFixture.create({ ingress: { times: { idleMs: 200 } } });
  const server = createServer((_, response) => {
    response.write("begun");
    held = response;
  });
  let held: ServerResponse | undefined;
  let accepted: WebSocket | undefined;
  new WebSocketServer({ server }).on("connection", (socket) => (accepted = socket));
  await fixture.app("quiet", server);
  const request = fixture.request("quiet", "/");
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await assert.rejects(async () => {
    for await (const _ of response);
  });
  await until(() => held?.destroyed === true);
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "quiet.localhost" } });
  await once(socket, "close");
  await until(() => accepted?.readyState === WebSocket.CLOSED);
});

test("an ingress that closes lets visits finish and takes no more", async () => {
  await using fixture = await GatewayFixture.create({ gateway: { times: { hostMs: 50 } } });
  let finish: (() => void) | undefined;
  await fixture.app("blog", (_, response) => {
    response.write("first ");
    finish = () => response.end("last");
  });
  const request = fixture.request("blog", "/");
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  const closing = fixture.ingress.close({ graceMs: 5_000 });
  await until(() => fixture.tunnels.open("host-a") === undefined);
  assert.equal((await fixture.get("blog")).status, 503);
  finish?.();
  let body = "";
  for await (const chunk of response) body += chunk;
  assert.equal(body, "first last");
  await closing;
});
