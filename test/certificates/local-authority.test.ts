/** Tests the cluster's own authority: what it signs, for whom, and what other programs say of it. */

import assert from "node:assert/strict";
import { createPublicKey, randomBytes, X509Certificate } from "node:crypto";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { linkServerName } from "@tijolo/protocol/kit";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { ensureAuthority, issueLocally } from "../../central/src/app/certificates/local/local-authority.ts";
import { signServer } from "../../central/src/app/certificates/x509/sign-certificate.ts";
import {
  runProgram,
  serveCertificate,
  servedCertificates,
  servedFor,
} from "../support/certificates/served.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

const dayMs = 24 * 60 * 60 * 1000;

/** Makes a site and returns once its certificate is there. */
async function newSite(cluster: TestCluster, subdomain: string) {
  const account = await cluster.createAccount({ plan: "Empresas" });
  const config = { type: "site", memoryMb: 512, subdomain };
  const site = await SimulatedProject.create(account, "sim listen", { config, start: false });
  const name = `${subdomain}.localhost`;
  return { site, certificate: await until(() => servedFor(cluster, name).catch(() => undefined)) };
}

async function writtenAuthority(cluster: TestCluster) {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ca-"));
  const file = join(directory, "ca.pem");
  const { authority } = await cluster.admin.getAuthority();
  await writeFile(file, authority.certificate);
  return {
    file,
    authority,
    inFile: async (name: string, text: string) => {
      await writeFile(join(directory, name), text);
      return join(directory, name);
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true }),
  };
}

suite("the local authority", { concurrency: 2 }, () => {
  test("curl and openssl accept a site's certificate by it, and no other name", async () => {
    await using cluster = await TestCluster.create();
    await using ca = await writtenAuthority(cluster);
    const { certificate } = await newSite(cluster, "minha-loja");
    assert.deepEqual(certificate.names, ["minha-loja.localhost"]);
    const leaf = await ca.inFile("leaf.pem", certificate.chain);
    const verified = await runProgram("openssl", [
      "verify",
      "-x509_strict",
      "-purpose",
      "sslserver",
      "-CAfile",
      ca.file,
      "-verify_hostname",
      "minha-loja.localhost",
      leaf,
    ]);
    assert.match(verified.stdout, /: OK/, verified.stderr);
    await using server = await serveCertificate(certificate);
    const ask = (host: string) =>
      runProgram("curl", [
        "-sS",
        "--cacert",
        ca.file,
        "--resolve",
        `${host}:${server.port}:127.0.0.1`,
        `https://${host}:${server.port}/`,
      ]);
    assert.deepEqual(await ask("minha-loja.localhost"), { code: 0, stdout: "ok", stderr: "" });
    assert.equal((await ask("outra.localhost")).code, 60, "curl's code for a certificate that it refuses");
  });

  test("central's own names and loopback addresses have one, too", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    await using ca = await writtenAuthority(cluster);
    await using server = await serveCertificate(await servedFor(cluster, "localhost"));
    for (const url of ["https://localhost", "https://127.0.0.1"]) {
      const asked = await runProgram("curl", ["-sS", "--cacert", ca.file, `${url}:${server.port}/`]);
      assert.deepEqual(asked, { code: 0, stdout: "ok", stderr: "" });
    }
  });

  test("what it signs for other domains or addresses is refused", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    await using ca = await writtenAuthority(cluster);
    const open = await ensureAuthority(cluster.central.app);
    assert.ok(open !== null);
    const key = newPrivateKey();
    const now = Date.now();
    const verify = async (name: string) => {
      const certificate = signServer(open.issuer, {
        names: [name],
        publicKey: createPublicKey(key),
        validity: { beginsAt: now - dayMs, endsAt: now + dayMs },
        random: randomBytes,
      });
      const file = await ca.inFile("signed.pem", certificate);
      return (await runProgram("openssl", ["verify", "-x509_strict", "-CAfile", ca.file, file])).stderr;
    };
    assert.equal(await verify("a.localhost"), "");
    assert.equal(await verify("127.0.0.9"), "");
    assert.equal(await verify("::1"), "");
    for (const name of ["bank.example", "localhost.example", "xlocalhost", "10.0.0.1", "2001:db8::1"])
      assert.match(await verify(name), /permitted subtree violation/, name);
  });

  test("it outlives restarts; another site domain keeps its key and changes what it may sign", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    await using pinned = await writtenAuthority(cluster);
    const first = pinned.authority;
    const own = await servedFor(cluster, "localhost");
    await cluster.stopCentral();
    await cluster.startCentral();
    assert.deepEqual((await cluster.admin.getAuthority()).authority, first);
    assert.deepEqual(await servedFor(cluster, "localhost"), own);

    await cluster.stopCentral();
    cluster.options.centralSettings = { TIJOLO_SITE_DOMAIN: "sites.example" };
    await cluster.startCentral();
    const second = (await cluster.admin.getAuthority()).authority;
    assert.equal(second.keyFingerprint, first.keyFingerprint);
    assert.notEqual(second.fingerprint, first.fingerprint);
    assert.deepEqual(second.domains, ["localhost", "sites.example"]);
    const wildcard = await servedFor(cluster, "*.sites.example");
    const certificate = new X509Certificate(wildcard.chain);
    assert.ok(certificate.verify(new X509Certificate(second.certificate).publicKey));
    assert.equal(certificate.checkHost("loja.sites.example"), "*.sites.example");
    assert.equal((await servedCertificates(cluster)).length, 2, "those of the first authority are gone");

    // Hosts and gateways have pinned the first certificate.
    const { app } = cluster.central;
    const authority = await ensureAuthority(app);
    assert.ok(authority !== null);
    const ofLink = await pinned.inFile("link.pem", issueLocally(app, authority, [linkServerName]).chain);
    const verified = await runProgram("openssl", ["verify", "-x509_strict", "-CAfile", pinned.file, ofLink]);
    assert.match(verified.stdout, /: OK/, verified.stderr);
  });

  test("a certificate is made anew at two thirds of its life, and goes with its site", async () => {
    await using cluster = await TestCluster.create();
    const { site, certificate } = await newSite(cluster, "efemera");
    cluster.clock.advance(40 * dayMs);
    await until(async () => (await servedFor(cluster, "localhost")).id !== certificate.id);
    assert.equal((await servedFor(cluster, "efemera.localhost")).id, certificate.id, "not yet");
    cluster.clock.advance(30 * dayMs);
    await until(async () => (await servedFor(cluster, "efemera.localhost")).id !== certificate.id);
    const renewed = await servedFor(cluster, "efemera.localhost");
    assert.notEqual(renewed.privateKey, certificate.privateKey, "each has a key of its own");
    await cluster.central.app.db.deleteFrom("project").where("id", "=", site.id).execute();
    cluster.clock.advance(dayMs);
    await until(async () => !(await servedCertificates(cluster)).some(({ id }) => id === renewed.id));
  });

  test("a rotated master key opens all of them; without it none is lost, and none is made", async () => {
    await using cluster = await TestCluster.create();
    const { certificate } = await newSite(cluster, "selada");
    const rows = () => cluster.central.app.db.selectFrom("certificate").selectAll().execute();
    assert.ok((await rows()).every(({ ciphertext }) => !ciphertext.includes("PRIVATE")));
    const before = await servedCertificates(cluster);
    const rotated = await cluster.admin.rotateMasterKey();
    assert.deepEqual([rotated.resealed, rotated.unreadable], [3, 0]);
    assert.deepEqual(await servedCertificates(cluster), before);

    await cluster.central.app.db.updateTable("certificate").set({ key_id: "lost" }).execute();
    const [first] = await servedCertificates(cluster);
    assert.equal(first?.privateKey, null);
    cluster.clock.advance(80 * dayMs);
    const account = await cluster.createAccount({ plan: "Empresas" });
    const config = { type: "site", memoryMb: 512, subdomain: "sem-chave" };
    await SimulatedProject.create(account, "sim listen", { config, start: false });
    assert.equal(await ensureAuthority(cluster.central.app), null, "no other authority takes its place");
    assert.equal((await servedFor(cluster, "selada.localhost")).id, certificate.id);
    await assert.rejects(servedFor(cluster, "sem-chave.localhost"));
  });

  test("tijolo cluster ca prints the certificate alone to a file, and beside it how to trust it", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    await using line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
    const { authority } = await cluster.admin.getAuthority();
    const printed = await line.run(["cluster", "ca"]);
    assert.equal(printed.code, 0, printed.stderr);
    assert.equal(printed.stdout, authority.certificate);
    assert.match(printed.stderr, new RegExp(`${authority.fingerprint}[^]*update-ca-certificates`));
    const json = await line.run(["cluster", "ca", "--json"]);
    assert.deepEqual(JSON.parse(json.stdout), { authority });
  });
});
