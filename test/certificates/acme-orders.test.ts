/** Tests that central orders what its sites need, from pebble, through the gateway or by a DNS hook. */

import assert from "node:assert/strict";
import { X509Certificate } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { once } from "node:events";
import { join } from "node:path";
import { suite, test, type TestContext } from "node:test";
import { listFailedOrders } from "../../central/src/store/tables/certificates/certificate-order.ts";
import { domain, issuedFor, newSite, orderingCluster } from "../support/certificates/ordering-cluster.ts";
import { Pebble } from "../support/certificates/pebble.ts";
import { servedCertificates, servedFor } from "../support/certificates/served.ts";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { CommandLine } from "../support/commands/command-line.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
/** Resolves with the newest failure of an order. */
const failureOf = (cluster: TestCluster, failures = 1) =>
  until(
    async () => (await listFailedOrders(cluster.central.app.db)).find((each) => each.failures >= failures),
    { timeoutMs: 60_000 },
  );

async function timed<Result>(t: TestContext, what: string, work: () => Promise<Result>) {
  const startedAt = performance.now();
  const result = await work();
  const seconds = (performance.now() - startedAt) / 1000;
  t.diagnostic(`${what}: ${seconds.toFixed(1)} s`);
  return { result, seconds };
}

suite("orders of certificates", { concurrency: 1 }, () => {
  test("a new site has its certificate in seconds, which pebble's root vouches for, and loses it with its name", async (t) => {
    await using rig = await orderingCluster();
    const { cluster, pebble } = rig;
    const { result: issued } = await timed(t, "from the upload to the certificate", async () => {
      await newSite(cluster, "loja");
      return issuedFor(cluster, `loja.${domain}`);
    });
    const certificate = new X509Certificate(issued.chain);
    const chain = issued.chain.split(/(?<=-----END CERTIFICATE-----\n)/);
    assert.ok(chain.length >= 2, "the chain has what signed it");
    assert.equal(certificate.checkHost(`loja.${domain}`), `loja.${domain}`);
    assert.match(await pebble.issuingRoot(), /BEGIN CERTIFICATE/);
    const { db } = cluster.central.app;
    const found = () =>
      db.selectFrom("certificate").selectAll().where("id", "=", issued.id).executeTakeFirstOrThrow();
    const row = await until(async () => {
      const each = await found();
      return each.renewal_window === null ? undefined : each; // the authority is asked once it is stored
    });
    assert.ok(!row.ciphertext.includes("PRIVATE"));
    await db.deleteFrom("project").execute();
    cluster.clock.advance(minuteMs);
    await until(async () => !(await servedCertificates(cluster)).some(({ id }) => id === issued.id));
  });

  test("with a DNS hook all sites have one wildcard, and what the hook wrote is removed again", async () => {
    await using rig = await orderingCluster({
      settings: async ({ zone }) => ({
        TIJOLO_ACME_DNS_HOOK: await zone.hook(`echo "$1 $2" >> ${zone.folder}/calls`),
      }),
    });
    const { cluster, zone } = rig;
    const issued = await issuedFor(cluster, `*.${domain}`);
    assert.deepEqual(issued.names, [`*.${domain}`, domain]);
    await newSite(cluster, "outra");
    const calls = (await readFile(join(zone.folder, "calls"), "utf8")).trim().split("\n");
    const name = `_acme-challenge.${domain}.`;
    assert.deepEqual(calls, [`present ${name}`, `cleanup ${name}`, `present ${name}`, `cleanup ${name}`]);
    assert.ok(!(await readdir(zone.folder)).includes(`_acme-challenge.${domain}`));
    assert.equal((await servedCertificates(cluster)).length, 2);
  });

  test("with a hook that is set later each site keeps its certificate until the wildcard is there", async () => {
    await using rig = await orderingCluster();
    const { cluster, zone } = rig;
    await newSite(cluster, "loja");
    const { id } = await issuedFor(cluster, `loja.${domain}`);
    const isServed = async () => (await servedCertificates(cluster)).some((each) => each.id === id);
    const { centralSettings = {} } = cluster.options;
    centralSettings["TIJOLO_ACME_DNS_HOOK"] = await zone.hook(`. ${zone.folder}/behaviour`);
    await writeFile(join(zone.folder, "behaviour"), "exit 1");
    await cluster.stopCentral();
    await cluster.startCentral();
    await failureOf(cluster);
    assert.ok(await isServed(), "while the hook fails");
    await writeFile(join(zone.folder, "behaviour"), "");
    cluster.clock.advance(minuteMs);
    await issuedFor(cluster, `*.${domain}`);
    cluster.clock.advance(minuteMs);
    await until(async () => !(await isServed()));
  });

  test("a name that leads nowhere or elsewhere is not ordered; pauses grow, and a restart shortens none", async () => {
    await using rig = await orderingCluster();
    const { cluster, pebble, zone } = rig;
    cluster.clock.hold();
    zone.addresses = [];
    await newSite(cluster, "perdida");
    const first = await failureOf(cluster);
    assert.deepEqual([first.fault, first.failures], ["no_address", 1]);
    assert.equal(first.nextTryAt - first.failedAt, minuteMs);

    const elsewhere = createServer((_request, response) => response.end("another server"));
    elsewhere.listen(pebble.httpPort, "127.0.0.2");
    await once(elsewhere, "listening");
    await using _closing = { [Symbol.asyncDispose]: async () => void elsewhere.close() };
    zone.addresses = ["127.0.0.1", "127.0.0.2"];
    await cluster.stopCentral();
    await cluster.startCentral();
    cluster.clock.advance(minuteMs - 1_000);
    const { app } = cluster.central;
    await until(async () => (await app.db.selectFrom("acme_key").selectAll().execute()).length === 1);
    assert.equal((await failureOf(cluster)).failures, 1, "the pause holds over the restart");
    cluster.clock.advance(1_000);
    const second = await failureOf(cluster, 2);
    assert.equal(second.fault, "wrong_address");
    assert.match(second.detail, /127\.0\.0\.2(?!.*127\.0\.0\.1)/);
    assert.ok(!pebble.log.includes("new-order") && !pebble.log.includes("There are now 1 orders"));
    const pauses = [second.nextTryAt - second.failedAt];
    for (let failures = 3; failures <= 5; failures++) {
      cluster.clock.advance(pauses.at(-1) ?? 0);
      const { nextTryAt, failedAt } = await failureOf(cluster, failures);
      pauses.push(nextTryAt - failedAt);
    }
    assert.deepEqual(
      pauses,
      [10, 60, 6 * 60, 24 * 60].map((minutes) => minutes * minuteMs),
    );
    zone.addresses = ["127.0.0.1"];
    cluster.clock.advance(pauses.at(-1) ?? 0);
    await issuedFor(cluster, `perdida.${domain}`);
    assert.deepEqual(await listFailedOrders(cluster.central.app.db), [], "a success forgets the failures");
  });

  test("an authority that is away is passed over for the next; after a failure the order is practised first", async () => {
    await using practice = await Pebble.start();
    await using next = await Pebble.start();
    await using rig = await orderingCluster({
      settings: async ({ pebble, zone }) => {
        await writeFile(join(zone.folder, "all.pem"), pebble.roots + practice.roots + next.roots);
        return {
          TIJOLO_ACME_ROOTS_FILE: join(zone.folder, "all.pem"),
          TIJOLO_ACME_DIRECTORIES: `${pebble.directoryUrl},${next.directoryUrl}`,
          TIJOLO_ACME_STAGING_DIRECTORY: practice.directoryUrl,
        };
      },
    });
    const { cluster, pebble } = rig;
    await pebble.stop();
    await newSite(cluster, "sem-pressa");
    const failed = await failureOf(cluster);
    assert.equal(failed.fault, "validation", "the second authority was asked, and sees another network");
    assert.match(next.log, /sem-pressa/);
    assert.ok(!practice.log.includes("sem-pressa"), "the first order needs no practice");
    await pebble.restart();
    cluster.clock.advance(minuteMs);
    const again = await failureOf(cluster, 2);
    assert.equal(again.fault, "validation");
    assert.match(practice.log, /sem-pressa/);
    assert.ok(!pebble.log.includes("sem-pressa"), "what fails in practice is not asked of the authority");
  });

  test("a certificate is renewed in the authority's window, also by a clock that is an hour behind", async () => {
    await using rig = await orderingCluster();
    const { cluster } = rig;
    cluster.clock.setBack(60 * minuteMs);
    await newSite(cluster, "fiel");
    const first = await issuedFor(cluster, `fiel.${domain}`);
    cluster.clock.advance(50 * dayMs);
    await until(async () => {
      const [row] = await cluster.central.app.db
        .selectFrom("certificate")
        .select("renewal_ask_at")
        .where("id", "=", first.id)
        .execute();
      return Number(row?.renewal_ask_at) > cluster.clock.now();
    });
    assert.equal((await servedFor(cluster, `fiel.${domain}`)).id, first.id, "not before its window");
    cluster.clock.advance(35 * dayMs);
    await until(async () => (await servedFor(cluster, `fiel.${domain}`)).id !== first.id, {
      timeoutMs: 60_000,
    });
    const all = (await servedCertificates(cluster)).filter(({ names }) => names.includes(`fiel.${domain}`));
    assert.equal(all.length, 1, "the renewed one took its place");
    assert.notEqual(all[0]?.privateKey, first.privateKey);
  });

  test("beyond forty new sites in a week the next ones wait, and the operator is told once", async (t) => {
    await using rig = await orderingCluster();
    const { cluster } = rig;
    const { db, logger } = cluster.central.app;
    const warn = t.mock.method(logger, "warn");
    const at = cluster.clock.now();
    await db
      .insertInto("site_certificate_issue")
      .values(Array.from({ length: 39 }, (_, index) => ({ names: `["s${index}"]`, at })))
      .execute();
    await newSite(cluster, "quarenta");
    await issuedFor(cluster, `quarenta.${domain}`);
    await newSite(cluster, "demais");
    cluster.clock.advance(6 * dayMs);
    await until(async () => {
      const { names } = cluster.central.app.acme.challenges.list();
      return names.includes(`demais.${domain}`);
    });
    await assert.rejects(servedFor(cluster, `demais.${domain}`));
    const told = warn.mock.calls.map(({ arguments: said }) => said as unknown[]);
    assert.deepEqual(
      told.filter(([, sentence]) => String(sentence).startsWith("new sites wait")).map(([fields]) => fields),
      [{ sites: 1, perWeek: 40 }],
    );
    const { waitingNames } = await cluster.admin.listCertificates();
    assert.deepEqual(waitingNames, [`demais.${domain}`]);
    await using line = await CommandLine.create();
    line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
    const listed = await line.run(["cluster", "certificate", "list"]);
    assert.match(listed.stdout, new RegExp(`1 site novo espera o certificado, .*: demais.${domain}\\. `));
    cluster.clock.advance(2 * dayMs);
    await issuedFor(cluster, `demais.${domain}`);
  });

  test("a hook that fails or hangs costs its order only, and says what it printed", async () => {
    await using rig = await orderingCluster({
      lookups: { hookMs: 700 },
      settings: async ({ zone }) => ({
        TIJOLO_ACME_DNS_HOOK: await zone.hook(`. ${zone.folder}/behaviour`),
      }),
    });
    const { cluster, zone } = rig;
    const first = await failureOf(cluster);
    assert.equal(first.fault, "hook_failed");
    await writeFile(
      join(zone.folder, "behaviour"),
      "head -c 300000 /dev/urandom; echo; echo the zone is locked; exit 7",
    );
    cluster.clock.advance(minuteMs);
    const second = await failureOf(cluster, 2);
    assert.match(second.detail, /ended with 7: .*the zone is locked$/);
    assert.ok(second.detail.length < 600 && !/\p{Cc}/u.test(second.detail));
    await writeFile(join(zone.folder, "behaviour"), `sleep 300 & echo $! > ${zone.folder}/left; sleep 300`);
    cluster.clock.advance(10 * minuteMs);
    const third = await failureOf(cluster, 3);
    assert.match(third.detail, /did not end within 0\.7 s/);
    const left = Number(await readFile(join(zone.folder, "left"), "utf8"));
    await until(() => !isAlive(left));
    await writeFile(join(zone.folder, "behaviour"), "");
    cluster.clock.advance(60 * minuteMs);
    await issuedFor(cluster, `*.${domain}`);
  });
});

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
