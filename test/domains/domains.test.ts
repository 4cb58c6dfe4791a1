/** A site gets a domain of its own: proven by DNS, reached by visitors, checked again, removed. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { DomainWorld } from "../support/domains/domain-world.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

test("a domain with its CNAME becomes active by itself, and visitors reach the site under it", async () => {
  const { dns } = world;
  const { id, client } = await world.site();
  dns.zone("loja.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "WWW.Loja.dev." } });
  assert.deepEqual(
    [domain.hostname, domain.status, domain.checkedAt, domain.error],
    ["www.loja.dev", "pending", null, null],
  );
  const missing = await world.when(client, id, "www.loja.dev", ({ checkedAt }) => checkedAt !== null);
  assert.deepEqual([missing.status, missing.error?.code], ["pending", "proof_missing"]);
  assert.equal((await world.visit("www.loja.dev")).status, 404);
  await world.write(domain, "cname");
  const { domain: active } = await client.verifyDomain({ id, hostname: "www.loja.dev" });
  assert.deepEqual([active.status, active.error], ["active", null]);
  const [cname] = active.records;
  assert.deepEqual([cname?.found, cname?.isRight], [[cname?.value], true]);
  assert.match(cname?.value ?? "", /^[0-9a-z]{16}\.dominios\.localhost$/);
  const visit = await world.visit("www.loja.dev:8081", "/a?b=c");
  assert.deepEqual([visit.status, visit.body], [200, "www.loja.dev:8081 /a?b=c"]);
  assert.deepEqual(visit.cookies, ["own=1", "parent=1; Domain=loja.dev"], "its cookies are its own affair");
  assert.equal((await world.visit("WWW.LOJA.DEV.")).status, 200);
  assert.equal((await world.visit("loja.dev")).status, 404, "a name that nobody added");
  await client.removeDomain({ id, hostname: "www.loja.dev" });
  assert.equal((await world.visit("www.loja.dev")).status, 404);
});

test("an apex needs its addresses and the TXT record; an address that is wrong is named", async () => {
  const { dns } = world;
  const { id, client } = await world.site();
  dns.zone("apex.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "apex.dev" } });
  assert.deepEqual(
    domain.records.map(({ way, type, name }) => `${way} ${type} ${name}`),
    ["addresses TXT _tijolo.apex.dev", "addresses A apex.dev", "addresses AAAA apex.dev"],
  );
  await world.write(domain, "addresses");
  dns.set("apex.dev", "AAAA", ["2001:db8::9"]);
  const { domain: wrong } = await client.verifyDomain({ id, hostname: "apex.dev" });
  assert.deepEqual([wrong.status, wrong.error?.code], ["pending", "wrong_address"]);
  assert.match(wrong.error?.message ?? "", /2001:db8::9/);
  assert.doesNotMatch(wrong.error?.message ?? "", /127\.0\.0\.1/);
  dns.set("apex.dev", "AAAA", []);
  assert.equal((await client.verifyDomain({ id, hostname: "apex.dev" })).domain.status, "active");
  assert.equal((await world.visit("apex.dev")).status, 200);
});

test("a domain of other letters is shown as people read it, and answers under its A-label", async () => {
  const { id, client } = await world.site();
  world.dns.zone("xn--caf-dma.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "www.café.dev" } });
  assert.deepEqual([domain.hostname, domain.unicodeHostname], ["www.xn--caf-dma.dev", "www.café.dev"]);
  await world.write(domain, "cname");
  assert.equal((await client.verifyDomain({ id, hostname: "www.café.dev" })).domain.status, "active");
  assert.equal((await world.visit("www.xn--caf-dma.dev")).status, 200);
});

test("a domain that redirects answers 308 with the path kept", async () => {
  const { id, client } = await world.site();
  world.dns.zone("antigo.dev");
  const body = { hostname: "www.antigo.dev", redirectTo: "www.novo.dev" };
  const { domain } = await client.addDomain({ id, body });
  await world.write(domain, "cname");
  await client.verifyDomain({ id, hostname: "www.antigo.dev" });
  const visit = await world.visit("www.antigo.dev", "/a/b?c=d%20e");
  assert.deepEqual([visit.status, visit.location], [308, "http://www.novo.dev/a/b?c=d%20e"]);
});

test("a project that is deleted takes its domains with it, at once", async () => {
  const { id, client } = await world.site();
  world.dns.zone("adeus.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "www.adeus.dev" } });
  await world.write(domain, "cname");
  await client.verifyDomain({ id, hostname: "www.adeus.dev" });
  assert.equal((await world.visit("www.adeus.dev")).status, 200);
  await world.cluster.admin.deleteProject({ id });
  assert.equal((await world.visit("www.adeus.dev")).status, 404);
});

test("what is done and what becomes of a domain stands among the project's events", async () => {
  const { id, client } = await world.site();
  world.dns.zone("eventos.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "www.eventos.dev" } });
  await world.write(domain, "cname");
  await client.verifyDomain({ id, hostname: "www.eventos.dev" });
  await client.removeDomain({ id, hostname: "www.eventos.dev" });
  const { events } = await client.listProjectEvents({ id });
  assert.deepEqual(
    events.slice(0, 3).map(({ kind, domain: name }) => [kind, name]),
    ["domain_remove", "domain_active", "domain_add"].map((kind) => [kind, "www.eventos.dev"]),
  );
});
