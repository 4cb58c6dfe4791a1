/** Walks what stands around every page: the palette, the keys, language and theme, the way out, a newer build. */

import assert from "node:assert/strict";
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { builtPanel } from "../support/panel/built-panel.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

async function withProjects(...names: string[]): Promise<PanelSession> {
  const session = await PanelSession.signUp(cluster);
  for (const name of names)
    await SimulatedProject.create(session, "ticks", { config: { name }, start: false });
  return session;
}

const palette = (page: Page) =>
  page.getByRole("combobox", { name: /^(Projeto, página ou ação|A project, a page or an action)$/ });
/** Waits for what a script in the page says; the policy forbids the browser's own way of waiting for one. */
const truly = (page: Page, script: string) => until(() => page.evaluate(script).catch(() => false));
const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name });
const isFocused = (page: Page, selector: string) =>
  truly(page, `document.activeElement?.matches(${JSON.stringify(selector)})`);

test("the palette leads by keyboard to a project's page, gives the focus back, and says what finds nothing", async () => {
  const session = await withProjects("loja", "meu-bot");
  await using ana = await Visitor.open(cluster, "/", { session });
  const { page } = ana;
  await page.getByRole("link", { name: "meu-bot" }).first().waitFor();
  const button = page.getByRole("button", { name: "Ir para…" });
  await button.focus();
  await page.keyboard.press("Control+k");
  const field = page.getByRole("combobox", { name: "Projeto, página ou ação" });
  await field.waitFor();
  await page.keyboard.press("Escape");
  await field.waitFor({ state: "detached" });
  await isFocused(page, "[aria-haspopup=dialog]");
  await page.keyboard.press("Enter");
  await field.fill("zzzz");
  await page.getByText("Nada combina com “zzzz”.").waitFor();
  await field.fill("bot confi");
  await page.getByRole("option", { name: "meu-bot: Configurações", selected: true }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/projects\/[^/]+\/settings$/);
  await field.waitFor({ state: "detached" });
  // In a project its own actions come first.
  await page.keyboard.press("Control+k");
  await page.getByRole("group", { name: "Neste projeto: meu-bot" }).waitFor();
  await page.keyboard.type("iniciar");
  await page.keyboard.press("Enter");
  await page
    .getByText(/^(Iniciando…|No ar)$/)
    .first()
    .waitFor();
});

test("what is typed before the palette is there is its text, and no key of the page", async () => {
  const session = await withProjects("loja");
  await using ana = await Visitor.open(cluster, "/", { session });
  const { page } = ana;
  await page.getByRole("link", { name: "loja" }).first().click();
  await heading(page, "Parado").waitFor();
  const { pathname } = new URL(page.url());
  const browser = await page.context().newCDPSession(page);
  const slow = { offline: false, latency: 1_500, downloadThroughput: -1, uploadThroughput: -1 };
  await browser.send("Network.emulateNetworkConditions", slow);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("lo");
  assert.equal(await palette(page).count(), 0, "it is still on its way");
  await palette(page).and(page.locator(":focus")).waitFor();
  await page.keyboard.type("ja");
  assert.equal(await palette(page).inputValue(), "loja");
  assert.equal(new URL(page.url()).pathname, pathname);
});

test("single keys lead on, are silent in fields and dialogs, and can be off; the palette's stay", async () => {
  const session = await withProjects("meu-bot");
  await using ana = await Visitor.open(cluster, "/account", { session });
  const { page } = ana;
  // The heading alone may be that of a page on its way, which has no keys yet.
  await page.getByRole("navigation", { name: "Menu principal" }).waitFor();
  await page.keyboard.type("gp");
  await page.waitForURL(`${ana.origin}/`);
  await page.getByRole("link", { name: "meu-bot" }).first().click();
  await heading(page, "Parado").waitFor();
  await page.keyboard.press("l");
  await page.waitForURL(/\/logs/);
  await page.keyboard.press("?");
  const list = page.getByRole("dialog", { name: "Atalhos do teclado" });
  await list.waitFor();
  await page.keyboard.type("gp");
  await page.keyboard.press("Escape");
  await list.waitFor({ state: "detached" });
  assert.match(page.url(), /\/logs/);
  await page.keyboard.press("Control+k");
  await palette(page).fill("gp?");
  await page.keyboard.press("Escape");
  await palette(page).waitFor({ state: "detached" });
  assert.match(page.url(), /\/logs/);
  await page.goto("/account/preferences");
  await page.getByRole("switch").click();
  await heading(page, "Idioma e tema").click();
  await page.keyboard.type("gp?");
  await page.keyboard.press("Control+k");
  await palette(page).waitFor();
  assert.equal(new URL(page.url()).pathname, "/account/preferences");
  assert.equal(await list.count(), 0);
});

test("language and theme change at once, everywhere, and stay for the next page", async () => {
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/help", { session });
  const { page } = ana;
  const choose = async (query: string) => {
    await page.keyboard.press("Control+k");
    await palette(page).fill(query);
    await page.keyboard.press("Enter");
    await palette(page).waitFor({ state: "detached" });
  };
  await heading(page, "Ajuda").waitFor();
  await choose("english");
  await heading(page, "Help").waitFor();
  await page.getByRole("link", { name: "Projects", exact: true }).waitFor();
  const paper = () => page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
  const light = await paper();
  await choose("dark");
  assert.notEqual(await paper(), light);
  assert.equal(await page.evaluate("document.documentElement.lang"), "en");
  await page.reload();
  await heading(page, "Help").waitFor();
  assert.notEqual(await paper(), light);
});

test("after the way out nothing of the account is kept, and Back shows the sign-in", async () => {
  const session = await withProjects("segredo-da-ana");
  await using ana = await Visitor.open(cluster, "/", { session });
  const { page } = ana;
  await page.getByText("segredo-da-ana").first().waitFor();
  await page.keyboard.press("Control+k");
  await palette(page).fill("sair");
  await page.keyboard.press("Enter");
  await page.waitForURL(/\/sign-in/);
  const kept = "JSON.stringify([{ ...localStorage }, { ...sessionStorage }])";
  assert.doesNotMatch(String(await page.evaluate(kept)), /ana|@/i);
  assert.deepEqual(await page.evaluate("indexedDB.databases()"), []);
  await page.goBack();
  await page.getByRole("button", { name: "Entrar", exact: true }).waitFor();
  assert.equal(await page.getByText("segredo-da-ana").count(), 0);
});

test("a newer build is told after a reconnect, and is taken with the next page", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-second-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const second = join(directory, "panel");
  await cp(await builtPanel(), second, { recursive: true });
  const document = join(second, "index.html");
  const text = await readFile(document, "utf8");
  await writeFile(document, text.replace(/(name="tijolo-build" content=")[^"]*/, "$1second"));
  await Promise.all(["br", "gz"].map((form) => rm(`${document}.${form}`, { force: true })));

  const session = await withProjects("meu-bot");
  await using ana = await Visitor.open(cluster, "/", { session });
  ana.overlook(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE_CHUNKED|ERR_CONNECTION_RESET/);
  const { page } = ana;
  await page.getByRole("link", { name: "meu-bot" }).first().waitFor(); // the stream has told of it
  const first = (await session.client.getService()).build.panel;
  assert.match(String(first), /^[0-9a-f]{16}$/);
  await cluster.stopCentral();
  cluster.options.centralSettings = { TIJOLO_PANEL_DIRECTORY: second };
  await cluster.startCentral();
  await page.getByText("Há uma versão nova do painel.").waitFor();
  await page.evaluate("globalThis.isOldPage = true");
  await page.getByRole("link", { name: "Ajuda", exact: true }).click();
  await truly(page, "globalThis.isOldPage === undefined");
  await page.waitForURL(`${ana.origin}/help`);
  await heading(page, "Ajuda").waitFor();
  assert.equal(await page.getByText("Há uma versão nova do painel.").count(), 0);
  const served = 'document.querySelector("meta[name=tijolo-build]").content';
  assert.equal(await page.evaluate(served), "second");
});

test("a part that a newer build has no more takes nothing along that was typed", async (t) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-second-"));
  t.after(() => rm(directory, { recursive: true, force: true }));
  const second = join(directory, "panel");
  await cp(await builtPanel(), second, { recursive: true });
  const palettes = (await readdir(join(second, "assets"))).filter((name) => name.startsWith("go-to-"));
  assert.notEqual(palettes.length, 0);
  for (const name of palettes) await rm(join(second, "assets", name));

  const session = await withProjects("meu-bot");
  await using ana = await Visitor.open(cluster, "/", { session });
  ana.overlook(/ERR_|status of 404|dynamically imported module|Unable to preload CSS/);
  const { page } = ana;
  await page.getByRole("link", { name: "meu-bot" }).first().click();
  await page.getByRole("link", { name: "Configurações" }).click();
  await page.getByLabel("Descrição").fill("um texto longo");
  await cluster.stopCentral();
  cluster.options.centralSettings = { TIJOLO_PANEL_DIRECTORY: second };
  await cluster.startCentral();
  await page.keyboard.press("Control+k");
  await page.getByText("Esta parte do painel não veio.").first().waitFor();
  assert.equal(await page.getByLabel("Descrição").inputValue(), "um texto longo");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.", { exact: true }).waitFor();
});
