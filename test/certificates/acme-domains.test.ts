/** Tests that a site's own domain has its certificate as soon as DNS proves it, and loses it with its name. */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { Pebble } from "../support/certificates/pebble.ts";
import { servedCertificates, servedFor } from "../support/certificates/served.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { NameServer } from "../support/domains/name-server.ts";
import { freePort } from "../support/machine/free-port.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

const dayMs = 24 * 60 * 60 * 1000;

test("from the proof of a domain to its certificate it takes seconds; removed, it is erased with its key", async (t) => {
  await using dns = await NameServer.open();
  const ports = { api: await freePort(), gateway: await freePort() };
  await using pebble = await Pebble.start({ httpPort: ports.gateway, dnsPort: dns.port });
  await using files = await TestCluster.create({ hosts: 0 });
  const rootsFile = join(files.directory, "roots.pem");
  await writeFile(rootsFile, pebble.roots);
  await using cluster = await TestCluster.create({
    ports,
    domainLookups: dns.lookups,
    acmeLookups: { httpPort: ports.gateway },
    centralSettings: {
      TIJOLO_WEBHOOKS_TO_PRIVATE_ADDRESSES: "yes",
      TIJOLO_ACME_DIRECTORIES: pebble.directoryUrl,
      TIJOLO_ACME_ROOTS_FILE: rootsFile,
    },
  });
  const { client } = await cluster.createAccount({
    plan: "Empresas",
    scopes: ["projects:settings", "domains:write"],
  });
  const config = { type: "site", memoryMb: 512, subdomain: "loja" };
  const { id } = await SimulatedProject.create({ client }, "sim listen", { config, start: false });
  dns.zone("apex.dev");
  const { domain } = await client.addDomain({ id, body: { hostname: "apex.dev" } });
  for (const { name, type, value, way } of domain.records)
    if (way === "addresses" && type !== "AAAA") dns.set(name, type, [value]);
  await assert.rejects(servedFor(cluster, "apex.dev"));
  const startedAt = performance.now();
  assert.equal((await client.verifyDomain({ id, hostname: "apex.dev" })).domain.status, "active");
  const issued = await until(() => servedFor(cluster, "apex.dev").catch(() => undefined), {
    timeoutMs: 60_000,
  });
  const seconds = (performance.now() - startedAt) / 1000;
  t.diagnostic(`from the proof to the certificate: ${seconds.toFixed(1)} s`);
  assert.ok(new X509Certificate(issued.chain).checkHost("apex.dev") === "apex.dev");

  const { db } = cluster.central.app;
  await db
    .updateTable("domain")
    .set({ proof_missing_since: cluster.clock.now(), next_check_at: null })
    .execute();
  cluster.clock.advance(88 * dayMs);
  await until(async () =>
    (await db.selectFrom("certificate").selectAll().execute()).some(
      ({ id: row, renewal_ask_at: at }) => row === issued.id && Number(at) > cluster.clock.now(),
    ),
  );
  assert.equal((await servedFor(cluster, "apex.dev")).id, issued.id, "without the proof none is renewed");
  await client.removeDomain({ id, hostname: "apex.dev" });
  await until(async () => !(await servedCertificates(cluster)).some((each) => each.id === issued.id));
  assert.ok(
    !(await db.selectFrom("certificate").selectAll().execute()).some((each) => each.id === issued.id),
  );
});
