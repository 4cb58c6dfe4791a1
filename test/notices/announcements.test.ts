/**
 * Tests that operators' announcements reach every account once, and those about a machine the accounts on it.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { transact } from "../../central/src/store/store.ts";
import { insertAccount } from "../../central/src/store/tables/accounts/account.ts";
import { makeId } from "@tijolo/protocol";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const complete = (cluster: TestCluster) =>
  until(
    async () => {
      const [newest] = (await cluster.admin.listAnnouncements()).announcements;
      return newest?.isComplete === true ? newest : undefined;
    },
    { timeoutMs: 60_000 },
  );

test("an announcement reaches each of many accounts once, across a stop of central", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  const ana = await cluster.createAccount();
  const many = 350;
  const standing = { plan: "Free", suspendedAt: null, stopsAt: null, betaEndsAt: null } as const;
  await transact(cluster.central.app.db, async (tx) => {
    for (let index = 0; index < many; index++) {
      const id = makeId(index, new Uint8Array(10));
      await insertAccount(tx, { id, name: `account ${index}`, createdAt: index, ...standing });
    }
  });
  const { announcement } = await cluster.admin.announce({ body: { text: "Hoje às 22h." } });
  assert.deepEqual(
    [announcement.text, announcement.host, announcement.by],
    ["Hoje às 22h.", null, "first operator"],
  );
  await cluster.stopCentral();
  await cluster.startCentral();
  assert.equal((await complete(cluster)).accounts, many + 1);
  const rows = await cluster.central.app.db.selectFrom("notice").select(["account_id", "count"]).execute();
  assert.equal(new Set(rows.map((row) => row.account_id)).size, many + 1);
  assert.ok(rows.length === many + 1 && rows.every(({ count }) => count === 1));
  const { notices } = await ana.client.listNotices();
  assert.deepEqual(
    notices.map(({ kind, message }) => [kind, message]),
    [["announcement", "Hoje às 22h."]],
  );
});

test("one about a machine reaches the accounts with projects on it, as maintenance", async () => {
  await using cluster = await TestCluster.create();
  const [owner, stranger] = [await cluster.createAccount(), await cluster.createAccount()];
  await SimulatedProject.create(owner, "sim run");
  await cluster.admin.announce({ body: { text: "Troca de disco.", host: "host-1" } });
  assert.deepEqual([(await complete(cluster)).accounts, (await complete(cluster)).host], [1, "host-1"]);
  const [notice] = (await owner.client.listNotices()).notices;
  assert.deepEqual([notice?.kind, notice?.message], ["host_maintenance", "Troca de disco."]);
  assert.deepEqual((await stranger.client.listNotices()).notices, []);
  await assert.rejects(cluster.admin.announce({ body: { text: "x", host: "nowhere" } }), {
    code: "not_found",
  });
});
