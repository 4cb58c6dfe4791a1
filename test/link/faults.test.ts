/**
 * Peers that are silent, slow, hostile or many: the link notices in time, stays up for the others, and holds
 * little memory.
 */

import assert from "node:assert/strict";
import { randomBytes, randomInt } from "node:crypto";
import { connect } from "node:net";
import { test } from "node:test";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { LinkSocket } from "@tijolo/protocol";
import { FaultyProxy } from "../support/machine/faulty-proxy.ts";
import { until } from "../support/until.ts";
import { LinkBench, quickTimes, type TestHost } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId, sampleAssignment } from "./samples.ts";

test("an agent notices a central that has gone silent, and connects again when it answers", async (t) => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  await using proxy = await FaultyProxy.start(bench.port);
  const link = bench.connect(host, { url: `http://127.0.0.1:${proxy.port}`, bounds: quickTimes });
  await until(() => link.state === "connected");
  proxy.mode = "silent";
  const startedAtMs = performance.now();
  await until(() => link.state === "connecting");
  t.diagnostic(
    `noticed after ${Math.round(performance.now() - startedAtMs)} ms of ${quickTimes.pingMs + quickTimes.pongMs}`,
  );
  assert.equal(link.bearer(), undefined);
  proxy.mode = "pass";
  proxy.cut();
  await until(() => link.state === "connected");
});

test("an agent that is back answers for its logs at once, however long its bulk connection was to pause", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  let fraction = 0.99999;
  const link = bench.connect(host, {
    bounds: { backOffMinMs: 60_000, backOffMaxMs: 60_000 },
    random: () => fraction,
  });
  const ends = (socket: string) =>
    host.logger.entries.filter(({ fields }) => fields.socket === socket && "delayMs" in fields);
  const replace = async (socket: LinkSocket) => {
    using stranger = await RawAgent.open(bench.port);
    await stranger.hello(host, { socket });
    await until(() => ends(socket).length === 1);
  };
  await until(() => host.logger.entries.filter(({ message }) => message === "link: connected").length === 2);
  await replace("bulk");
  assert.ok(Number(ends("bulk")[0]?.fields.delayMs) > 59_000);
  fraction = 0;
  await replace("control");
  await until(() => link.state === "connected");
  const page = { lines: 1, section: "all", follow: false } as const;
  for await (const _ of bench.server.ask(
    host.hostId,
    { kind: "logs", projectId: makeTestId(), query: page },
    AbortSignal.timeout(4_000),
  ));
});

test("central notices an agent that has gone silent, and counts it as gone", async (t) => {
  await using bench = await LinkBench.create(quickTimes);
  const host = await bench.joinHost();
  await using proxy = await FaultyProxy.start(bench.port);
  const link = bench.connect(host, { url: `http://127.0.0.1:${proxy.port}` });
  await until(() => link.state === "connected");
  assert.equal(bench.backend.isConnected(host.hostId), true);
  proxy.mode = "deaf";
  const startedAtMs = performance.now();
  await until(() => bench.backend.disconnected.length === 1);
  t.diagnostic(
    `noticed after ${Math.round(performance.now() - startedAtMs)} ms of ${quickTimes.pingMs + quickTimes.pongMs}`,
  );
  assert.equal(bench.backend.isConnected(host.hostId), false);
});

test("a living connection is heard again and again, without a word from the agent's program", async () => {
  await using bench = await LinkBench.create(quickTimes);
  const host = await bench.joinHost();
  bench.connect(host, { bounds: quickTimes });
  await until(() => (bench.backend.heard.get(host.hostId) ?? 0) >= 3);
});

test("a peer that asks and does not read is cut before central holds much for it", async (t) => {
  await using bench = await LinkBench.create({ maxBufferedBytes: 4 * 1024 * 1024 });
  const host = await bench.joinHost();
  using agent = await RawAgent.open(bench.port);
  await agent.hello(host);
  const assignments = Array.from({ length: 2_000 }, () => sampleAssignment());
  bench.backend.want(host.hostId, assignments);
  agent.webSocket.pause();
  const before = process.memoryUsage().rss;
  let highest = before;
  for (let round = 0; round < 200 && bench.backend.disconnected.length === 0; round++) {
    const id = 1_000 + round;
    if (round > 0) agent.webSocket.send(JSON.stringify({ id: id - 1, method: "subscription.stop" }));
    agent.webSocket.send(
      JSON.stringify({
        id,
        method: "subscription",
        params: { path: "desired", input: { revision: 0, setHash: "" } },
      }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    highest = Math.max(highest, process.memoryUsage().rss);
  }
  await until(() => bench.backend.disconnected.length === 1);
  assert.ok(bench.logger.has("reads too slowly"));
  t.diagnostic(`at most ${Math.round((highest - before) / 1024 / 1024)} MB more`);
  assert.ok(highest - before < 200 * 1024 * 1024);
});

test("a peer that does not drain what it was sent is cut by the write deadline", async () => {
  await using bench = await LinkBench.create({ writeMs: 300, pingMs: 60_000, maxBufferedBytes: 1024 ** 3 });
  const host = await bench.joinHost();
  using agent = await RawAgent.open(bench.port);
  await agent.hello(host);
  bench.backend.want(
    host.hostId,
    Array.from({ length: 2_000 }, () => sampleAssignment()),
  );
  agent.webSocket.pause();
  for (let id = 1_000; id < 1_050; id++) {
    agent.webSocket.send(
      JSON.stringify({
        id,
        method: "subscription",
        params: { path: "desired", input: { revision: 0, setHash: "" } },
      }),
    );
  }
  await until(() => bench.backend.disconnected.length === 1);
  assert.ok(bench.logger.has("does not read"));
});

test(
  "100,000 random frames end connections, not the process, and leave no memory behind",
  { timeout: 120_000 },
  async (t) => {
    await using bench = await LinkBench.create();
    const host = await bench.joinHost();
    const link = bench.connect(host);
    await until(() => link.state === "connected");
    const before = heapMb();
    let sent = 0;
    let connections = 0;
    while (sent < 100_000) {
      const lanes = await Promise.all(Array.from({ length: 20 }, () => RawAgent.open(bench.port)));
      connections += lanes.length;
      await Promise.all(
        lanes.map(async (agent) => {
          const frames = 250;
          // Well-formed ones are answered one by one; the first malformed one is the last that is read.
          const readable = randomInt(frames);
          for (let frame = 0; frame < frames; frame++)
            agent.webSocket.send(frame < readable ? randomWellFormed() : randomFrame());
          sent += frames;
          await until(() => agent.closeCode !== undefined);
        }),
      );
    }
    await until(() => heapMb() - before < 20, { everyMs: 300 });
    t.diagnostic(`${sent} frames over ${connections} connections, ${(heapMb() - before).toFixed(1)} MB more`);
    assert.equal(link.state, "connected");
    assert.equal(bench.backend.isConnected(host.hostId), true);
  },
);

test("an agent that makes more calls at once than an honest one is cut", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using agent = await RawAgent.open(bench.port);
  await agent.hello(host);
  let underWay = 0;
  bench.backend.beforeReport = () => new Promise(() => underWay++);
  for (let id = 1_000; id < 1_100; id++)
    agent.webSocket.send(
      JSON.stringify({ id, method: "mutation", params: { path: "report", input: { entries: [] } } }),
    );
  await until(() => agent.closeCode === 1008);
  assert.equal(underWay, 64);
});

test("random bytes on the socket itself, and an oversized frame, end that connection only", async () => {
  await using bench = await LinkBench.create({ maxFrameBytes: 100_000 });
  const host = await bench.joinHost();
  const link = bench.connect(host);
  await until(() => link.state === "connected");
  for (let round = 0; round < 200; round++) {
    const socket = connect(bench.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      "GET /link HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    socket.end(randomBytes(randomInt(1, 2_000)));
    socket.resume();
  }
  using agent = await RawAgent.open(bench.port);
  agent.webSocket.send(
    JSON.stringify({ id: 1, method: "mutation", params: { path: "challenge", input: "x".repeat(200_000) } }),
  );
  await until(() => agent.closeCode === 1009);
  assert.equal(link.state, "connected");
});

test("what a stranger is refused with says nothing of central's insides", async () => {
  await using bench = await LinkBench.create();
  using agent = await RawAgent.open(bench.port);
  for (const path of ["report", "nothing"]) await assert.rejects(agent.call(path, { entries: [] }));
  assert.deepEqual(
    agent.answers.map(({ error }) => Object.keys(error?.data ?? {}).sort()),
    [
      ["code", "httpStatus", "path"],
      ["code", "httpStatus", "path"],
    ],
  );
});

test("a stranger's upgrade with a hostile Host header or path does no harm", async () => {
  await using bench = await LinkBench.create();
  for (const [path, hostHeader] of [
    ["/link?connectionParams=1", "x"],
    ["/link", "[["],
    ["//link", "x"],
    ["/link%00", "x"],
    ["/link/tunnel", "x"],
  ]) {
    const socket = connect(bench.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(
      `GET ${path} HTTP/1.1\r\nHost: ${hostHeader}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n`,
    );
    await new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
    socket.destroy();
  }
  const host = await bench.joinHost();
  const link = bench.connect(host);
  await until(() => link.state === "connected");
});

test("200 agents come back at once after central's restart", { timeout: 300_000 }, async (t) => {
  await using bench = await LinkBench.create();
  const hosts: TestHost[] = [];
  for (let index = 0; index < 200; index++) hosts.push(await bench.joinHost(`host-${index}`));
  for (const { hostId } of hosts) bench.backend.want(hostId, [sampleAssignment()]);
  const links = hosts.map((host) =>
    bench.connect(host, { bounds: { backOffMinMs: 500, backOffMaxMs: 20_000 } }),
  );
  await until(() => links.every(({ state }) => state === "connected"), { timeoutMs: 120_000, everyMs: 50 });
  await bench.stopCentral();
  await until(() => links.every(({ state }) => state === "connecting"), { timeoutMs: 120_000 });
  bench.backend.epoch++;
  for (const { hostId } of hosts) bench.backend.want(hostId, [sampleAssignment()]);
  const startedAtMs = performance.now();
  await bench.startCentral();
  await until(() => hosts.every(({ ledger }) => ledger.assignments().length === 2), {
    timeoutMs: 120_000,
    everyMs: 50,
  });
  t.diagnostic(`all back with their new assignments after ${Math.round(performance.now() - startedAtMs)} ms`);
});

/** Returns what is in use after a full collection. */
function heapMb(): number {
  setFlagsFromString("--expose-gc");
  const collect: unknown = runInNewContext("gc");
  if (typeof collect === "function") collect();
  const { heapUsed, external } = process.memoryUsage();
  return (heapUsed + external) / 1024 / 1024;
}

function randomWellFormed(): string {
  const paths = [
    "join",
    "challenge",
    "hello",
    "desired",
    "report",
    "usage",
    "requests",
    "answer",
    "__proto__",
    "constructor",
    "",
  ];
  const methods = ["query", "mutation", "subscription", "subscription.stop"];
  const inputs: unknown[] = [null, 1, "x", [], {}, { hostId: "x" }, { entries: [{}] }, { toString: 1 }];
  const pick = <T>(values: readonly T[]) => values[randomInt(values.length)];
  return JSON.stringify({
    id: randomInt(5),
    method: pick(methods),
    params: { path: pick(paths), input: pick(inputs) },
  });
}

function randomFrame(): string | Buffer {
  const kind = randomInt(6);
  if (kind === 0) return randomBytes(randomInt(1, 300));
  if (kind === 1) return randomBytes(randomInt(1, 300)).toString("latin1");
  if (kind === 2) return "[".repeat(randomInt(1, 20_000));
  if (kind === 3) return JSON.stringify({ id: null, method: "mutation", params: { path: "challenge" } });
  if (kind === 4)
    return JSON.stringify(
      Array.from({ length: randomInt(1, 300) }, () => ({ id: 1, method: "query", params: {} })),
    );
  return randomWellFormed().slice(0, randomInt(1, 60));
}
