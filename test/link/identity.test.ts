/** Tests who may speak for a host on the link, and for how long. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { loadIdentity, joinCluster } from "@tijolo/protocol/kit/link";
import { helloSignatureText } from "@tijolo/protocol";
import { sampleState } from "../support/samples.ts";
import { until } from "../support/until.ts";
import { LinkBench } from "./link-bench.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId } from "./samples.ts";

test("a token makes one host, also when 50 machines use it at once", async () => {
  await using bench = await LinkBench.create();
  bench.backend.tokens.add("single");
  const identities = await Promise.all(
    Array.from({ length: 50 }, (_, index) => loadIdentity(join(bench.directory, `key-${index}`))),
  );
  const outcomes = await Promise.allSettled(
    identities.map((identity, index) =>
      joinCluster({ centralUrl: bench.url, token: "single", name: `host-${index}`, identity }),
    ),
  );
  assert.equal(outcomes.filter(({ status }) => status === "fulfilled").length, 1);
  const [refused] = outcomes.filter((outcome) => outcome.status === "rejected");
  assert.match(String(refused?.reason), /cluster host add/);
  assert.equal(bench.backend.keys.size, 1);
});

test("the host's key is made in a file for its owner alone, and only its public half is sent", async () => {
  await using bench = await LinkBench.create();
  const path = join(bench.directory, "host.key");
  const identity = await loadIdentity(path);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
  assert.match(await readFile(path, "utf8"), /PRIVATE KEY/);
  assert.equal((await loadIdentity(path)).publicKey, identity.publicKey);
  assert.equal(Buffer.from(identity.publicKey, "base64url").length, 32);
});

test("a draft that a killed agent has left holds up no key, and does not stay", async () => {
  await using bench = await LinkBench.create();
  const path = join(bench.directory, "host.key");
  // As an earlier agent named it, of a process number that came again, as in a container.
  await writeFile(`${path}.${process.pid}.new`, "", { mode: 0o600 });
  const { publicKey } = await loadIdentity(path);
  await writeFile(`${path}.0123456789ab.new`, await readFile(path), { mode: 0o600 });
  assert.equal((await loadIdentity(path)).publicKey, publicKey);
  assert.deepEqual(
    (await readdir(bench.directory)).filter((name) => name.startsWith("host.key")),
    ["host.key"],
  );
});

test("an agent says no more than is read, and one of before that says more is as welcome", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const entry = {
    sequence: 1,
    projectId: makeTestId(),
    generation: 1,
    event: { kind: "state", state: sampleState() },
  };
  const usage = { uptimeMs: 1, host: { memoryUsedMb: 1, cpuPercent: 1, diskFreeMb: 1 }, projects: [] };
  const at = "2026-01-01T00:00:00.000Z";
  using agent = await RawAgent.open(bench.port);
  await agent.hello(host);
  await agent.call("report", { entries: [entry] });
  await agent.call("usage", usage);
  using earlier = await RawAgent.open(bench.port);
  const running = Array.from({ length: 10_000 }, (_, index) => ({
    projectId: entry.projectId,
    generation: 1,
    runNumber: index,
  }));
  await earlier.hello(host, { more: { bootId: "boot", agentId: "agent", running } });
  await earlier.call("report", { entries: [{ ...entry, sequence: 2, at }] });
  await earlier.call("usage", { ...usage, at });
  assert.equal(bench.backend.effects.length, 2);
  assert.equal(bench.backend.usage.length, 2);
});

test("a wrong key, another host's name, an old nonce and a missing challenge are refused alike", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const other = await bench.joinHost("other");
  const tries: Record<string, (agent: RawAgent) => Promise<unknown>> = {
    "another host's key": (agent) => agent.hello({ hostId: host.hostId, identity: other.identity }),
    "another host's name": (agent) => agent.hello(host, { signedHostId: other.hostId }),
    "an old nonce": (agent) => agent.hello(host, { nonce: randomBytes(32).toString("base64url") }),
    "another socket": async (agent) => {
      const { nonce } = (await agent.call("challenge")) as { nonce: string };
      const signature = host.identity.sign(
        helloSignatureText({ hostId: host.hostId, socket: "control", nonce }),
      );
      return agent.call("hello", agent.helloInput(host.hostId, "bulk", signature));
    },
    "no challenge": (agent) =>
      agent.call("hello", agent.helloInput(host.hostId, "control", host.identity.sign("x"))),
  };
  for (const [title, say] of Object.entries(tries)) {
    using agent = await RawAgent.open(bench.port);
    await assert.rejects(say(agent), /UNAUTHORIZED/, title);
    await until(() => agent.closeCode === 4004);
    assert.ok(
      agent.answers.every(({ error }) => error?.data.stack === undefined),
      "no stack trace leaves central",
    );
  }
  assert.equal(bench.backend.isConnected(host.hostId), false);
  using agent = await RawAgent.open(bench.port);
  await agent.hello(host);
  assert.equal(bench.backend.isConnected(host.hostId), true);
});

test("a nonce of one connection does not serve another", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using first = await RawAgent.open(bench.port);
  using second = await RawAgent.open(bench.port);
  const { nonce } = (await first.call("challenge")) as { nonce: string };
  await second.call("challenge");
  const signature = host.identity.sign(`tijolo-link-hello\n${host.hostId}\ncontrol\n${nonce}\n`);
  await assert.rejects(
    second.call("hello", second.helloInput(host.hostId, "control", signature)),
    /UNAUTHORIZED/,
  );
  await first.call("hello", first.helloInput(host.hostId, "control", signature));
});

test("before its hello a connection can call nothing else, and each socket only its own calls", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using stranger = await RawAgent.open(bench.port);
  const calls = [
    ["report", { entries: [] }, "mutation"],
    [
      "usage",
      {
        uptimeMs: 1,
        host: { memoryUsedMb: 1, cpuPercent: 1, diskFreeMb: 1 },
        projects: [],
      },
      "mutation",
    ],
    ["answer", { requestId: "1", items: [], end: { kind: "done" } }, "mutation"],
  ] as const;
  for (const [path, input] of calls) await assert.rejects(stranger.call(path, input), /UNAUTHORIZED/, path);
  for (const [path, input] of [
    ["desired", { revision: 0, setHash: "" }],
    ["requests", undefined],
  ] as const) {
    await stranger.call(path, input, "subscription").catch(() => {});
    await until(() => stranger.answers.some(({ error }) => error?.data.code === "UNAUTHORIZED"));
    stranger.answers.length = 0;
  }
  using control = await RawAgent.open(bench.port);
  await control.hello(host);
  await assert.rejects(control.call("answer", calls[2][1]), /UNAUTHORIZED/);
  using bulk = await RawAgent.open(bench.port);
  await bulk.hello(host, { socket: "bulk" });
  await assert.rejects(bulk.call("report", { entries: [] }), /UNAUTHORIZED/);
});

test("a connection that says no hello in time is closed", async () => {
  await using bench = await LinkBench.create({ helloMs: 100 });
  using agent = await RawAgent.open(bench.port);
  await until(() => agent.closeCode === 4000);
});

test("the newest connection of a host wins and the older one loses its bearer and its calls", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  using first = await RawAgent.open(bench.port);
  const { bearer } = await first.hello(host);
  assert.equal(bench.server.hostOfBearer(bearer), host.hostId);
  using second = await RawAgent.open(bench.port);
  await second.hello(host);
  await until(() => first.closeCode === 4001);
  assert.equal(bench.server.hostOfBearer(bearer), undefined);
  assert.equal(bench.backend.isConnected(host.hostId), true);
  assert.deepEqual(bench.backend.disconnected, []);
  second.webSocket.terminate();
  await until(() => bench.backend.disconnected.length === 1);
  assert.equal(bench.backend.isConnected(host.hostId), false);
});

test("two agents with one identity do not fight faster than the back-off allows", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  bench.connect(host, { bounds: { backOffMinMs: 100, backOffMaxMs: 2_000 } });
  bench.connect(host, { bounds: { backOffMinMs: 100, backOffMaxMs: 2_000 } });
  await until(() => bench.backend.connected.length >= 2);
  const startedAtMs = performance.now();
  await until(() => performance.now() - startedAtMs > 3_000);
  assert.ok(bench.backend.connected.length < 40, `${bench.backend.connected.length} connections`);
});

test("a revoked host is cut at once, stays out, and its agent goes on asking slowly", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const link = bench.connect(host, { bounds: { refusedMs: 100 } });
  await until(() => link.state === "connected");
  const bearer = link.bearer()?.bearer ?? "";
  const key = bench.backend.keys.get(host.hostId) ?? "";
  bench.backend.keys.delete(host.hostId);
  bench.server.disconnect(host.hostId);
  assert.equal(bench.backend.isConnected(host.hostId), false);
  assert.equal(bench.server.hostOfBearer(bearer), undefined);
  await until(() => host.logger.has("refuses this host"));
  assert.equal(link.bearer(), undefined);
  bench.backend.keys.set(host.hostId, key);
  await until(() => link.state === "connected");
});

test("a host revoked in the middle of its hello does not get in", async () => {
  await using bench = await LinkBench.create();
  const host = await bench.joinHost();
  const { backend } = bench;
  const findHostKey = backend.findHostKey.bind(backend);
  backend.findHostKey = async (hostId) => {
    const key = await findHostKey(hostId);
    backend.keys.delete(hostId);
    bench.server.disconnect(hostId);
    return key;
  };
  using agent = await RawAgent.open(bench.port);
  await assert.rejects(agent.hello(host));
  assert.equal(bench.backend.isConnected(host.hostId), false);
  assert.deepEqual(backend.connected, []);
});
