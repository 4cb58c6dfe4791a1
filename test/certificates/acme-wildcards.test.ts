/** Tests all names below a domain of a site's own: proven by DNS alone, certificate and proofs of it included. */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { issuedFor, orderingCluster } from "../support/certificates/ordering-cluster.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

test("with a DNS hook a wildcard becomes active by its records, and its certificate is ordered through the alias", async () => {
  await using rig = await orderingCluster({
    settings: async ({ zone }) => ({ TIJOLO_ACME_DNS_HOOK: await zone.hook() }),
  });
  const { cluster, zone } = rig;
  const { client } = await cluster.createAccount({
    plan: "Empresas",
    scopes: ["projects:settings", "domains:write"],
  });
  const config = { type: "site", memoryMb: 512, subdomain: "loja" };
  const { id } = await SimulatedProject.create({ client }, "sim listen", { config, start: false });
  const { domain } = await client.addDomain({ id, body: { hostname: "*.loja.dev" } });
  const params = { id, hostname: "*.loja.dev" };
  const wanted = domain.records.filter(({ way }) => way === "addresses");
  assert.deepEqual(
    wanted.map(({ type, name }) => `${type} ${name}`),
    ["TXT _tijolo.loja.dev", "A *.loja.dev", "CNAME _acme-challenge.loja.dev"],
  );
  const [txt, , challenge] = wanted;
  assert.ok(txt !== undefined && challenge !== undefined);
  await writeFile(join(zone.folder, txt.name), txt.value);
  const { domain: unproven } = await client.verifyDomain(params);
  assert.deepEqual([unproven.status, unproven.error?.code], ["pending", "challenge_missing"]);
  zone.aliases.set(challenge.name, challenge.value);
  const { domain: active } = await client.verifyDomain(params);
  assert.deepEqual([active.status, active.error], ["active", null]);
  const issued = await issuedFor(cluster, "*.loja.dev");
  const certificate = new X509Certificate(issued.chain);
  assert.equal(certificate.checkHost("qualquer.loja.dev"), "*.loja.dev");
  assert.equal(certificate.checkHost("loja.dev"), undefined, "the domain itself is another name");
  const route = await until(() => cluster.central.app.siteRoutes.routesOf("any").get("*.loja.dev"));
  assert.deepEqual([route.projectId, route.isOwnDomain], [id, true]);
});
