/** The mesh of a large cluster: its bounds, and what a change in it costs. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordingLogger } from "../../../../test/support/recording-logger.ts";
import { sampleSettings, sampleState } from "../../../../test/support/samples.ts";
import { sampleResources } from "../../../../test/link/samples.ts";
import { TestClock } from "../../../../test/support/cluster/test-clock.ts";
import { until } from "../../../../test/support/until.ts";
import { openDatabase } from "../../store/sqlite/open-database.ts";
import { transact, type Database, type Transaction } from "../../store/store.ts";
import { insertAccount } from "../../store/tables/accounts/account.ts";
import { insertGateway, saveGatewaySeen } from "../../store/tables/gateways/gateway.ts";
import { insertHost, revokeHost, saveHostSeen } from "../../store/tables/hosts/host.ts";
import { saveMeshOwn, saveMeshRange } from "../../store/tables/hosts/mesh-host.ts";
import { insertProject, saveObserved } from "../../store/tables/projects/project.ts";
import { parseNetwork, textOfNetwork } from "./ipv4-network.ts";
import { Mesh } from "./mesh.ts";

const clock = new TestClock();
const network = parseNetwork("10.0.0.0/8") ?? { start: 0, size: 0 };
const idOf = (kind: string, index: number) => `${kind}${String(index).padStart(26 - kind.length, "0")}`;
const rangeOf = (host: number) => ({ start: network.start + host * 2_048, size: 2_048 });
const addressOf = (host: number, index: number) =>
  textOfNetwork({ start: rangeOf(host).start + index, size: 1 }).replace("/32", "");

/** A database with as many members, and the accounts `A` and `B`. */
async function openWith(hosts: number) {
  const opened = await openDatabase(":memory:");
  await transact(opened.db, async (tx) => {
    const standing = { suspendedAt: null, stopsAt: null, betaEndsAt: null };
    for (const id of ["A", "B"])
      await insertAccount(tx, { id: idOf(id, 0), name: id, plan: "Stack", ...standing, createdAt: 0 });
    for (let index = 0; index < hosts; index++) {
      const id = idOf("H", index);
      const range = textOfNetwork(rangeOf(index));
      await insertHost(tx, { id, name: `h${index}`, publicKey: id, createdAt: index });
      await saveMeshRange(tx, id, range);
      const key = `${id.padEnd(42, "A")}A=`;
      await saveMeshOwn(tx, id, { key, port: 1, range, address: null, next: null });
    }
  });
  return opened;
}

interface NewProject {
  index: number;
  account: string;
  host: number;
  address: string | null;
}

async function place(tx: Transaction, { index, account, host, address }: NewProject): Promise<void> {
  const id = idOf("P", index);
  const names = { name: id, description: "", subdomain: null, servedSubdomain: null, startConfigTag: null };
  const counts = { restartCount: 1, versionNumber: 1, generation: 1, createdAt: 0, updatedAt: 0 };
  const placed = { id, accountId: idOf(account, 0), hostId: idOf("H", host), run: "on" as const };
  await insertProject(tx, { ...placed, ...names, ...counts, settings: sampleSettings() });
  await saveObserved(tx, id, sampleState({ meshAddress: address }));
}

async function placeAll(db: Database, projects: readonly NewProject[]): Promise<void> {
  await transact(db, async (tx) => {
    for (const project of projects) await place(tx, project);
  });
}

test("an update is cut to what agents accept, which is logged once", async () => {
  await using opened = await openWith(10);
  const { db } = opened;
  const hosts = Array.from({ length: 10 }, (_, host) => host);
  await placeAll(
    db,
    [...hosts, ...hosts].map((host, index) => ({
      index,
      account: "A",
      host,
      address: addressOf(host, index),
    })),
  );
  const logger = new RecordingLogger();
  await using mesh = await Mesh.open(db, { network, clock, logger, bounds: { members: 4, projects: 6 } });
  const cut = mesh.updateFor(idOf("H", 0));
  assert.deepEqual(mesh.updateFor(idOf("H", 0)), cut);
  assert.deepEqual([cut.members.length, cut.projects.length], [4, 6]);
  const members = new Set(cut.members.map(({ hostId }) => hostId));
  assert.ok(cut.projects.every(({ hostId }) => members.has(hostId)));
  assert.equal(logger.entries.filter(({ message }) => message.includes("more neighbours")).length, 1);
  await using whole = await Mesh.open(db, { network, clock, logger });
  const { members: all, projects } = whole.updateFor(idOf("H", 0));
  assert.deepEqual([all.length, projects.length], [9, 18]);
  assert.equal(logger.entries.filter(({ message }) => message.includes("more neighbours")).length, 1);
});

test("a change calls back the hosts of its account, and no other", async () => {
  await using opened = await openWith(50);
  const { db } = opened;
  const others = Array.from({ length: 46 }, (_, index) => ({ host: 4 + index, account: "B" }));
  const own = Array.from({ length: 3 }, (_, host) => ({ host, account: "A" }));
  await placeAll(
    db,
    [...own, ...others].map((each, index) => ({ ...each, index, address: addressOf(each.host, 1) })),
  );
  await using mesh = await Mesh.open(db, { network, clock, logger: new RecordingLogger() });
  const called = new Set<number>();
  for (let host = 0; host < 50; host++) mesh.onChange(idOf("H", host), () => called.add(host));
  await transact(db, (tx) => saveObserved(tx, idOf("P", 0), sampleState({ meshAddress: addressOf(0, 9) })));
  await until(() => called.size > 0);
  await mesh.settled();
  assert.deepEqual(called, new Set([0, 1, 2]));
  assert.equal(mesh.updateFor(idOf("H", 1)).projects.length, 2);
  called.clear();
  await transact(db, (tx) => saveObserved(tx, idOf("P", 0), sampleState({ meshAddress: addressOf(0, 9) })));
  await mesh.settled();
  assert.deepEqual(called, new Set(), "nothing has changed");
});

test("a gateway reaches addresses of members' ranges, as long as its own host is a member", async () => {
  await using opened = await openWith(2);
  const { db } = opened;
  const resources = sampleResources;
  await transact(db, async (tx) => {
    await insertGateway(tx, { id: idOf("G", 0), name: "g", publicKey: "g", createdAt: 0 });
    await saveGatewaySeen(tx, idOf("G", 0), { build: "1", machine: "here", seenAt: 0 });
    await saveHostSeen(tx, idOf("H", 0), { build: "1", resources, machine: "here", seenAt: 0 });
    await saveHostSeen(tx, idOf("H", 1), { build: "1", resources, machine: "there", seenAt: 0 });
  });
  await using mesh = await Mesh.open(db, { network, clock, logger: new RecordingLogger() });
  const reaches = (machine: string, address: string) => mesh.reaches(machine, idOf("H", 1), address);
  assert.equal(reaches("here", addressOf(1, 5)), true);
  assert.equal(reaches("there", addressOf(1, 5)), false, "there is no gateway");
  assert.equal(reaches("here", addressOf(0, 5)), false, "it is not of the host's range");
  assert.equal(reaches("here", "127.0.0.1"), false);
  let calls = 0;
  mesh.onHostsChange(() => (calls += 1));
  await transact(db, (tx) => revokeHost(tx, idOf("H", 0), 1));
  await until(() => calls === 1);
  assert.equal(reaches("here", addressOf(1, 5)), false, "its own host is no member any more");
});
