/** Looks at the visits of a site in a browser: from none to the first, which comes while the page is open. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "../real/support/projects/visit.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./support/visitor.ts";

test("a visit shows by itself, the period stands in the address, and a bot has no visits", async () => {
  await using cluster = await TestCluster.create({ panel: true });
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const svcJson = JSON.stringify({ language: "static", subdomain: "padaria" });
  const file = new File([await zipOf({ "svc.json": svcJson, "index.html": "bread" })], "site.zip");
  const { project } = await session.client.createProject({ fields: { start: "true" }, file });
  await using ana = await Visitor.open(cluster, `/projects/${project.id}`, { session });
  const { page } = ana;
  await page.getByRole("link", { name: "Visitas" }).click();
  await page.getByText("Ninguém visitou o site neste período.").waitFor();

  const port = Number(new URL(cluster.central.pagesUrl).port);
  await until(async () => (await visit(port, "padaria")).text === "bread");
  await page.getByRole("img", { name: /^Gráfico de visitantes e pedidos\./ }).waitFor({ timeout: 60_000 });
  await page.getByRole("table", { name: "Estados" }).getByText("200", { exact: true }).waitFor();
  await page.getByText("Ver como tabela").click();
  await page.getByRole("table", { name: "Ao longo do tempo" }).waitFor();
  await page.getByText("7 dias", { exact: true }).click();
  await until(() => new URL(page.url()).searchParams.get("range") === "7d");
  await page.reload();
  assert.equal(await page.getByRole("radio", { name: "7 dias" }).isChecked(), true);

  const bot = await SimulatedProject.create(session, "sim run", { start: false });
  await ana.page.goto(new URL(`/projects/${bot.id}/analytics`, page.url()).href);
  await page.getByText("Só sites têm visitas.").waitFor();
  assert.equal(await page.getByRole("link", { name: "Visitas" }).count(), 0);
});
