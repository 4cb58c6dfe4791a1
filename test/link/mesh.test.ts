/**
 * Tests central's half of the mesh over real WebSockets: which hosts and projects a host is told of, and what a
 * hostile one cannot make it tell.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { transact } from "../../central/src/store/store.ts";
import {
  insertGateway,
  revokeGateway,
  saveGatewaySeen,
} from "../../central/src/store/tables/gateways/gateway.ts";
import { loggedLines } from "../support/logged-lines.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { MeshHost, newMeshKey } from "./mesh-host.ts";
import { RawAgent } from "./raw-agent.ts";
import { makeTestId } from "./samples.ts";

interface Scene {
  cluster: TestCluster;
  accountId: string;
  /** Warnings and errors of central, JSON each. */
  lines: string[];
}

async function scene(centralSettings: Record<string, string> = {}): Promise<Scene> {
  const { lines, logger } = loggedLines("warn");
  const cluster = await TestCluster.create({ hosts: 0, centralSettings, logger });
  const { id: accountId } = await cluster.createAccount();
  return { cluster, accountId, lines };
}

/** Resolves once a change elsewhere has had the time to reach the host, were it to. */
async function untilSettled({ cluster }: Scene, host: MeshHost): Promise<void> {
  await cluster.central.app.mesh.settled();
  const told = host.updates.length;
  await host.says({ port: 1_000 + (host.updates.length % 1_000) });
  await until(() => host.updates.length > told);
}

async function meshOf({ cluster }: Scene, host: MeshHost) {
  return (await cluster.operator.hosts()).find(({ id }) => id === host.hostId)?.mesh;
}

test("hosts know each other exactly while an account has projects on both, and its addresses", async () => {
  const here = await scene();
  await using _ = here.cluster;
  const { id: otherId } = await here.cluster.createAccount();
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  assert.deepEqual([a.range, b.range], ["10.200.0.0/21", "10.200.8.0/21"]);
  assert.deepEqual(a.update, {
    range: a.range,
    clashesWith: null,
    members: [],
    projects: [],
    gateways: [],
    mayUse: null,
  });
  const onA = await a.place(here.accountId);
  await a.reports(onA, a.address(10));
  await b.place(otherId);
  const onB = await b.place(here.accountId);
  await until(() => a.knows(b)[0] === "b" && b.knows(a)[0] === "a");
  const { members } = a.update ?? {};
  assert.deepEqual(members, [{ hostId: b.hostId, key: b.key, port: 51_820, range: b.range, address: null }]);
  await until(() => b.addresses[0] === a.address(10));
  assert.deepEqual(b.update?.projects, [
    { projectId: onA, accountId: here.accountId, hostId: a.hostId, address: a.address(10) },
  ]);
  assert.deepEqual(a.addresses, [], "b's project has no address yet");
  await b.reports(onB, b.address(7));
  await until(() => a.addresses[0] === b.address(7));
  await b.reports(onB, null);
  await until(() => a.addresses.length === 0);
  assert.deepEqual(a.knows(b), ["b"], "it is placed there still");
  await b.remove(onB);
  await until(() => a.knows(b).length === 0 && b.knows(a).length === 0 && b.addresses.length === 0);
});

test("several changes at once are one update, and nothing is told twice", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  await a.place(here.accountId);
  const projects = await Promise.all(Array.from({ length: 40 }, () => b.place(here.accountId)));
  await until(() => a.knows(b).length === 1);
  const before = a.updates.length;
  await Promise.all(projects.map((projectId, index) => b.reports(projectId, b.address(index + 1))));
  await until(() => a.addresses.length === 40);
  assert.ok(a.updates.length - before <= 8, `${a.updates.length - before} updates`);
  for (const [index, update] of a.updates.slice(1).entries()) assert.notDeepEqual(update, a.updates[index]);
});

test("an address that is not of the host's range, or another project's, is told to nobody", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using hostile = await MeshHost.member(here.cluster, "hostile");
  using honest = await MeshHost.member(here.cluster, "honest");
  using reader = await MeshHost.member(here.cluster, "reader");
  await reader.place(here.accountId);
  const [victim, forger, second] = [
    await honest.place(here.accountId),
    await hostile.place(here.accountId),
    await hostile.place(here.accountId),
  ];
  await honest.reports(victim, honest.address(5));
  await until(() => reader.addresses.length === 1);
  for (const forged of [honest.address(5), honest.address(6), "127.0.0.1", "8.8.8.8", "10.207.255.1"])
    await hostile.reports(forger, forged);
  await hostile.reports(second, hostile.address(9));
  await until(() => reader.addresses.includes(hostile.address(9)));
  await hostile.reports(forger, hostile.address(9));
  await untilSettled(here, reader);
  assert.deepEqual(reader.addresses, [hostile.address(9), honest.address(5)]);
  const told = reader.updates.flatMap(({ projects }) => projects);
  assert.ok(told.some(({ projectId }) => projectId === second));
  assert.ok(told.every(({ projectId }) => projectId !== forger));
  await hostile.reports(second, null);
  await until(() => reader.update?.projects.some(({ projectId }) => projectId === forger));
});

test("a host with another one's range is no member, hears whose it is, and is one again with its own", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  const [onA, onB] = [await a.place(here.accountId), await b.place(here.accountId)];
  await a.reports(onA, a.address(1));
  await b.reports(onB, b.address(1));
  await until(() => a.addresses.length === 1 && b.addresses.length === 1);
  await b.says({ range: "10.200.0.0/20" });
  await until(() => b.update?.clashesWith === "a" && a.knows(b).length === 0);
  assert.deepEqual(b.update, {
    range: b.range,
    clashesWith: "a",
    members: [],
    projects: [],
    gateways: [],
    mayUse: null,
  });
  assert.deepEqual(a.addresses, []);
  assert.deepEqual(await meshOf(here, b), { range: "10.200.0.0/20", state: "clash", clashesWith: "a" });
  await b.says({ range: "10.200.0.0/20", port: 7 });
  const clashes = here.lines.filter((line) => line.includes("has the range of another one"));
  assert.equal(clashes.length, 1);
  await b.says();
  await until(() => b.update?.clashesWith === null && a.knows(b)[0] === "b" && b.addresses.length === 1);
  assert.deepEqual(await meshOf(here, b), { range: b.range, state: "member", clashesWith: null });
});

test("a range outside of the cluster's leads nobody's traffic astray, and a wrong one is refused", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  const onB = await b.place(here.accountId);
  await a.place(here.accountId);
  await until(() => a.knows(b).length === 1);
  await b.says({ range: "8.8.8.0/24" });
  await b.reports(onB, "8.8.8.8");
  await until(() => a.knows(b).length === 0);
  assert.deepEqual([a.addresses, b.update?.members], [[], []]);
  assert.deepEqual((await meshOf(here, b))?.state, "none");
  for (const range of ["10.200.8.1/21", "999.200.8.0/21", "10.200.8.0/31", "10.0.0.0/8"]) {
    b.agent.answers.length = 0;
    await b.says({ range }).catch(() => {});
    await until(() => b.agent.answers.some(({ error }) => error?.data.code === "BAD_REQUEST"));
  }
});

test("others hear where central sees a host, also behind a proxy that is trusted", async () => {
  const here = await scene({ TIJOLO_TRUSTED_PROXIES: "127.0.0.1" });
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.join(here.cluster, "b");
  await a.place(here.accountId);
  await b.place(here.accountId);
  for (const [from, address] of [
    ["203.0.113.7", "203.0.113.7"],
    ["2001:db8::7", "2001:db8::7"],
    ["::ffff:203.0.113.8", "203.0.113.8"],
    ["127.0.0.1", null],
  ] as const) {
    b[Symbol.dispose]();
    await b.connect({ from });
    await b.says();
    await until(() => a.update?.members.length === 1 && a.update.members[0]?.address === address);
  }
});

test("a host cannot take another one's key", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  using c = await MeshHost.member(here.cluster, "c");
  for (const host of [a, b, c]) await host.place(here.accountId);
  await until(() => c.knows(a, b).length === 2);
  await a.says({ key: b.key });
  await until(() => a.agent.answers.some(({ error }) => error?.data.code === "BAD_REQUEST"));
  assert.deepEqual(new Set(c.update?.members.map(({ key }) => key)), new Set([a.key, b.key]));
  const newKey = newMeshKey();
  await a.says({ key: newKey });
  await until(() => c.update?.members.some(({ key }) => key === newKey));
});

test("a host with a gateway and the hosts with sites know each other, as long as there is both", async () => {
  const here = await scene();
  await using _ = here.cluster;
  const { db } = here.cluster.central.app;
  using a = await MeshHost.join(here.cluster, "a");
  const machine = "m".repeat(43);
  await a.connect({ machine });
  await a.says();
  using b = await MeshHost.member(here.cluster, "b");
  using c = await MeshHost.member(here.cluster, "c");
  const { id: otherId } = await here.cluster.createAccount();
  await a.place(otherId);
  await c.place(here.accountId);
  const site = await b.place(here.accountId, "site");
  await until(() => b.knows(c)[0] === "c");
  const gatewayId = makeTestId();
  const seen = { build: "1", machine, seenAt: 0 };
  await transact(db, async (tx) => {
    await insertGateway(tx, { id: gatewayId, name: "g", publicKey: "g", createdAt: 0 });
    await saveGatewaySeen(tx, gatewayId, seen);
  });
  await until(() => b.update?.gateways[0] === a.hostId && a.knows(b)[0] === "b");
  assert.deepEqual([b.knows(a, c), a.update?.gateways, c.update?.gateways], [["a", "c"], [], []]);
  assert.deepEqual(a.addresses, [], "it is no neighbour of its accounts");
  using ofA = await a.openCarrier();
  using ofB = await b.openCarrier();
  ofB.send(a, "hello");
  await until(() => ofA.received.length === 1);
  await b.remove(site);
  await until(() => b.knows(a, c).length === 0 && a.knows(b).length === 0);
  await b.place(here.accountId, "site");
  await until(() => b.update?.gateways[0] === a.hostId && a.knows(b)[0] === "b");
  await transact(db, (tx) => revokeGateway(tx, gatewayId, 1));
  await until(() => b.update?.gateways.length === 0 && a.knows(b).length === 0);
  assert.deepEqual(b.knows(a, c), ["c"]);
});

test("a revoked host is gone from the others within five seconds, and its range is free again", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  await a.place(here.accountId);
  const onB = await b.place(here.accountId);
  await b.reports(onB, b.address(1));
  using carrier = await b.openCarrier();
  await until(() => a.addresses.length === 1);
  const startedAtMs = performance.now();
  await here.cluster.admin.revokeHost({ host: "b" });
  await until(() => a.knows(b).length === 0 && a.addresses.length === 0 && carrier.closeCode !== undefined);
  assert.ok(performance.now() - startedAtMs < 5_000);
  assert.equal(carrier.closeCode, 4003);
  const next = await MeshHost.join(here.cluster, "next");
  assert.equal(next.range, b.range);
});

test("after a restart central knows the members at once, before they are back", async () => {
  const here = await scene();
  await using _ = here.cluster;
  using a = await MeshHost.member(here.cluster, "a");
  using b = await MeshHost.member(here.cluster, "b");
  await a.place(here.accountId);
  const onB = await b.place(here.accountId);
  await b.reports(onB, b.address(1));
  await until(() => a.addresses.length === 1);
  await here.cluster.stopCentral();
  await here.cluster.startCentral();
  await a.connect();
  await a.says();
  assert.deepEqual(a.knows(b), ["b"]);
  assert.deepEqual(a.addresses, [b.address(1)]);
  assert.equal(a.updates.length, 1);
});

test("hosts of before get a range at their first word; when none is left a join goes on without", async () => {
  const here = await scene({ TIJOLO_CLUSTER_CIDR: "10.64.0.0/20" });
  await using _ = here.cluster;
  const { app } = here.cluster.central;
  using older = await MeshHost.member(here.cluster, "older");
  await app.db.updateTable("host").set({ mesh_range: null, mesh_key: null, mesh_own: null }).execute();
  using taker = await MeshHost.member(here.cluster, "taker");
  assert.equal(taker.range, "10.64.0.0/21");
  // Its agent still has what all agents had before.
  await older.says({ range: "10.200.0.0/20" });
  await until(() => older.update?.range === "10.64.8.0/21");
  const refusals = () => here.lines.filter((line) => line.includes("no range is free"));
  assert.deepEqual(refusals(), []);
  using late = await MeshHost.join(here.cluster, "late");
  assert.equal(late.range, "");
  assert.match(refusals().join(), /TIJOLO_CLUSTER_CIDR/);
  await here.cluster.admin.revokeHost({ host: "taker" });
  await late.connect();
  await late.says({ range: "10.200.0.0/20" });
  assert.equal(late.update?.range, "10.64.0.0/21");
});

test("joins at once get ranges that no two of them have", async () => {
  const here = await scene();
  await using _ = here.cluster;
  const hosts = await Promise.all(
    Array.from({ length: 12 }, (_, index) => MeshHost.join(here.cluster, `h${index}`)),
  );
  assert.equal(new Set(hosts.map(({ range }) => range)).size, 12);
  assert.ok(hosts.every(({ range }) => /^10\.200\.\d+\.0\/21$/.test(range)));
});

test("only a host says what it is in the mesh, after its hello, on its control socket", async () => {
  const here = await scene();
  await using _ = here.cluster;
  const host = await MeshHost.join(here.cluster, "host");
  const own = { key: host.key, port: 51_820, range: host.range };
  for (const socket of ["none", "bulk"] as const) {
    using agent = await RawAgent.open(Number(new URL(here.cluster.centralUrl).port));
    if (socket === "bulk") await agent.hello(host, { socket });
    await agent.call("mesh", own, "subscription").catch(() => {});
    await until(() => agent.answers.some(({ error }) => error?.data.code === "UNAUTHORIZED"));
  }
  assert.equal((await meshOf(here, host))?.state, "none");
});
