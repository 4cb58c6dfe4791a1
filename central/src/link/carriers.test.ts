/** The bounds of a carrier, which need no cluster: silence, pings, and the share of one host. */

import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { test } from "node:test";
import { carried, carrierPath } from "@tijolo/protocol";
import { WebSocket } from "ws";
import { RecordingLogger } from "../../../test/support/recording-logger.ts";
import { until } from "../../../test/support/until.ts";
import { Carriers } from "./carriers.ts";
import { defaultLinkBounds } from "./link-options.ts";

const [a, b] = ["01ARZ3NDEKTSV4RRFFQ69G5FAA", "01ARZ3NDEKTSV4RRFFQ69G5FAB"] as const;

/** Carriers of hosts whose bearers are their ids, and who are all neighbours. */
async function serve(maxCarriedFrames = defaultLinkBounds.maxCarriedFrames) {
  const logger = new RecordingLogger();
  const carriers = new Carriers({
    hostOfBearer: (bearer) => bearer,
    areNeighbours: () => true,
    bounds: { ...defaultLinkBounds, maxCarriedFrames },
    logger,
    vouch: () => {},
  });
  const server = createServer().on("upgrade", (request, socket, head) =>
    carriers.handleUpgrade(request, socket, head),
  );
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: WebSocket[] = [];
  return {
    carriers,
    logger,
    async open(hostId: string) {
      const headers = { authorization: `Bearer ${hostId}` };
      const webSocket = new WebSocket(`ws://127.0.0.1:${port}${carrierPath}`, { headers });
      sockets.push(webSocket);
      await new Promise((resolve, reject) => webSocket.once("open", resolve).once("error", reject));
      await until(() => logger.entries.some(({ fields }) => fields["hostId"] === hostId));
      return webSocket;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.terminate();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const isCut = (logger: RecordingLogger) => logger.entries.some(({ message }) => message === "carrier cut");

test("a carrier is pinged, and lives while it answers", async () => {
  await using served = await serve();
  const webSocket = await served.open(a);
  const pinged = new Promise((resolve) => webSocket.once("ping", resolve));
  served.carriers.sweep(performance.now() + defaultLinkBounds.pingMs + 1);
  await pinged;
  served.carriers.sweep(performance.now() + defaultLinkBounds.pingMs);
  assert.equal(isCut(served.logger), false);
});

test("a carrier that is silent is cut", async () => {
  await using served = await serve();
  const webSocket = await served.open(a);
  const { pingMs, pongMs } = defaultLinkBounds;
  served.carriers.sweep(performance.now() + pingMs + pongMs + 1);
  await new Promise((resolve) => webSocket.once("close", resolve));
  assert.ok(isCut(served.logger));
});

test("a host that pings and does not read gets no pongs beyond its queue", async () => {
  await using served = await serve(1_000_000);
  const webSocket = await served.open(a);
  webSocket.pause();
  const text = Buffer.alloc(125);
  const sent = 300_000;
  for (let index = 0; index < sent; index++) {
    webSocket.ping(text);
    if (index % 5_000 === 0) await until(() => webSocket.bufferedAmount < 100_000);
  }
  let pongs = 0;
  webSocket.on("pong", () => (pongs += 1));
  webSocket.resume();
  const last = Buffer.from("last");
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => webSocket.ping(last), 20);
    webSocket.on("pong", (data) => {
      if (!data.equals(last)) return;
      clearInterval(timer);
      resolve();
    });
  });
  // What came lay in the queue and in the buffers of the system's sockets.
  assert.ok(pongs * text.length < 16 * 1024 * 1024, `${pongs} of ${sent} pongs came`);
});

test("a host that sends more than its share waits for the next turn, and loses nothing", async () => {
  await using served = await serve(10);
  const [from, to] = [await served.open(a), await served.open(b)];
  let received = 0;
  to.on("message", () => (received += 1));
  // Two buffers of a socket, of 64 KB each, may be read in one turn: this is ten turns and more.
  const datagrams = 700;
  const startedAtMs = performance.now();
  for (let index = 0; index < datagrams; index++) from.send(carried(b, Buffer.alloc(2_000)));
  await until(() => received === datagrams);
  const tookMs = performance.now() - startedAtMs;
  assert.ok(tookMs > 300, `${tookMs} ms`);
});
