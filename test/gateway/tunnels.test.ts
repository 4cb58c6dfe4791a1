/** Tests the life of a tunnel: found dead, back again, replaced, refused. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { GatewayFixture } from "./gateway-fixture.ts";
import { createWire } from "./wire.ts";

const quickAgent = { backOffMinMs: 10, backOffMaxMs: 50 };
/** Long enough for a busy machine. */
const heartbeat = { pingMs: 50, pongMs: 3_000 };

test("a killed tunnel is back by itself; visits under way break and waiting ones go through", async () => {
  await using fixture = await GatewayFixture.create({ ingress: { times: quickAgent } });
  let begun = 0;
  await fixture.app("blog", (request, response) => {
    begun += 1;
    if (request.url === "/open") response.write("begun");
    else response.end("blog");
  });
  for (let turn = 1; turn <= 3; turn++) {
    const broken = fixture.request("blog", "/open");
    broken.end();
    const [response] = await once(broken, "response");
    const breaking = assert.rejects(async () => {
      for await (const _ of response);
    });
    for (const socket of fixture.tunnelSockets) socket.destroy();
    await breaking;
    assert.equal((await fixture.get("blog")).body, "blog", "the next visit waits for the tunnel");
    assert.equal(begun, turn * 2);
  }
});

test("a visit soon after central's start waits longer for its host, which has not noticed that yet", async () => {
  await using fixture = await GatewayFixture.create({
    gateway: { times: { hostMs: 0, returnMs: 60_000 } },
  });
  await fixture.app("blog", (_, response) => response.end("blog"));
  Object.assign(fixture.sites.get("blog") ?? {}, { hostId: "host-b" });
  const visit = fixture.get("blog");
  await new Promise((resolve) => setTimeout(resolve, 500)); // an agent's pause between two tries
  fixture.bearers.set("token-b", "host-b");
  fixture.startIngress({ bearer: () => "token-b" });
  const { status, body } = await visit;
  assert.deepEqual([status, body], [200, "blog"]);
});

test("a tunnel that goes silent without closing is found out by both ends", async () => {
  await using fixture = await GatewayFixture.create({ tunnels: { times: heartbeat } });
  using wire = await createWire(fixture.centralPort);
  const ingress = fixture.startIngress({
    times: { ...quickAgent, ...heartbeat },
    centralUrl: `http://127.0.0.1:${wire.port}`,
    bearer: () => "token-b",
  });
  fixture.bearers.set("token-b", "host-b");
  await until(() => fixture.tunnels.open("host-b") !== undefined && ingress.isConnected());
  const session = fixture.tunnels.open("host-b");
  // It lives longer than a ping and its deadline while the line works.
  await new Promise((resolve) => setTimeout(resolve, 4_000));
  assert.equal(fixture.tunnels.open("host-b"), session);
  wire.blackHole();
  // Central ends the old one, and the agent, which has noticed too, dials a new one.
  await until(
    () =>
      session?.destroyed === true && fixture.tunnels.open("host-b") !== undefined && ingress.isConnected(),
  );
  assert.notEqual(fixture.tunnels.open("host-b"), session);
});

test("the newest tunnel of a host wins, and what is under way on the older one may finish", async () => {
  await using fixture = await GatewayFixture.create();
  let finish: (() => void) | undefined;
  await fixture.app("blog", (_, response) => {
    response.write("first ");
    finish = () => response.end("last");
  });
  const request = fixture.request("blog", "/");
  request.end();
  const [response] = await once(request, "response");
  const older = fixture.tunnels.open("host-a");
  const second = fixture.startIngress({
    findTarget: () => ({
      kind: "process",
      address: "127.0.0.1",
      port: 9,
      runNumber: 1,
      isStarting: false,
    }),
    times: { listenMs: 0 },
  });
  await until(() => second.isConnected() && fixture.tunnels.open("host-a") !== older);
  assert.equal((await fixture.get("blog")).status, 502, "a new visit goes to the newest");
  finish?.();
  let body = "";
  for await (const chunk of response) body += chunk;
  assert.equal(body, "first last");
});

test("disconnecting a host cuts it at once, and without a bearer it stays away", async () => {
  await using fixture = await GatewayFixture.create({
    gateway: { times: { hostMs: 50 } },
    ingress: { times: quickAgent },
  });
  await fixture.app("blog", (_, response) => response.end("blog"));
  assert.equal((await fixture.get("blog")).status, 200);
  fixture.bearers.clear();
  fixture.tunnels.disconnect("host-a");
  assert.equal(fixture.tunnels.open("host-a"), undefined);
  assert.equal((await fixture.get("blog")).status, 503);
  await until(() => fixture.tunnelSockets.size >= 3); // it tries and is refused
  assert.equal(fixture.tunnels.open("host-a"), undefined);
  fixture.bearers.set("token-a", "host-a");
  await until(() => fixture.tunnels.open("host-a") !== undefined);
  assert.equal((await fixture.get("blog")).status, 200);
});

test("visitors who cancel thousands of visits do not end the tunnel that all share", async () => {
  await using fixture = await GatewayFixture.create();
  await fixture.app("slow", (_, response) => void response.write("x"));
  await fixture.app("blog", (_, response) => response.end("blog"));
  const session = fixture.tunnels.open("host-a");
  for (let batch = 0; batch < 16; batch++) {
    await Promise.all(
      Array.from({ length: 100 }, async () => {
        const request = fixture.request("slow", "/");
        request.on("error", () => {}).end();
        await once(request, "response");
        request.destroy();
      }),
    );
  }
  assert.equal((await fixture.get("blog")).body, "blog");
  assert.equal(fixture.tunnels.open("host-a"), session);
});
