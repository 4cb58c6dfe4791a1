/** Tests that a site's own page comes through a real HAProxy, under the site's names and not the API's. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { TestGateway } from "../support/cluster/test-gateway.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

test("an own page comes as it is through HAProxy; without central visitors see the plain one", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const api = "painel.localhost";
  await using cluster = await TestCluster.create({ centralSettings: { TIJOLO_PANEL_URL: `https://${api}` } });
  await using gateway = await TestGateway.start(cluster);
  const account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const config = { type: "site", memoryMb: 512, subdomain: "loja" };
  const { id } = await SimulatedProject.create(account, "sim listen", { config, start: false });
  const visit = (host: string) => gateway.get(host, { headers: { accept: "text/html" } });
  await until(async () => (await visit("loja.localhost")).body.includes("site_stopped"));
  const html = `<!doctype html><p>${"Voltamos já. ".repeat(4_000)}`;
  await account.client.setSitePage({ id, status: "503", body: { html } });
  const page = await visit("loja.localhost");
  assert.deepEqual([page.status, page.body === html, page.headers["retry-after"]], [503, true, "60"]);
  assert.equal(page.headers["x-content-type-options"], "nosniff");
  for (const host of [api, "outra.localhost", "localhost"])
    assert.doesNotMatch((await visit(host)).body, /Voltamos/, host);
  await cluster.stopCentral();
  const plain = await visit("loja.localhost");
  assert.deepEqual([plain.status, /host_unreachable/.test(plain.body)], [503, true]);
  await cluster.startCentral();
  await until(async () => (await visit("loja.localhost")).body === html);
});

test("an own page is shown for a program that hangs up on HAProxy; without central the plain one is", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  await using cluster = await TestCluster.create();
  await using gateway = await TestGateway.start(cluster);
  let isBroken = false;
  const program = createServer((socket) => {
    socket.on("error", () => {});
    socket.once("data", () => socket.end(isBroken ? "" : "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"));
  }).listen(0, "127.0.0.1");
  t.after(() => program.close());
  await once(program, "listening");
  const { port } = program.address() as AddressInfo;
  const account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const config = { type: "site", memoryMb: 512, subdomain: "loja", port };
  const { id } = await SimulatedProject.create(account, "sim run", { config });
  const visit = () => gateway.get("loja.localhost", { method: "POST", headers: { accept: "text/html" } });
  await until(() => gateway.goesStraightTo("loja.localhost"));
  await until(async () => (await visit()).body === "ok");
  isBroken = true;
  await account.client.setSitePage({ id, status: "502", body: { html: "<p>Voltamos já." } });
  const { status, body } = await visit();
  assert.deepEqual([status, body], [502, "<p>Voltamos já."]);
  await cluster.stopCentral();
  const plain = await visit();
  assert.deepEqual([plain.status, /502 · app_bad_response/.test(plain.body)], [502, true]);
});
