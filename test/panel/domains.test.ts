/** Walks through a site's own domains in a browser: added, checked against a real name server, removed. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { zipOf } from "../support/archives/zip-of.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { NameServer } from "../support/domains/name-server.ts";
import { PanelSession } from "../support/people/panel.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
let dns: NameServer;
before(async () => {
  dns = await NameServer.open();
  cluster = await TestCluster.create({ panel: true, domainLookups: dns.lookups });
});
after(async () => {
  await cluster[Symbol.asyncDispose]();
  await dns[Symbol.asyncDispose]();
});

test("a domain is added, its records stand wanted beside found, and it is active once DNS has them", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const svcJson = JSON.stringify({ language: "static" });
  const file = new File([await zipOf({ "svc.json": svcJson, "index.html": "olá" })], "loja.zip");
  const { id } = (await session.client.createProject({ fields: {}, file })).project;
  dns.zone("loja.dev");
  await using ana = await Visitor.open(cluster, `/projects/${id}/domains`, { session });
  const { page } = ana;
  await page.getByText("Nenhum domínio próprio ainda.").waitFor();
  await usedOfPlan(page, "0 de 300");
  const name = page.getByLabel("Domínio", { exact: true });
  await name.fill("com.br");
  await name.press("Enter");
  await page.getByText("É um final sob o qual qualquer um registra nomes").waitFor();
  await name.fill("www.loja.dev");
  await name.press("Enter");
  await page.getByText("À espera do DNS").waitFor();
  await usedOfPlan(page, "1 de 300");
  const [domain] = (await session.client.listDomains({ id })).domains;
  const cname = domain?.records.find(({ type }) => type === "CNAME");
  await page.getByText(cname?.value ?? "").waitFor();
  dns.set("www.loja.dev", "CNAME", [cname?.value ?? ""]);
  await page.getByRole("button", { name: "Conferir agora" }).click();
  await page.getByText("Ativo", { exact: true }).waitFor();
  assert.equal(await page.getByText(cname?.value ?? "").count(), 2, "wanted and found side by side");
  await page.getByRole("button", { name: "Tirar", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Tirar", exact: true }).click();
  await page.getByText("Nenhum domínio próprio ainda.").waitFor();
  await usedOfPlan(page, "0 de 300");
});

test("a plan without a domain left says so where one would be added", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Block" });
  const svcJson = JSON.stringify({ language: "static" });
  const file = new File([await zipOf({ "svc.json": svcJson, "index.html": "olá" })], "loja.zip");
  const { id } = (await session.client.createProject({ fields: {}, file })).project;
  for (const hostname of ["www.um.dev", "www.dois.dev"])
    await session.client.addDomain({ id, body: { hostname } });
  await using ana = await Visitor.open(cluster, `/projects/${id}/domains`, { session });
  const { page } = ana;
  await usedOfPlan(page, "2 de 3");
  const name = page.getByLabel("Domínio", { exact: true });
  await name.fill("www.tres.dev");
  await name.press("Enter");
  await usedOfPlan(page, "3 de 3");
  await page.getByRole("button", { name: "Pôr um domínio", disabled: true }).hover();
  await page.getByText("O plano não tem mais domínios livres.").waitFor();
});

async function usedOfPlan(page: Page, text: string): Promise<void> {
  await page.locator(`[role=meter][aria-label="Domínios do plano"][aria-valuetext="${text}"]`).waitFor();
}
