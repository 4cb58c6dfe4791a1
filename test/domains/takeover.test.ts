/** Nobody gets a domain that another account has proven: not by a left-over record, not by a race. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiError, type Domain } from "@tijolo/protocol";
import { DomainWorld } from "../support/domains/domain-world.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

type Party = Awaited<ReturnType<DomainWorld["staticSite"]>>;

const txtOf = ({ records }: Domain) => records.find(({ type }) => type === "TXT");

test("a CNAME that one account left behind is worth nothing to another", async () => {
  const [first, second] = [await world.site(), await world.site()];
  const hostname = "www.deixado.dev";
  world.dns.zone("deixado.dev");
  const { domain } = await first.client.addDomain({ id: first.id, body: { hostname } });
  await world.write(domain, "cname");
  await first.client.verifyDomain({ id: first.id, hostname });
  await first.client.removeDomain({ id: first.id, hostname });
  const { domain: other } = await second.client.addDomain({ id: second.id, body: { hostname } });
  assert.notEqual(other.records[0]?.value, domain.records[0]?.value);
  const { domain: checked } = await second.client.verifyDomain({ id: second.id, hostname });
  assert.deepEqual([checked.status, checked.error?.code], ["pending", "proof_missing"]);
  assert.equal((await world.visit(hostname)).status, 404);
  // Its own account may have it back.
  await first.client.addDomain({ id: first.id, body: { hostname } });
  assert.equal((await first.client.verifyDomain({ id: first.id, hostname })).domain.status, "active");
});

test("of two that are proven the first stays, until its proof is gone; then it is told", async () => {
  const [first, second] = [await world.site(), await world.site()];
  const hostname = "www.vendido.dev";
  world.dns.zone("vendido.dev");
  const { domain: one } = await first.client.addDomain({ id: first.id, body: { hostname } });
  const { domain: two } = await second.client.addDomain({ id: second.id, body: { hostname } });
  await world.write(one, "cname");
  await first.client.verifyDomain({ id: first.id, hostname });
  await world.write(two, "addresses");
  const name = txtOf(two)?.name ?? "";
  world.dns.set(name, "TXT", [txtOf(two)?.value ?? ""]);
  await assert.rejects(
    second.client.verifyDomain({ id: second.id, hostname }),
    (error) => error instanceof ApiError && error.status === 409 && error.code === "domain_taken",
  );
  assert.equal((await world.visit(hostname)).status, 200);
  world.dns.set(hostname, "CNAME", []);
  assert.equal((await second.client.verifyDomain({ id: second.id, hostname })).domain.status, "active");
  const [lost] = (await first.client.listDomains({ id: first.id })).domains;
  assert.deepEqual([lost?.status, lost?.error?.code], ["failed", "taken_over"]);
  const { notices } = await first.client.listNotices();
  assert.deepEqual(
    notices.map(({ kind, data }) => [kind, data["hostname"], data["reason"]]),
    [["domain_failed", hostname, "taken_over"]],
  );
});

test("50 accounts verify one name at once, and one has it", { timeout: 120_000 }, async () => {
  const hostname = "www.disputado.dev";
  world.dns.zone("disputado.dev");
  const parties = [];
  for (let count = 0; count < 50; count++) parties.push(await world.staticSite());
  const added = await Promise.all(
    parties.map(({ client, id }) => client.addDomain({ id, body: { hostname } })),
  );
  world.dns.set(
    `_tijolo.${hostname}`,
    "TXT",
    added.map(({ domain }) => txtOf(domain)?.value ?? ""),
  );
  world.dns.set(hostname, "A", ["127.0.0.1"]);
  const results = await Promise.all(parties.map((party) => verified(party, hostname)));
  const counts = Map.groupBy(results, (result) => result);
  assert.equal(counts.get("active")?.length, 1, JSON.stringify(results));
  assert.equal(counts.get("domain_taken")?.length, 49, JSON.stringify(results));
  assert.ok(world.dns.askedByTcp > 0, "50 proofs did not fit into a datagram");
  const now = await Promise.all(parties.map(({ client, id }) => client.listDomains({ id })));
  const states = now.flatMap(({ domains }) => domains.map(({ status }) => status));
  assert.equal(states.filter((status) => status === "active").length, 1);
});

/** Verifies until the name servers have answered in time, which 50 at once ask a lot of a busy machine. */
async function verified({ client, id }: Party, hostname: string): Promise<string> {
  try {
    for (;;) {
      const { domain } = await client.verifyDomain({ id, hostname });
      if (domain.error?.code !== "dns_unreachable") return domain.status;
    }
  } catch (error) {
    return error instanceof ApiError ? error.code : String(error);
  }
}
