/** What is refused when a domain is added: bad names, too many, twice, and for whom there is none. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { ApiError, type Client } from "@tijolo/protocol";
import { DomainWorld } from "../support/domains/domain-world.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

async function refusal(client: Client, id: string, body: { hostname: string; redirectTo?: string }) {
  const error = await client.addDomain({ id, body }).then(
    () => null,
    (cause: unknown) => cause,
  );
  assert.ok(error instanceof ApiError, `${body.hostname} was accepted`);
  return { status: error.status, code: error.code, ...error.extra };
}

test("names that can be nobody's are refused with the reason, and so are such targets", async () => {
  const { id, client } = await world.site();
  const invalid = { status: 422, code: "invalid_domain", field: "hostname" };
  assert.deepEqual(await refusal(client, id, { hostname: "10.0.0.1" }), {
    ...invalid,
    reason: "ip_address",
  });
  assert.deepEqual(await refusal(client, id, { hostname: "com.br" }), {
    ...invalid,
    reason: "public_suffix",
  });
  assert.deepEqual(await refusal(client, id, { hostname: "loja.localhost" }), {
    ...invalid,
    reason: "special_use",
  });
  const target = { hostname: "www.boa.dev", redirectTo: "1.2.3.4" };
  assert.deepEqual(await refusal(client, id, target), {
    ...invalid,
    field: "redirectTo",
    reason: "ip_address",
  });
  assert.deepEqual(await refusal(client, id, { hostname: "*.boa.dev" }), {
    status: 422,
    code: "wildcard_not_available",
  });
});

test("a name is in an account once; other accounts may wait for it, too", async () => {
  const [first, second] = [await world.site(), await world.site()];
  await first.client.addDomain({ id: first.id, body: { hostname: "www.uma.dev" } });
  const taken = { status: 409, code: "domain_taken" };
  assert.deepEqual(await refusal(first.client, first.id, { hostname: "WWW.uma.dev" }), taken);
  await second.client.addDomain({ id: second.id, body: { hostname: "www.uma.dev" } });
});

test("a plan has as many domains as it says, also when 20 are added at once", async () => {
  // Nothing is polled for it: with the plan's few requests a minute none is to spare on a slow machine.
  const { id, client } = await world.staticSite();
  await client.addDomain({ id, body: { hostname: "a0.plano.dev" } });
  await client.addDomain({ id, body: { hostname: "a1.plano.dev" } });
  const results = await Promise.all(
    Array.from({ length: 20 }, (_, index) =>
      client.addDomain({ id, body: { hostname: `b${index}.plano.dev` } }).then(
        () => "added",
        (error: unknown) => (error instanceof ApiError ? `${error.code} ${error.extra["limit"]}` : error),
      ),
    ),
  );
  assert.equal(results.filter((result) => result === "added").length, 1);
  assert.equal(results.filter((result) => result === "domain_limit_reached 3").length, 19);
});

test("a domain of another account is not found, whatever is asked of it", async () => {
  const [first, second] = [await world.site(), await world.site()];
  await first.client.addDomain({ id: first.id, body: { hostname: "www.alheio.dev" } });
  const hostname = "www.alheio.dev";
  for (const call of [
    () => second.client.verifyDomain({ id: second.id, hostname }),
    () => second.client.removeDomain({ id: second.id, hostname }),
    () => second.client.removeDomain({ id: first.id, hostname }),
    () => second.client.listDomains({ id: first.id }),
  ])
    await assert.rejects(call, (error) => error instanceof ApiError && error.code === "not_found");
});
