/** Gateways are told where own domains lead, and are told so within moments when one goes. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { findSiteOfDomain } from "../../central/src/app/projects/site.ts";
import { DomainWorld } from "../support/domains/domain-world.ts";
import { until } from "../support/until.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

const routeOf = (hostname: string) => world.cluster.central.app.siteRoutes.routesOf("any").get(hostname);

test("a domain has a route once it is active, a redirect one of its own, and loses it with its removal", async () => {
  const { dns } = world;
  const { id, client } = await world.site();
  dns.zone("rota.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "www.rota.dev" } });
  assert.equal(routeOf("www.rota.dev"), undefined, "nobody has proven it yet");
  await world.write(domain, "cname");
  await client.verifyDomain({ id, hostname: "www.rota.dev" });
  const route = await until(() => routeOf("www.rota.dev"));
  assert.deepEqual([route.projectId, route.redirectTo, route.isOwnDomain], [id, null, true]);
  const redirect = { hostname: "rota.dev", redirectTo: "www.rota.dev" };
  const { domain: apex } = await client.addDomain({ id, body: redirect });
  await world.write(apex, "addresses");
  await client.verifyDomain({ id, hostname: "rota.dev" });
  assert.equal((await until(() => routeOf("rota.dev"))).redirectTo, "www.rota.dev");
  await client.removeDomain({ id, hostname: "www.rota.dev" });
  await until(() => routeOf("www.rota.dev") === undefined);
});

test("a redirect to the site's own subdomain follows the site to its next one", async () => {
  const { dns, cluster } = world;
  const { id, client } = await world.site();
  const { subdomain } = (await client.getProject({ id })).project;
  dns.zone("segue.dev");
  const body = { hostname: "www.segue.dev", redirectTo: `${subdomain}.localhost` };
  const { domain } = await client.addDomain({ id, body });
  await world.write(domain, "cname");
  await client.verifyDomain({ id, hostname: "www.segue.dev" });
  const targets = async () => [
    routeOf("www.segue.dev")?.redirectTo,
    await findSiteOfDomain(cluster.central.app, "www.segue.dev", "localhost"),
  ];
  await until(() => routeOf("www.segue.dev"));
  const before = `${subdomain}.localhost`;
  assert.deepEqual(await targets(), [before, { redirectTo: before }]);
  await client.updateProject({ id, body: { subdomain: "segue-novo" } });
  await client.restartProject({ id });
  await until(() => routeOf("segue-novo.localhost"));
  assert.deepEqual(await targets(), ["segue-novo.localhost", { redirectTo: "segue-novo.localhost" }]);
});
