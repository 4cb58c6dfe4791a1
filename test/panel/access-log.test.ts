/** Walks through the log of a site's visits in a browser: turned on, then read on the page of logs. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, test } from "node:test";
import { zipOf } from "../support/archives/zip-of.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

test("the log of visits is turned on in the settings; the page of logs offers it from then on, live", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const zip = await zipOf({ "svc.json": JSON.stringify({ language: "static" }), "index.html": "olá" });
  const { project } = await session.client.createProject({ fields: {}, file: new File([zip], "loja.zip") });
  const { id, subdomain } = project;
  const visit = async (path: string) => {
    const { hostname, port } = new URL(cluster.central.pagesUrl);
    const asked = request({ host: hostname, port, path, headers: { host: `${subdomain}.localhost` } });
    const [response] = await once(asked.end(), "response");
    await once(response.resume(), "end");
  };
  await using ana = await Visitor.open(cluster, `/projects/${id}/logs`, { session });
  const { page } = ana;
  const section = page.getByLabel("Seção", { exact: true });
  await section.waitFor();
  assert.deepEqual(await section.locator("option").allTextContents(), [
    "Seção: Tudo",
    "Instalação",
    "Aplicação",
  ]);
  await page.goto(`${ana.origin}/projects/${id}/settings`);
  await page.getByLabel("Com endereços cortados").check();
  await until(async () => (await session.client.getSiteSettings({ id })).siteSettings.accessLog === "short");
  await until(() => cluster.central.app.siteRoutes.accessLogOf(id) === "short");
  await visit("/antes");
  await page.goto(`${ana.origin}/projects/${id}/logs`);
  await section.selectOption("Visitas");
  await page.getByText('127.0.0.0 "GET /antes"').waitFor();
  await visit("/agora");
  await page.getByText('127.0.0.0 "GET /agora"').waitFor();
  assert.match(page.url(), /section=access/);
  await section.selectOption("Seção: Tudo");
  await page.getByText('"GET /agora"').waitFor({ state: "detached" });
});
