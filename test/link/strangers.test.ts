/** Tests strangers on the link: how much one network of them can take of connections, log and database. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { backOffMs, linkTimes } from "@tijolo/protocol";
import { WebSocket } from "ws";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId } from "./samples.ts";

const elsewhere = "127.0.0.2";

async function openIdle(
  port: number,
  localAddress: string,
): Promise<{ webSocket: WebSocket; isIn: boolean }> {
  const webSocket = new WebSocket(`ws://127.0.0.1:${port}/link`, { localAddress });
  const isIn = await new Promise<boolean>((resolve) => {
    webSocket.once("open", () => resolve(true)).once("error", () => resolve(false));
  });
  return { webSocket, isIn };
}

test("one network without a hello has 32 places, and everybody else comes in beside it", async () => {
  await using bench = await LinkBench.create({ helloMs: 60_000 });
  const host = await bench.joinHost();
  const idle = await Promise.all(Array.from({ length: 200 }, () => openIdle(bench.port, elsewhere)));
  assert.equal(idle.filter(({ isIn }) => isIn).length, 32);
  const link = bench.connect(host);
  await until(() => link.state === "connected");
  for (const { webSocket } of idle) webSocket.terminate();
  await until(async () => {
    const { webSocket, isIn } = await openIdle(bench.port, elsewhere);
    webSocket.terminate();
    return isIn;
  });
});

test("a stranger has one try, and a thousand of them are two lines of the log", async () => {
  await using bench = await LinkBench.create({ maxStrangersPerNetwork: 100 });
  let joins = 0;
  const join = bench.backend.join.bind(bench.backend);
  bench.backend.join = (request) => {
    joins += 1;
    return join(request);
  };
  const input = { token: "wrong", name: "x", publicKey: randomBytes(32).toString("base64url") };
  using agent = await RawAgent.open(bench.port);
  const batch = Array.from({ length: 20 }, (_, id) => ({
    id,
    method: "mutation",
    params: { path: "join", input },
  }));
  agent.webSocket.send(JSON.stringify(batch));
  await until(() => agent.closeCode === 4004);
  assert.equal(joins, 1);
  for (let round = 0; round < 20; round++) {
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        using stranger = await RawAgent.open(bench.port);
        if (index % 3 === 0) stranger.webSocket.send("no frame");
        else
          await assert.rejects(
            index % 3 === 1 ? stranger.call("join", input) : stranger.call("hello", { x: 1 }),
          );
        await until(() => stranger.closeCode !== undefined);
      }),
    );
  }
  const { logger } = bench;
  await bench.stopCentral();
  assert.equal(
    logger.entries.filter(({ level }) => level !== "info").length,
    2,
    JSON.stringify(logger.entries.slice(0, 5)),
  );
  assert.ok(logger.has("more strangers were refused"));
});

test(
  "1,000 agents of one network, 50 ms away, get in when they come at once",
  { timeout: 120_000 },
  async (t) => {
    await using bench = await LinkBench.create();
    const { identity } = await bench.joinHost();
    await using line = await FaultyProxy.start(bench.port);
    line.delayMs = 25;
    let refused = 0;
    const startedMs = performance.now();
    const comeIn = async () => {
      const hostId = makeTestId();
      bench.backend.keys.set(hostId, identity.publicKey);
      for (let attempt = 1; ; attempt++) {
        const agent = await RawAgent.open(line.port).catch(() => undefined);
        if (agent !== undefined) return agent.hello({ hostId, identity }).then(() => agent);
        refused += 1;
        await delay(
          backOffMs(attempt, {
            minMs: linkTimes.backOffMinMs,
            maxMs: linkTimes.backOffMaxMs,
            random: Math.random,
          }),
        );
      }
    };
    const agents = await Promise.all(Array.from({ length: 1_000 }, comeIn));
    t.diagnostic(
      `all in after ${Math.round(performance.now() - startedMs)} ms; ${refused} attempts were refused`,
    );
    assert.equal(bench.backend.connected.length, 1_000);
    for (const agent of agents) agent[Symbol.dispose]();
  },
);
