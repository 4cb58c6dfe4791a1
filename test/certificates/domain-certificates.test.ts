/** Tests certificates that owners of domains bring: for the domain's name alone, and while it is active. */

import assert from "node:assert/strict";
import { createPrivateKey, X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { noteEndingCertificates } from "../../central/src/app/certificates/ending-certificates.ts";
import { listGatewayCertificates } from "../../central/src/app/certificates/gateway-certificates.ts";
import { newCertificate } from "../../central/src/app/certificates/new-certificate.ts";
import { wantedOrders } from "../../central/src/app/certificates/wanted-certificates.ts";
import { transact } from "../../central/src/store/store.ts";
import { insertCertificate } from "../../central/src/store/tables/certificates/certificate.ts";
import { certificateFor } from "../support/certificates/made-certificate.ts";
import { servedCertificates } from "../support/certificates/served.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { DomainWorld } from "../support/domains/domain-world.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

const served = async (hostname: string) =>
  (await servedCertificates(world.cluster)).filter(({ names }) => names.includes(hostname));

/** A site with an active domain. */
async function withDomain(hostname: string) {
  const site = await world.site();
  world.dns.zone(hostname.slice(hostname.indexOf(".") + 1));
  const { domain } = await site.client.addDomain({ id: site.id, body: { hostname } });
  return { ...site, params: { id: site.id, hostname }, domain };
}

test("it is served once the domain is active, for its name alone, and is replaced and removed", async () => {
  const { client, params, domain } = await withDomain("www.selo.dev");
  const none = { status: "none", isOwn: false, issuer: null, expiresAt: null, error: null };
  assert.deepEqual(domain.certificate, none);
  const first = certificateFor("www.selo.dev", "painel.localhost", "*.selo.dev");
  const { domain: waiting } = await client.setDomainCertificate({ ...params, body: first });
  assert.deepEqual([waiting.certificate.status, waiting.certificate.isOwn], ["pending", true]);
  assert.deepEqual(await served("www.selo.dev"), [], "nobody has proven the name yet");
  await world.write(domain, "cname");
  const { domain: active } = await client.verifyDomain(params);
  assert.deepEqual(
    [active.certificate.status, active.certificate.issuer],
    ["active", "CN=Somebody's authority"],
  );
  const [own, ...others] = await served("www.selo.dev");
  assert.deepEqual([own?.names, own?.chain, others], [["www.selo.dev"], first.certificate, []]);
  assert.deepEqual(await served("painel.localhost"), [], "other names of it are not its owner's");
  const second = certificateFor("*.selo.dev");
  await client.setDomainCertificate({ ...params, body: second });
  assert.deepEqual(
    (await served("www.selo.dev")).map(({ chain }) => chain),
    [second.certificate],
  );
  await client.removeDomainCertificate(params);
  assert.deepEqual(await served("www.selo.dev"), []);
  await assert.rejects(client.removeDomainCertificate(params), { status: 404, code: "not_found" });
});

test("one that does not fit is refused with its reason, and changes nothing", async () => {
  const { client, params } = await withDomain("www.torto.dev");
  const good = certificateFor("www.torto.dev");
  const cases = [
    [{ ...good, privateKey: certificateFor("x.dev").privateKey }, "privateKey", "key_mismatch"],
    [certificateFor("outra.dev"), "certificate", "wrong_names"],
    [{ ...good, certificate: "-----BEGIN CERTIFICATE-----" }, "certificate", "not_pem"],
  ] as const;
  for (const [body, field, reason] of cases)
    await assert.rejects(client.setDomainCertificate({ ...params, body }), {
      status: 422,
      code: "invalid_certificate",
      extra: { field, reason },
    });
  const { domains } = await client.listDomains({ id: params.id });
  assert.equal(domains[0]?.certificate.status, "none");
});

test("it goes with its domain, and its owner is told before its end", async () => {
  const { client, params, domain } = await withDomain("www.fim.dev");
  await world.write(domain, "cname");
  await client.verifyDomain(params);
  await client.setDomainCertificate({ ...params, body: certificateFor("www.fim.dev") });
  await noteEndingCertificates(world.cluster.central.app);
  const { notices } = await client.listNotices();
  assert.deepEqual(
    notices.map(({ kind }) => kind),
    ["certificate_ending"],
  );
  await client.removeDomain(params);
  assert.deepEqual(await served("www.fim.dev"), []);
});

test("the command brings one from two files", async () => {
  const { key, params, domain, client } = await withDomain("www.linha.dev");
  await world.write(domain, "cname");
  await client.verifyDomain(params);
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  const given = certificateFor("www.linha.dev");
  const files = [join(line.folder, "chain.pem"), join(line.folder, "key.pem")] as const;
  await writeFile(files[0], given.certificate);
  await writeFile(files[1], given.privateKey);
  const words = ["domains", "certificate", params.id, params.hostname];
  const set = await line.run([...words, "--certificate", files[0], "--key", files[1]]);
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, /HTTPS: certificado seu de CN=Somebody's authority, vale até/);
  assert.equal((await line.run([...words, "--remove"])).code, 0);
  assert.deepEqual(await served("www.linha.dev"), []);
  for (const wrong of [[], ["--key", files[1]], ["--remove", "--key", files[1]]])
    assert.equal((await line.run([...words, ...wrong])).code, 2);
});

test("what a stranger brings for a name that another has proven changes nothing for that one", async () => {
  const owner = await withDomain("www.alvo.dev");
  await world.write(owner.domain, "cname");
  await owner.client.verifyDomain(owner.params);
  const stranger = await world.site();
  const params = { id: stranger.id, hostname: "www.alvo.dev" };
  await stranger.client.addDomain({ id: stranger.id, body: { hostname: params.hostname } });
  await stranger.client.setDomainCertificate({ ...params, body: certificateFor("www.alvo.dev") });
  const { app } = world.cluster.central;
  const acme = { ...app.acme, servers: [{ directoryUrl: "https://acme.example/directory", binding: null }] };
  const names = (await wantedOrders({ ...app, acme }, app.db)).flatMap((each) => each.names);
  assert.ok(names.includes("www.alvo.dev"), "one is ordered for its owner");
  await noteEndingCertificates(app);
  for (const { client } of [owner, stranger]) assert.deepEqual((await client.listNotices()).notices, []);
});

test("shortly before its end it gives way to another that is there, and to none while none is", async () => {
  const { client, params, domain } = await withDomain("www.troca.dev");
  await world.write(domain, "cname");
  await client.verifyDomain(params);
  const brought = certificateFor("www.troca.dev");
  await client.setDomainCertificate({ ...params, body: brought });
  const { app } = world.cluster.central;
  const shown = async (now: number) => {
    const list = await listGatewayCertificates({ ...app, clock: { now: () => now } });
    return list.filter(({ names }) => names.includes("www.troca.dev")).map(({ chain }) => chain);
  };
  const endsAt = Date.parse(new X509Certificate(brought.certificate).validTo);
  const quarterMs = 15 * 60_000;
  assert.deepEqual(await shown(endsAt - quarterMs), [brought.certificate]);
  const { certificate: ordered, privateKey } = certificateFor("www.troca.dev");
  await transact(app.db, async (tx) => {
    const parts = { kind: "acme", names: ["www.troca.dev"], chain: ordered, renewal: null } as const;
    const row = newCertificate(app, { ...parts, privateKey: createPrivateKey(privateKey) });
    await insertCertificate(tx, { ...row, endsAt: endsAt + 30 * 24 * 4 * quarterMs });
  });
  assert.deepEqual(await shown(endsAt - 4 * quarterMs), [ordered, brought.certificate]);
  assert.deepEqual(await shown(endsAt - quarterMs), [ordered]);
});
