/**
 * No WebSocket of a hostile visitor with a hostile program costs gateway or agent a descriptor for good,
 * whichever of them stays.
 */

import assert from "node:assert/strict";
import { readdir } from "node:fs/promises";
import type { Socket } from "node:net";
import { test } from "node:test";
import { converse, endings, gatewayConversations } from "../support/requests/hostile-conversations.ts";
import { until } from "../support/until.ts";
import { GatewayFixture } from "./gateway-fixture.ts";

const accepted = "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n";

/**
 * Programs by what they do with a connection once a request has arrived. None of them ends by itself unless
 * it says so.
 */
const programs: Record<string, (socket: Socket) => void> = {
  "accepts and stays": (socket) => socket.write(accepted),
  "accepts and reads no more": (socket) => void socket.pause().write(accepted),
  "accepts, sends without end and stays": (socket) => {
    socket.write(accepted);
    const timer = setInterval(() => socket.write("x".repeat(10_000)), 20);
    socket.once("close", () => clearInterval(timer));
  },
  "accepts and half-closes": (socket) => socket.end(accepted),
  "accepts and resets": (socket) => void socket.write(accepted, () => socket.resetAndDestroy()),
  "switches to another protocol": (socket) => socket.write(accepted.replace("websocket", "h2c")),
  "refuses and stays": (socket) =>
    socket.write("HTTP/1.1 403 Forbidden\r\nContent-Length: 2\r\n\r\nno and more"),
  "refuses without end": (socket) => socket.write("HTTP/1.1 403 Forbidden\r\n\r\nno"),
  "says something else": (socket) => socket.write("SSH-2.0-OpenSSH\r\n"),
  "says nothing": () => {},
};

/** The one that reaches a program. */
const ofSite = gatewayConversations.find(({ title }) => title === "a WebSocket of a site") ?? assert.fail();
const slack = 1;

for (const [title, program] of Object.entries(programs)) {
  test(
    `when a program ${title}, no descriptor is held after any visitor has left`,
    { timeout: 60_000 },
    async () => {
      const times = { headMs: 1_000, idleMs: 3_000 };
      await using fixture = await GatewayFixture.create({ gateway: { times }, ingress: { times } });
      const ofProgram = new Set<Socket>();
      await fixture.rawApp("blog", (socket) => {
        ofProgram.add(socket.once("close", () => ofProgram.delete(socket)));
        program(socket);
      });
      const before = await openDescriptors();
      // A visitor who stays, and a program that goes on sending, have a WebSocket in use.
      const over = endings.filter(
        (ending) => !title.includes("without end and stays") || !ending.endsWith("stays"),
      );
      for (const ending of over) {
        const held: Socket[] = [];
        const sockets = await Promise.all([1, 2, 3, 4].map(() => converse(fixture.port, ofSite, ending)));
        held.push(...sockets.filter((socket) => socket !== undefined));
        const own = () => held.filter(({ destroyed }) => !destroyed).length + ofProgram.size;
        let kept = 0;
        await until(async () => (kept = (await openDescriptors()) - own() - before) <= slack).catch(() => {});
        assert.ok(kept <= slack, `${kept} are held when a visitor ${ending}`);
        for (const socket of held) socket.destroy();
        for (const socket of ofProgram) socket.destroy();
      }
    },
  );
}

async function openDescriptors(): Promise<number> {
  return (await readdir("/proc/self/fd")).length;
}
