/**
 * Tests the carrier over real WebSockets: datagrams go between hosts that have an account in common, and nobody
 * else's, and none of them costs the others.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { carrierQueueBytes, maxCarriedBytes } from "@tijolo/protocol";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { MeshHost, TestCarrier } from "./mesh-host.ts";

/** A cluster with two hosts that have an account in common, and a third that has none with them. */
async function scene() {
  const cluster = await TestCluster.create({ hosts: 0 });
  const [{ id: accountId }, { id: otherId }] = [await cluster.createAccount(), await cluster.createAccount()];
  const a = await MeshHost.member(cluster, "a");
  const b = await MeshHost.member(cluster, "b");
  const stranger = await MeshHost.member(cluster, "stranger");
  const onA = await a.place(accountId);
  await b.place(accountId);
  await stranger.place(otherId);
  await until(() => a.knows(b).length === 1 && b.knows(a).length === 1);
  return {
    cluster,
    a,
    b,
    stranger,
    onA,
    async [Symbol.asyncDispose]() {
      for (const host of [a, b, stranger]) host[Symbol.dispose]();
      await cluster[Symbol.asyncDispose]();
    },
  };
}

test("a datagram goes both ways, and says who sent it", async () => {
  await using here = await scene();
  const { a, b } = here;
  using ofA = await a.openCarrier();
  using ofB = await b.openCarrier();
  ofA.send(b, "ping");
  await until(() => ofB.received.length === 1);
  ofB.send(a, "pong");
  ofB.send(a, randomBytes(maxCarriedBytes));
  await until(() => ofA.received.length === 2);
  assert.deepEqual(ofB.received, [{ hostId: a.hostId, text: "ping", bytes: 4 }]);
  assert.deepEqual(
    ofA.received.map(({ hostId, bytes }) => [hostId, bytes]),
    [
      [b.hostId, 4],
      [b.hostId, maxCarriedBytes],
    ],
  );
});

test("only datagrams of neighbours are carried, and from the moment on in which they are none", async () => {
  await using here = await scene();
  const { a, b, stranger, onA } = here;
  using ofA = await a.openCarrier();
  using ofB = await b.openCarrier();
  using ofStranger = await stranger.openCarrier();
  ofStranger.send(b, "from a stranger");
  ofB.send(stranger, "to a stranger");
  ofB.send(b, "to itself");
  ofA.send(b, "one");
  await until(() => ofB.received.length > 0);
  await a.remove(onA);
  await until(() => b.knows(a).length === 0);
  ofA.send(b, "too late");
  ofStranger.send(b, "again");
  for (const { webSocket } of [ofA, ofStranger, ofB]) {
    webSocket.ping();
    await new Promise((resolve) => webSocket.once("pong", resolve));
  }
  assert.deepEqual(
    ofB.received.map(({ text }) => text),
    ["one"],
  );
  assert.deepEqual(ofStranger.received, []);
});

test("strangers are refused, and a carrier ends with the connection that it came with", async () => {
  await using here = await scene();
  const { a, b, cluster } = here;
  for (const bearer of [null, "", "x", randomBytes(32).toString("base64url"), "a b", "x".repeat(5_000)])
    await assert.rejects(TestCarrier.open(cluster, bearer), /401/, String(bearer));
  using ofA = await a.openCarrier();
  using ofB = await b.openCarrier();
  a[Symbol.dispose]();
  await until(() => ofA.closeCode === 4004);
  await assert.rejects(a.openCarrier(), /401/, "its bearer is gone");
  await a.connect();
  using again = await a.openCarrier();
  ofB.send(a, "hello");
  await until(() => again.received.length === 1);
});

test("a newer carrier of a host replaces the one before", async () => {
  await using here = await scene();
  const { a, b } = here;
  using ofB = await b.openCarrier();
  using first = await a.openCarrier();
  using second = await a.openCarrier();
  await until(() => first.closeCode === 4001);
  ofB.send(a, "hello");
  await until(() => second.received.length === 1);
  assert.deepEqual(first.received, []);
});

test("what is no datagram ends that carrier alone", async () => {
  await using here = await scene();
  const { a, b } = here;
  using ofB = await b.openCarrier();
  const wrong: [string, string | Buffer, number][] = [
    ["text", "hello", 1007],
    ["nothing", Buffer.alloc(0), 1007],
    ["an id that is none", Buffer.from([4, 1, 2, 3, 4, 5]), 1007],
    ["a length beyond the end", Buffer.from([255, 1]), 1007],
    [
      "a datagram that is too long",
      Buffer.concat([Buffer.from([26]), Buffer.from(b.hostId), Buffer.alloc(2_049)]),
      1007,
    ],
    ["a frame that is too long", Buffer.alloc(1_000_000), 1009],
  ];
  for (const [title, message, code] of wrong) {
    using ofA = await a.openCarrier();
    ofA.webSocket.send(message);
    await until(() => ofA.closeCode !== undefined);
    assert.equal(ofA.closeCode, code, title);
  }
  using ofA = await a.openCarrier();
  ofA.send(b, "good");
  await until(() => ofB.received.length === 1);
});

test("a host that does not read its datagrams loses them beyond its queue", async (t) => {
  await using here = await scene();
  const { a, b } = here;
  using ofA = await a.openCarrier();
  using ofB = await b.openCarrier();
  ofB.webSocket.pause();
  const datagram = Buffer.alloc(1_400);
  let sent = 0;
  while (sent < 40_000) {
    for (let index = 0; index < 1_000; index++) ofA.send(b, datagram);
    sent += 1_000;
    await until(() => ofA.webSocket.bufferedAmount < carrierQueueBytes);
  }
  ofB.webSocket.resume();
  await until(() => {
    ofA.send(b, "last"); // it is dropped as long as the queue is full
    return ofB.received.at(-1)?.text === "last";
  });
  // What came lay in the queue and in the buffers of the system's sockets.
  const came = ofB.received.reduce((sum, { bytes }) => sum + bytes, 0);
  t.diagnostic(`${Math.round(came / 1024)} of ${Math.round((sent * 1_400) / 1024)} KB came`);
  assert.ok(came < 16 * 1024 * 1024, `${came} bytes`);
});

test("a flood of one host leaves the others their carriers and the API its answers", async (t) => {
  await using here = await scene();
  const { a, b, stranger, cluster } = here;
  using ofA = await a.openCarrier();
  using ofB = await b.openCarrier();
  using flooder = await stranger.openCarrier();
  let isOver = false;
  let flooded = 0;
  const flood = (async () => {
    while (!isOver) {
      if (flooder.webSocket.bufferedAmount < 1024 * 1024)
        for (let index = 0; index < 500; index++, flooded++) flooder.send(b, "x");
      await new Promise((resolve) => setImmediate(resolve));
    }
  })();
  const times: number[] = [];
  for (let round = 0; round < 200; round++) {
    const startedAtMs = performance.now();
    const came = ofB.received.length;
    ofA.send(b, "quick");
    await until(() => ofB.received.length > came, { everyMs: 1 });
    times.push(performance.now() - startedAtMs);
  }
  await cluster.operator.hosts();
  isOver = true;
  await flood;
  assert.ok(flooded > 1_000);
  const middle = times.toSorted((one, other) => one - other)[100] ?? 0;
  t.diagnostic(`${flooded} datagrams of the flood; a datagram beside it takes ${middle.toFixed(1)} ms`);
  assert.ok(ofB.received.every(({ hostId }) => hostId === a.hostId));
});
