/** What time does to a domain: hourly checks for seven days, and a proof that is gone for 7 and for 30. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { ApiError } from "@tijolo/protocol";
import { checkDueDomains } from "../../central/src/app/domains/check-domain.ts";
import { DomainWorld } from "../support/domains/domain-world.ts";

const dayMs = 86_400_000;

test("a domain that is not proven within 7 days fails, is checked no more, and comes back by hand", async () => {
  await using world = await DomainWorld.create();
  const { cluster, dns } = world;
  const { id, client } = await world.site();
  const hostname = "www.tarde.dev";
  dns.zone("tarde.dev");
  const { domain } = await client.addDomain({ id, body: { hostname } });
  await world.when(client, id, hostname, ({ checkedAt }) => checkedAt !== null);
  cluster.clock.advance(3 * dayMs);
  await checkDueDomains(cluster.central.app);
  assert.equal((await client.listDomains({ id })).domains[0]?.status, "pending");
  cluster.clock.advance(4 * dayMs);
  await checkDueDomains(cluster.central.app);
  const failed = await world.when(client, id, hostname, ({ status }) => status === "failed");
  assert.equal(failed.error?.code, "proof_missing");
  const asked = dns.asked.length;
  cluster.clock.advance(dayMs);
  await checkDueDomains(cluster.central.app);
  assert.equal(dns.asked.length, asked, "it is not checked any more");
  const { notices } = await client.listNotices();
  assert.deepEqual(
    notices.map(({ kind, data }) => [kind, data["reason"]]),
    [["domain_failed", "not_proven"]],
  );
  await world.write(domain, "cname");
  assert.equal((await client.verifyDomain({ id, hostname })).domain.status, "active");
});

test("a proof that is gone is noticed after 7 days and ends the domain after 30; one that returns counts anew", async () => {
  await using world = await DomainWorld.create();
  const { cluster, dns } = world;
  const { id, client } = await world.site();
  const hostname = "www.sumiu.dev";
  dns.zone("sumiu.dev");
  const { domain } = await client.addDomain({ id, body: { hostname } });
  await world.write(domain, "cname");
  await client.verifyDomain({ id, hostname });
  const days = async (count: number) => {
    for (let day = 0; day < count; day++) {
      cluster.clock.advance(dayMs);
      await checkDueDomains(cluster.central.app);
    }
    return (await client.listDomains({ id })).domains[0];
  };
  const kinds = async () => (await client.listNotices()).notices.map(({ kind }) => kind);
  dns.set(hostname, "CNAME", []);
  assert.equal((await days(7))?.status, "active");
  assert.deepEqual(await kinds(), []);
  assert.equal((await days(1))?.status, "active");
  assert.deepEqual(await kinds(), ["domain_proof_gone"]);
  await world.write(domain, "cname");
  assert.equal((await days(1))?.error, null);
  dns.isSilent = true;
  const silent = await days(1);
  assert.deepEqual([silent?.status, silent?.error?.code], ["active", "dns_unreachable"]);
  dns.isSilent = false;
  dns.set(hostname, "CNAME", []);
  assert.equal((await days(29))?.status, "active");
  assert.equal((await world.visit(hostname)).status, 200);
  assert.equal((await days(2))?.status, "failed");
  assert.equal((await world.visit(hostname)).status, 404);
  assert.deepEqual(await kinds(), ["domain_failed", "domain_proof_gone", "domain_proof_gone"]);
});

test("a check by hand may be asked for 10 times a minute", async () => {
  await using world = await DomainWorld.create();
  const { cluster, dns } = world;
  const { id, client } = await world.site();
  dns.zone("muito.dev");
  const hostname = "www.muito.dev";
  await client.addDomain({ id, body: { hostname } });
  cluster.clock.hold();
  for (let count = 0; count < 10; count++) await client.verifyDomain({ id, hostname });
  await assert.rejects(
    client.verifyDomain({ id, hostname }),
    (error) => error instanceof ApiError && error.code === "too_many_requests",
  );
  cluster.clock.advance(60_000);
  await client.verifyDomain({ id, hostname });
});
