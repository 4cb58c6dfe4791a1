/** Gateways are told where own domains lead, and are told so within moments when one goes. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
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
