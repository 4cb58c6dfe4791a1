/** A site's cookies are its own: none reaches the panel's name, or another site's. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import { test } from "node:test";
import { WebSocket, WebSocketServer } from "ws";
import { GatewayFixture } from "./gateway-fixture.ts";

test("a cookie for the site domain or another name is one for the site's own name", async () => {
  await using fixture = await GatewayFixture.create();
  const sent = [
    "plain=1; Path=/; HttpOnly",
    "own=1; Domain=shop.localhost",
    "parent=1; Domain=localhost",
    "dotted=1;domain = .LOCALHOST. ; Secure",
    "other=1; Domain=bank.localhost",
    "twice=1; Domain=localhost; Domain=shop.localhost",
  ];
  await fixture.app("shop", (_, response) => {
    response.writeHead(200, { "set-cookie": sent });
    response.end("body");
  });
  const answer = await fixture.get("shop", "/");
  assert.deepEqual(answer.headers["set-cookie"], [
    "plain=1; Path=/; HttpOnly",
    "own=1",
    "parent=1",
    "dotted=1; Secure",
    "other=1",
    "twice=1",
  ]);
});

test("an answer without cookies has no such header; a trailer sets none", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("shop", (_, response) => {
    response.writeHead(200, { trailer: "set-cookie, x-own" });
    response.write("body");
    response.addTrailers([
      ["set-cookie", "late=1; Domain=localhost"],
      ["x-own", "1"],
    ]);
    response.end();
  });
  const { promise, resolve, reject } = Promise.withResolvers<Record<string, unknown>>();
  const request = fixture.request("shop", "/");
  request.on("error", reject);
  request.on("response", (response) => {
    const { headers } = response;
    response
      .resume()
      .on("end", () => resolve({ cookies: headers["set-cookie"], trailers: { ...response.trailers } }));
  });
  request.end();
  assert.deepEqual(await promise, { cookies: undefined, trailers: { "x-own": "1" } });
});

test("the answer to a WebSocket's upgrade sets cookies for the site's own name only", async () => {
  await using fixture = await GatewayFixture.create();
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  sockets.on("headers", (headers) =>
    headers.push("Set-Cookie: parent=1; Domain=.localhost", "Set-Cookie: own=1"),
  );
  await fixture.app("talk", server);
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, {
    headers: { host: `talk.localhost:${fixture.port}` },
  });
  const { promise, resolve, reject } = Promise.withResolvers<unknown>();
  socket.once("upgrade", ({ headers }) => resolve(headers["set-cookie"]));
  socket.once("error", reject);
  assert.deepEqual(await promise, ["parent=1", "own=1"]);
  socket.terminate();
  sockets.close();
});
