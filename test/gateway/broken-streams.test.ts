/**
 * Tests that a stream that is broken off, in either direction and in any number, is seen to be broken and
 * leaves the shared tunnel intact.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { bytesOf, GatewayFixture, neighbourOf } from "./gateway-fixture.ts";
import { flags, frame, frameTypes, headers, openHostileTunnel } from "./hostile-agent.ts";

/** nghttp2 ends a session at about its thousandth invalid frame. */
const visits = 1_300;
const atOnce = 100;
const giveUpMs = 10_000;
const webSocket =
  "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";

/**
 * Makes all visits; then another site is served, by the same tunnel. `logs`: what the ingress says about
 * single visits.
 */
async function leavesTheTunnel(
  {
    visit,
    program,
  }: { visit: (fixture: GatewayFixture) => Promise<unknown>; program: (socket: Socket) => void },
  options: Parameters<typeof GatewayFixture.create>[0] = {},
): Promise<void> {
  const logs = new Set<string>();
  const debug = (fields: { error?: string }) => void logs.add(String(fields.error));
  await using fixture = await GatewayFixture.create({
    ...options,
    ingress: { ...options.ingress, logger: { debug, info() {}, warn() {} } },
  });
  await fixture.rawApp("hostile", program);
  const checkNeighbour = await neighbourOf(fixture);
  for (let made = 0; made < visits; made += atOnce)
    await Promise.all(Array.from({ length: atOnce }, () => visit(fixture)));
  await checkNeighbour();
  assert.doesNotMatch([...logs].join(), /PROTOCOL_ERROR/, "a frame was invalid");
}

const breaks = async (fixture: GatewayFixture) => {
  await assert.rejects(fixture.get("hostile"), { code: "ECONNRESET" });
};

test("answers shorter than they said", () =>
  leavesTheTunnel({
    visit: breaks,
    program: (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok"),
  }));

test("answers that say nothing for too long", () =>
  leavesTheTunnel(
    { visit: breaks, program: (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok") },
    { ingress: { times: { idleMs: 300 } } },
  ));

test("answers that central ends because they say nothing for too long", () =>
  leavesTheTunnel(
    { visit: breaks, program: (socket) => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok") },
    { gateway: { times: { idleMs: 300 } } },
  ));

test("answers with a body where there is none", () =>
  leavesTheTunnel({
    program: (socket) => socket.end("HTTP/1.1 205 Reset\r\nContent-Length: 5\r\n\r\nhello"),
    async visit(fixture) {
      const answer = await fixture.get("hostile");
      assert.deepEqual([answer.status, answer.body], [205, ""]);
    },
  }));

test("refusals of a WebSocket that are shorter than they said", () =>
  leavesTheTunnel({
    program: (socket) => socket.end("HTTP/1.1 403 No\r\nContent-Length: 5\r\n\r\nok"),
    visit: (fixture) =>
      fixture.raw(`GET / HTTP/1.1\r\nHost: hostile.localhost\r\n${webSocket}\r\n`, giveUpMs),
  }));

test("uploads that are answered before their end", () =>
  leavesTheTunnel({
    program: (socket) => socket.end("HTTP/1.1 413 No\r\nContent-Length: 2\r\n\r\nno"),
    visit: (fixture) =>
      fixture.raw("POST / HTTP/1.1\r\nHost: hostile.localhost\r\nContent-Length: 100\r\n\r\nok", giveUpMs),
  }));

test("uploads whose visitors leave", () =>
  leavesTheTunnel({
    program() {},
    async visit({ port }) {
      const socket = connect(port, "127.0.0.1");
      socket.on("error", () => {});
      socket.write("POST / HTTP/1.1\r\nHost: hostile.localhost\r\nContent-Length: 100\r\n\r\nok");
      await new Promise((resolve) => setTimeout(resolve, 10));
      socket.resetAndDestroy();
    },
  }));

test("answers shorter than they said, from an agent that ends them instead of breaking them off", async () => {
  await using fixture = await GatewayFixture.create();
  fixture.bearers.set("token-older", "older");
  fixture.site("older", { kind: "process", address: "127.0.0.1", port: 9 }, { hostId: "older" });
  const tunnel = await openHostileTunnel(fixture.centralPort, "token-older", {
    answer: (streamId) =>
      Buffer.concat([
        headers(streamId, [
          [":status", "200"],
          ["content-length", "5"],
        ]),
        frame(frameTypes.data, flags.endStream, streamId, "ok"),
      ]),
  });
  await until(() => fixture.tunnels.open("older") !== undefined);
  const session = fixture.tunnels.open("older");
  for (let made = 0; made < visits; made += atOnce) {
    await Promise.all(
      Array.from({ length: atOnce }, () => assert.rejects(fixture.get("older"), { code: "ECONNRESET" })),
    );
  }
  assert.ok(fixture.tunnels.open("older") === session, "it is another tunnel");
  tunnel.destroy();
});

test("a refusal of a WebSocket that breaks off in the middle of its chunks never looks like a whole one", async () => {
  await using fixture = await GatewayFixture.create();
  let program: Socket | undefined;
  await fixture.rawApp("hostile", (socket) => {
    program = socket;
    socket.write("HTTP/1.1 403 No\r\nTransfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n");
  });
  const request = fixture.request("hostile", "/", {
    headers: { connection: "Upgrade", upgrade: "websocket" },
  });
  request.end();
  const [response] = (await once(request, "response")) as [IncomingMessage];
  await once(response, "readable");
  program?.destroy();
  await assert.rejects(bytesOf(response), { code: "ECONNRESET" });
});

test("nothing is kept of an answer whose end has come but not its visitor", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("hostile", (request, response) =>
    response.end(Buffer.alloc(Number(request.url?.slice(1)))),
  );
  const session = fixture.tunnels.open("host-a");
  // Which sizes fill all sockets on the way, but not the tunnel's window, depends on the kernel.
  const visitors = Array.from({ length: 50 }, (_, index) => {
    const socket = connect(fixture.port, "127.0.0.1").pause();
    socket.write(`GET /${2_000_000 + index * 80_000} HTTP/1.1\r\nHost: hostile.localhost\r\n\r\n`);
    return socket;
  });
  await Promise.all(visitors.map((socket) => once(socket, "readable")));
  await new Promise((resolve) => setTimeout(resolve, 1_000)); // what can come has come
  for (const socket of visitors) socket.resetAndDestroy();
  session?.close();
  await until(() => session?.destroyed === true);
});
