/** Reads a project's metrics in a browser: while they come in, as a table, and from a moment on to its log. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./support/visitor.ts";

test("metrics come in while they are looked at; the period stands in the address, and an event leads to its log", async () => {
  await using cluster = await TestCluster.create({ panel: true });
  const session = await PanelSession.signUp(cluster);
  const bot = await SimulatedProject.create(session, "sim run", { start: false });
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}/metrics`, { session });
  const { page } = ana;
  await page.getByText("Nada foi medido neste período.").waitFor();
  await bot.start();
  // A simulated project uses 19 MB; its plan gives it 256.
  const memory = page.getByRole("img", { name: /^Gráfico: Memória\. Agora: 19 MB\..* Limite: 256 MB$/ });
  await memory.waitFor({ timeout: 60_000 });
  await page.getByText("Ver como tabela").first().click();
  await page
    .getByRole("table", { name: "Memória" })
    .getByRole("cell", { name: "19 MB", exact: true })
    .first()
    .waitFor();
  await page.getByText("30 dias", { exact: true }).click();
  await until(() => new URL(page.url()).searchParams.get("range") === "30d");
  await memory.waitFor();
  await page.reload();
  assert.equal(await page.getByRole("radio", { name: "30 dias" }).isChecked(), true);
  await page.getByRole("link", { name: /^Início, .* Abrir o log deste momento$/ }).click();
  await page.getByRole("log", { name: "Linhas do log" }).waitFor();
  assert.ok(new URL(page.url()).searchParams.has("from"), "the log begins at that moment");
});
