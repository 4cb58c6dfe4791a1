import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { Duplex } from "node:stream";
import { test } from "node:test";
import { closeServer, Connections } from "../../central/src/http-server.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

test(
  "the gateway closes while a visitor's WebSocket is open, and ends it at both of its ends",
  { timeout: 120_000 },
  async () => {
    await using fixture = await GatewayFixture.create();
    const connections = new Connections(fixture.server);
    const program = createServer();
    const accepted = new Promise<Duplex>((resolve) => {
      program.on("upgrade", (_request, socket) => {
        socket.on("error", () => {});
        socket.write(
          "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\nhello",
        );
        resolve(socket);
      });
    });
    await fixture.app("chat", program);
    const headers = {
      connection: "Upgrade",
      upgrade: "websocket",
      "sec-websocket-key": "dGhlIHNhbXBsZSBub25jZQ==",
      "sec-websocket-version": "13",
    };
    const visit = fixture.request("chat", "/", { headers });
    visit.end();
    const [, socket, head] = (await once(visit, "upgrade")) as [unknown, Duplex, Buffer];
    if (head.length === 0) await once(socket, "data");
    socket.on("error", () => {}).resume();
    const ofProgram = await accepted;
    ofProgram.once("end", () => ofProgram.destroy()).resume();

    const ends = [once(socket, "close"), once(ofProgram, "close")];
    await closeServer(fixture.server, connections);
    await Promise.all(ends);
    assert.ok(fixture.tunnels.open("host-a") !== undefined, "not by the tunnel's end");
  },
);
