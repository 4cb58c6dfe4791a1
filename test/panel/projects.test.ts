/** Watches the list of projects and a project in a browser, while the cluster around it changes and breaks. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { freePort } from "../support/machine/free-port.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject, type SimulatedUpload } from "../support/projects/simulated-project.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

function create(session: PanelSession, command: string, upload?: SimulatedUpload): Promise<SimulatedProject> {
  return SimulatedProject.create({ client: session.client }, command, upload);
}

function row(page: Page, name: string) {
  return page.getByRole("listitem").filter({ has: page.getByRole("link", { name, exact: true }) });
}

test("a project changes while it is looked at, and is stopped and started by keyboard", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await using ana = await Visitor.open(cluster, "/", { session });
  await row(ana.page, "bot").getByText("No ar").waitFor();
  await bot.stop();
  await row(ana.page, "bot").getByText("Parado", { exact: true }).waitFor();
  const start = ana.page.getByRole("button", { name: "Iniciar: bot" });
  await start.focus();
  await ana.page.keyboard.press("Enter");
  await row(ana.page, "bot").getByText("No ar").waitFor();
  assert.equal(
    await ana.page.evaluate("document.activeElement.getAttribute('aria-label')"),
    "Reiniciar: bot",
  );
  const made = await create(session, "sim run", { config: { name: "outro" } });
  await row(ana.page, "outro").getByText("No ar").waitFor();
  await session.client.deleteProject({ id: made.id });
  await row(ana.page, "outro").waitFor({ state: "detached" });
});

test("the overview says who stopped the project and when; the uploads are compared file by file", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await bot.is("running");
  await bot.stop();
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}`, { session });
  const { page } = ana;
  await page.getByRole("heading", { level: 1, name: /^Parado por você (há|agora)/ }).waitFor();
  const files = { "svc.json": '{"language":"node","command":"sim run"}', "index.js": "2", "lib/new.js": "3" };
  const file = new File([await zipOf(files)], "bot.zip");
  await session.client.uploadCode({ id: bot.id, fields: {}, file });
  await page.getByRole("link", { name: "Envios" }).click();
  await page.getByRole("button", { name: "Comparar: Versão 1" }).click();
  const dialog = page.getByRole("dialog", { name: "Da versão 1 até a atual, 2" });
  await dialog.getByRole("heading", { name: "Novos: 1" }).waitFor();
  await dialog.getByText("lib/new.js").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

test("an action that does not arrive takes its mark back and says why in the row", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await bot.is("running");
  await using ana = await Visitor.open(cluster, "/", { session });
  await row(ana.page, "bot").getByText("No ar").waitFor();
  await ana.context.setOffline(true);
  await ana.page.getByText("Sem internet").waitFor();
  await ana.page.getByRole("button", { name: "Parar: bot" }).click();
  await row(ana.page, "bot").getByRole("alert").waitFor();
  await row(ana.page, "bot").getByText("No ar").waitFor();
  assert.equal((await bot.get()).status, "running");
  ana.overlook(/ERR_INTERNET_DISCONNECTED/);
  await ana.context.setOffline(false);
  await ana.page.getByText("Sem internet").waitFor({ state: "detached" });
});

test("a host without contact: the last state stays, and buttons say why they cannot act", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await bot.is("running");
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}`, { session });
  ana.overlook(/status of 503/);
  await ana.page.getByRole("heading", { level: 1, name: /^No ar/ }).waitFor();
  await cluster.host.stop();
  try {
    await ana.page.getByText(/^A máquina do projeto não responde desde/).waitFor();
    const stop = ana.page.getByRole("button", { name: "Parar" });
    assert.equal(await stop.getAttribute("aria-disabled"), "true");
    await ana.page.getByText("No ar", { exact: true }).waitFor();
    await ana.page.getByRole("link", { name: "Logs" }).click();
    await ana.page.getByText("server_unavailable").first().waitFor();
    assert.equal(await ana.page.getByText("Nenhuma linha ainda.").count(), 0, "nobody knows");
  } finally {
    await cluster.host.start();
    await cluster.untilConnected();
  }
  await ana.page.getByText(/^A máquina do projeto não responde desde/).waitFor({ state: "detached" });
});

test("central restarts: what is shown is told to be old, and is new again by itself", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await bot.is("running");
  await using ana = await Visitor.open(cluster, "/", { session });
  await row(ana.page, "bot").getByText("No ar").waitFor();
  ana.overlook(
    /ERR_(CONNECTION_REFUSED|SOCKET_NOT_CONNECTED|INCOMPLETE_CHUNKED_ENCODING|CONNECTION_RESET|EMPTY_RESPONSE)/,
  );
  await cluster.stopCentral();
  await ana.page.getByText(/^Reconectando; dados de \d\d:\d\d:\d\d$/).waitFor();
  await row(ana.page, "bot").getByText("No ar").waitFor();
  await cluster.startCentral();
  await cluster.untilConnected();
  await ana.page.getByText(/^Reconectando/).waitFor({ state: "detached" });
  await bot.stop();
  await row(ana.page, "bot").getByText("Parado", { exact: true }).waitFor();
});

test("a session that ended elsewhere leads to the sign-in and back, and leaves no list in the browser", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await using ana = await Visitor.open(cluster, "/", { session });
  await row(ana.page, "bot").getByText("No ar").waitFor();
  // The next page begins with what this one kept.
  await ana.page.goto(`/projects/${bot.id}`);
  assert.match(await storage(ana.page), /tijolo\.last-list/);
  await ana.page.getByRole("heading", { level: 1, name: /^No ar/ }).waitFor();
  await session.client.signOut();
  await ana.page.waitForURL(/\/sign-in\?next=%2Fprojects%2F/);
  await until(async () => !(await storage(ana.page)).includes("tijolo.last-list"));
});

function storage(page: Page): Promise<string> {
  return page.evaluate("JSON.stringify(Object.entries(localStorage))");
}

test("two tabs read one stream, and the other takes over when the one that reads is closed", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim run", { config: { name: "bot" } });
  await using ana = await Visitor.open(cluster, "about:blank", { session });
  const streams = new Map<Page, number>();
  ana.context.on("request", (request) => {
    if (!new URL(request.url()).pathname.endsWith("/api/events")) return;
    const page = request.frame().page();
    streams.set(page, (streams.get(page) ?? 0) + 1);
  });
  await ana.page.goto(ana.origin);
  await row(ana.page, "bot").getByText("No ar").waitFor();
  const other = await ana.context.newPage();
  await other.goto(ana.origin);
  await row(other, "bot").getByText("No ar").waitFor();
  await bot.stop();
  await row(other, "bot").getByText("Parado", { exact: true }).waitFor();
  assert.deepEqual([streams.get(ana.page), streams.get(other)], [1, undefined]);
  await ana.page.close();
  await until(() => streams.get(other) === 1);
  await bot.start();
  await row(other, "bot").getByText("No ar").waitFor();
});

test("why a project is not up stands on its overview, with its last lines", async () => {
  const session = await PanelSession.signUp(cluster);
  const command = `sim print falta o TOKEN ${"e mais ".repeat(40)}; exit 1 after 50`;
  const bot = await create(session, command, { config: { name: "bot" } });
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}`, { session, phone: true });
  await ana.page.getByRole("heading", { level: 1, name: "Caiu 5 vezes seguidas" }).waitFor();
  await ana.page.locator("pre").getByText("falta o TOKEN").waitFor();
  const isWide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  assert.equal(await ana.page.evaluate(isWide), false, "a long line scrolls in its own box");
  await ana.page.getByText(/^5 de 5/).waitFor();
  await until(async () => (await ana.page.title()).endsWith("bot · Tijolo"));
  await ana.page.goto("/projects/01KAJ3W8M5T9Q2R7V4X6Z0B1CD");
  await ana.page.getByText("Este projeto não existe, ou foi apagado.").waitFor();
});

test("a site that runs and does not listen is told as such, after an upload and on its overview", async () => {
  const session = await PanelSession.signUp(cluster);
  const config = { name: "loja", type: "site", memoryMb: 512, port: await freePort(), subdomain: "loja" };
  const site = await create(session, "sim run", { config, start: false });
  await site.is("stopped");
  cluster.host.machine.silentSites.add(site.id);
  await site.start();
  await using ana = await Visitor.open(cluster, "about:blank", { session });
  const { page } = ana;
  await page.clock.install();
  await page.goto(`/projects/${site.id}/versions`);
  const zip = Buffer.from(await zipOf({ "index.js": "1" }));
  await page
    .getByLabel("Escolher um .zip")
    .and(page.locator("input"))
    .setInputFiles({ name: "loja.zip", mimeType: "application/zip", buffer: zip });
  await page.clock.resume();
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText("O programa roda; falta ele escutar na porta.").waitFor();
  const firstLines = page.getByRole("log", { name: "Log" });
  await firstLines.getByText("Nada a instalar.").waitFor();
  assert.equal(await firstLines.getByText("Nada a instalar.").count(), 1, "not those of the upload before");
  await page.clock.fastForward(20_000);
  const told = page.getByText(`Ninguém alcança o site: nada atende na porta ${config.port}`);
  await told.waitFor();
  await page.getByRole("link", { name: "Ver o projeto" }).click();
  await page.getByRole("heading", { level: 1, name: /^Iniciado .*, e ainda não atende$/ }).waitFor();
  await told.waitFor();
  await page.clock.fastForward(60_000);
  await page.getByText(`Roda, mas não atende na porta ${config.port}`).waitFor();
  cluster.host.machine.silentSites.delete(site.id);
  await page.getByText("No ar", { exact: true }).waitFor();
  await told.waitFor({ state: "detached" });
});

test("a project that went over its memory says how much it has, and leads to where it is raised", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await create(session, "sim oom after 50", { config: { name: "bot", memoryMb: 256 } });
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}`, { session });
  await ana.page.getByRole("link", { name: "Passou dos 256 MB. Aumente a memória." }).first().click();
  await ana.page.getByRole("heading", { level: 1, name: "Configurações" }).waitFor();
});

test("several projects are stopped at once, and a filter stands in the address", async () => {
  const session = await PanelSession.signUp(cluster);
  const names = ["um", "dois", "café"];
  const bots = await Promise.all(names.map((name) => create(session, "sim run", { config: { name } })));
  await Promise.all(bots.map((bot) => bot.is("running")));
  await using ana = await Visitor.open(cluster, "/?q=cafe", { session });
  await row(ana.page, "café").waitFor();
  assert.equal(await ana.page.getByRole("listitem").filter({ hasText: "No ar" }).count(), 1);
  await ana.page.getByLabel("Procurar projeto").fill("");
  await row(ana.page, "um").waitFor();
  for (const name of ["um", "dois"]) await ana.page.getByLabel(`Escolher ${name}`, { exact: true }).check();
  await ana.page.getByText("2 projetos escolhidos").waitFor();
  await ana.page.getByRole("button", { name: "Parar", exact: true }).click();
  for (const name of ["um", "dois"]) await row(ana.page, name).getByText("Parado", { exact: true }).waitFor();
  await row(ana.page, "café").getByText("No ar").waitFor();
});
