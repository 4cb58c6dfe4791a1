/** Tests certificates that operators bring, over the API and by the command. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { noteEndingCertificates } from "../../central/src/app/certificates/ending-certificates.ts";
import { certificateFor } from "../support/certificates/made-certificate.ts";
import { servedCertificates } from "../support/certificates/served.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { operatorPerson } from "../support/people/operator-person.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const dayMs = 24 * 60 * 60 * 1000;
test("an operator's certificate is served before others, is replaced by the next, listed, and removed", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  const [chain, key] = [join(line.folder, "chain.pem"), join(line.folder, "key.pem")];
  const first = certificateFor("localhost", "*.example.org");
  await writeFile(chain, first.certificate);
  await writeFile(key, first.privateKey);
  const set = await line.run(["cluster", "certificate", "set", "--certificate", chain, "--key", key]);
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, /\*\.example\.org, localhost/);
  const last = (await servedCertificates(cluster)).at(-1);
  assert.deepEqual([last?.chain, last?.privateKey], [first.certificate, first.privateKey]);

  const second = certificateFor("*.example.org", "localhost");
  const { certificate } = await cluster.admin.setCertificate({ body: second });
  const { certificates } = await cluster.admin.listCertificates();
  assert.deepEqual(
    certificates.filter(({ kind }) => kind === "own"),
    [certificate],
  );
  assert.deepEqual([certificate.renewsAt, certificate.issuer], [null, "CN=Somebody's authority"]);
  const stored = JSON.stringify(await cluster.central.app.db.selectFrom("certificate").selectAll().execute());
  assert.ok(!stored.includes("PRIVATE KEY"));

  const listed = await line.run(["cluster", "certificate", "list"]);
  assert.match(listed.stdout, new RegExp(`localhost.*próprio.*${certificate.id}`));
  const removed = await line.run(["cluster", "certificate", "remove", certificate.id]);
  assert.equal(removed.code, 0, removed.stderr);
  const left = (await cluster.admin.listCertificates()).certificates;
  assert.deepEqual(
    left.map(({ kind }) => kind),
    ["local"],
  );
  await assert.rejects(cluster.admin.removeCertificate({ certificateId: left[0]?.id ?? "" }), {
    code: "not_found",
  });
  const { entries } = await cluster.admin.listAudit({ query: {} });
  const about = entries.filter(({ subject }) => subject.kind === "certificate").map(({ action }) => action);
  assert.deepEqual(about, ["removeCertificate", "setCertificate", "setCertificate"]);
  assert.ok(!JSON.stringify(entries).includes("PRIVATE"));
});

test("a certificate that does not fit is refused with the field and the reason, and nothing changes", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  const before = await servedCertificates(cluster);
  const body = {
    certificate: certificateFor("a.example.org").certificate,
    privateKey: certificateFor("a.example.org").privateKey,
  };
  await assert.rejects(cluster.admin.setCertificate({ body }), {
    code: "invalid_certificate",
    extra: { field: "privateKey", reason: "key_mismatch" },
  });
  assert.deepEqual(await servedCertificates(cluster), before);
});

test("operators are told 30, 7 and 2 days before their certificate ends, once each", async () => {
  await using cluster = await TestCluster.create({ hosts: 0 });
  const { accountId } = (await operatorPerson(cluster)).ana;
  await cluster.admin.setCertificate({ body: certificateFor("*.example.org") });
  const { db } = cluster.central.app;
  const told = async () =>
    (
      await db
        .selectFrom("notice")
        .select(["account_id", "subject"])
        .where("kind", "=", "certificate_ending")
        .execute()
    )
      .map((row) => `${row.account_id === accountId} ${row.subject.split(" ")[1]}`)
      .sort();
  await noteEndingCertificates(cluster.central.app);
  assert.deepEqual(await told(), ["true 30"]);
  for (const days of [20, 4, 5]) {
    cluster.clock.advance(days * dayMs - 60_000);
    await noteEndingCertificates(cluster.central.app);
    await noteEndingCertificates(cluster.central.app);
  }
  assert.deepEqual(await told(), ["true 2", "true 30", "true 7"]);
});
