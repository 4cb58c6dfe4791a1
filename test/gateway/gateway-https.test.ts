/** Tests HTTPS from central to a visitor: certificates of both authorities, at a gateway that joined the cluster. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { getAuthority } from "../../central/src/app/certificates/local/local-authority.ts";
import { domain, newSite, orderingCluster } from "../support/certificates/ordering-cluster.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { TestGateway } from "../support/cluster/test-gateway.ts";
import { freePort } from "../support/machine/free-port.ts";
import { PanelSession } from "../support/people/panel.ts";
import { until } from "../support/until.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";

const waits = { timeoutMs: 30_000, everyMs: 20 };

test("a new site has HTTPS by the local authority at once, also while central is away and after a boot", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  await using cluster = await TestCluster.create();
  await using gateway = await TestGateway.start(cluster);
  const { certificate: ca } = await getAuthority(cluster.central.app);
  const host = "loja.localhost";
  assert.equal(await gateway.hasCertificate(host, ca), false, "nobody has this name yet");
  const startedAt = performance.now();
  const site = await newSite(cluster, "loja");
  const answer = await until(() => gateway.get(host, { ca }).catch(() => undefined), waits);
  t.diagnostic(`from the upload to HTTPS: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  assert.equal(answer.status, 503);
  assert.match(answer.body, /503 · site_/);
  assert.equal((await gateway.get(host)).status, 503, "without a redirect");
  await cluster.stopCentral();
  assert.ok(await gateway.hasCertificate(host, ca));
  await gateway.stop();
  await gateway.begin();
  assert.ok(await gateway.hasCertificate(host, ca));
  await cluster.startCentral();
  await cluster.untilConnected();
  await cluster.admin.deleteProject({ id: site.id });
  await until(async () => !(await gateway.hasCertificate(host, ca)), waits);
});

test("from a site's upload to HTTPS by an authority that asks HAProxy for the proof", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const httpPort = await freePort();
  await using rig = await orderingCluster({ httpPort });
  const { cluster, pebble } = rig;
  await using gateway = await TestGateway.start(cluster, { httpPort });
  const host = `loja.${domain}`;
  const startedAt = performance.now();
  await newSite(cluster, "loja");
  const ca = await pebble.issuingRoot();
  const answer = await until(() => gateway.get(host, { ca }).catch(() => undefined), waits);
  t.diagnostic(`from the upload to HTTPS: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  assert.equal(answer.status, 503);
  // What sends visitors to HTTPS comes once the certificate is there.
  const hsts = async () => (await gateway.get(host, { ca })).headers["strict-transport-security"];
  await until(async () => (await hsts()) === "max-age=15552000", waits);
  const plain = await gateway.get(host, { path: "/a?b=1" });
  assert.deepEqual(
    [plain.status, plain.headers.location],
    [308, `https://${host}:${gateway.httpsPort}/a?b=1`],
  );
});

test("the panel and the API answer by central's own name over HTTPS, and know their visitors", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const host = "painel.localhost";
  await using cluster = await TestCluster.create({
    centralSettings: { TIJOLO_PANEL_URL: `https://${host}` },
  });
  await using gateway = await TestGateway.start(cluster);
  const { certificate: ca } = await getAuthority(cluster.central.app);
  await until(() => gateway.hasCertificate(host, ca), waits);
  const health = await gateway.get(host, { path: "/api/status", ca });
  assert.equal(health.status, 200);
  assert.equal(JSON.parse(health.body).health.state, "operational");
  const session = await PanelSession.signUp(cluster);
  const headers = { "content-type": "application/json", origin: `https://${host}` };
  const body = JSON.stringify({ email: session.email, password: session.password });
  const signedIn = await gateway.get(host, { path: "/api/sign-in", ca, method: "POST", headers, body });
  assert.equal(signedIn.status, 200, signedIn.body);
  assert.match(String(signedIn.headers["set-cookie"]), /; Secure/);
  const unknown = await gateway.get("other.localhost", { path: "/api/status" });
  assert.equal(unknown.status, 404, "no site's name leads to the API");
});
