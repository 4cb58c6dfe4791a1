/** Walks each flow of the panel by the keyboard alone: what is reached, in sight, and can be acted on from there. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Locator, Page } from "playwright-core";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { operatorPerson } from "../support/people/operator-person.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";
import { Visitor } from "./support/visitor.ts";

/** More than any page of these has. */
const mostTabs = 120;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

/** What is wrong with the place of the focus, for somebody who sees the page. */
const wrongFocus = `(() => {
  const { activeElement: focused } = document;
  if (focused === null || focused === document.body) return "nothing has the focus";
  if (!focused.matches(":focus-visible")) return "the focus is not shown";
  const { top, bottom, width, height } = focused.getBoundingClientRect();
  if (width === 0 || height === 0) return "what has the focus is not shown";
  return bottom > 0 && top < innerHeight ? "" : "what has the focus is out of sight";
})()`;

/** Presses Tab until the element has the focus; fails when it is not reached, or not seen. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await target.waitFor();
  for (let count = 0; count < mostTabs; count++) {
    if (await target.evaluate((element) => element.matches(":focus"))) {
      assert.equal(await page.evaluate(wrongFocus), "", await target.innerText());
      return;
    }
    await page.keyboard.press("Tab");
  }
  assert.fail(`Tab does not reach ${String(target)}`);
}

async function press(page: Page, target: Locator, key = "Enter"): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press(key);
}

async function type(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Control+a");
  await page.keyboard.type(text);
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const link = (page: Page, name: string) => page.getByRole("link", { name, exact: true });
const field = (page: Page, name: string) => page.getByLabel(name, { exact: true });

test("signing in, a project from an example, and the way out", async () => {
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/");
  const { page } = ana;
  await type(page, field(page, "E-mail"), session.email);
  await type(page, field(page, "Senha"), session.password);
  await page.keyboard.press("Enter");
  await page.getByText("Nenhum projeto ainda. Leva um minuto.").waitFor();
  await page.goto("/new");
  await press(page, button(page, "Usar o exemplo bot-node"));
  await press(page, button(page, "Enviar"));
  await page.getByText(/^No ar em /).waitFor();
  await press(page, button(page, "Conta de Ana"));
  await page.getByRole("menu").waitFor();
  await until(async () => {
    await page.keyboard.press("ArrowDown");
    return page.getByRole("menuitem", { name: "Sair" }).evaluate((item) => item.matches(":focus"));
  });
  await page.keyboard.press("Enter");
  await button(page, "Entrar").waitFor();
});

test("a project: stop, start, logs, metrics, variables, settings, and its end", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await SimulatedProject.create(session, "sim print olá; run", { config: { name: "robo" } });
  await bot.is("running");
  await using ana = await Visitor.open(cluster, "/", { session });
  const { page } = ana;
  await press(page, link(page, "robo"));
  await press(page, button(page, "Parar"));
  await bot.is("stopped");
  await press(page, button(page, "Iniciar"));
  await bot.is("running");
  await press(page, link(page, "Logs"));
  await page.getByText("olá").first().waitFor();
  await press(page, link(page, "Métricas"));
  await tabTo(page, page.getByRole("radio", { name: "1 hora" }));
  await page.keyboard.press("ArrowRight");
  await page.waitForURL((url) => url.searchParams.get("range") === "6h");
  await press(page, link(page, "Variáveis"));
  await press(page, button(page, "Acrescentar"));
  await type(page, field(page, "Nome da variável 1"), "TOKEN");
  await type(page, field(page, "Valor de TOKEN"), "segredo");
  await press(page, button(page, "Salvar"));
  await page.getByText(/^Salvo\./).waitFor();
  await press(page, link(page, "Configurações"));
  await type(page, field(page, "Descrição"), "feito sem rato");
  await press(page, button(page, "Salvar"));
  await page.getByText(/^Salvo\./).waitFor();
  await press(page, button(page, "Apagar o projeto"));
  await type(page, field(page, "Digite robo para confirmar"), "robo");
  await press(
    page,
    page
      .getByRole("alertdialog")
      .or(page.getByRole("dialog"))
      .getByRole("button", { name: "Apagar o projeto" }),
  );
  await page.waitForURL((url) => url.pathname === "/");
  assert.deepEqual((await session.client.listProjects()).projects, []);
});

test("the account: a key, the language; the first Tab skips to the content", async () => {
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/account/keys", { session });
  const { page } = ana;
  await page.getByRole("heading", { level: 1, name: "Chaves de API" }).waitFor();
  await page.keyboard.press("Tab");
  assert.equal(await page.evaluate("document.activeElement.textContent"), "Ir para o conteúdo");
  await page.keyboard.press("Enter");
  assert.equal(await page.evaluate("document.activeElement.id"), "content");
  await press(page, page.getByRole("button", { name: "Criar chave" }).first());
  const dialog = page.getByRole("dialog");
  await type(page, dialog.getByLabel("Nome"), "ci");
  await type(page, dialog.getByLabel("Senha", { exact: true }), session.password);
  await page.keyboard.press("Enter");
  await page.getByText("Esta chave só aparece agora. Guarde-a.").first().waitFor();
  assert.equal((await session.client.listKeys()).keys.length, 1);
  await page.goto("/account/preferences");
  await tabTo(page, page.getByRole("radio", { name: "Português" }));
  await page.keyboard.press("ArrowDown");
  await page.getByRole("heading", { name: "Language and theme" }).waitFor();
});

test("running the cluster: an invitation, and a machine's page", async () => {
  const { ana: session } = await operatorPerson(cluster);
  await using ana = await Visitor.open(cluster, "/cluster", { session });
  const { page } = ana;
  await press(page, link(page, cluster.host.name));
  await page.getByRole("heading", { name: cluster.host.name }).waitFor();
  await press(page, link(page, "Contas"));
  await press(page, button(page, "Convidar"));
  await press(page, page.getByRole("dialog").getByRole("button", { name: "Convidar" }));
  await page.getByText("/sign-up?invitation=").waitFor();
  await page.keyboard.press("Escape");
});

test("an earlier version: compared with the current one, and gone back to", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await SimulatedProject.create(session, "sim print um; run", { config: { name: "robo" } });
  await bot.is("running");
  await bot.upload("sim print dois; run");
  await until(async () => (await currentVersion(session, bot.id)).status === "live");
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}/versions`, { session });
  const { page } = ana;
  await press(page, button(page, "Comparar: Versão 1"));
  const compared = page.getByRole("dialog", { name: "Da versão 1 até a atual, 2" });
  await compared.getByText("svc.json").waitFor();
  await page.keyboard.press("Escape");
  await compared.waitFor({ state: "detached" });
  await press(page, button(page, "Voltar a esta: Versão 1"));
  const asked = page.getByRole("dialog", { name: "Voltar à versão 1?" });
  await press(page, asked.getByRole("button", { name: "Voltar a esta" }));
  await page.getByText(/^volta à versão 1/).waitFor();
  assert.equal((await currentVersion(session, bot.id)).rolledBackFrom, 1);
});

async function currentVersion({ client }: PanelSession, id: string) {
  const current = (await client.listVersions({ id })).versions.find(({ isCurrent }) => isCurrent);
  assert.ok(current !== undefined);
  return current;
}

test("the channels of notices: a webhook, what it carries, and the key that signs", async () => {
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/notices", { session });
  const { page } = ana;
  await press(page, page.getByRole("switch", { name: "Enviar ao meu servidor" }), "Space");
  const webhook = page.getByRole("group", { name: "O seu servidor" });
  await type(page, field(page, "Endereço que recebe o POST"), "https://example.com/avisos");
  const crashes = webhook.getByRole("checkbox", { name: "Quedas em série" });
  await tabTo(page, crashes);
  const wasOn = await crashes.isChecked();
  await page.keyboard.press("Space");
  assert.equal(await crashes.isChecked(), !wasOn);
  await press(page, button(page, "Salvar"));
  await press(page, button(page, "Guardei a chave"));
  const { channels } = await session.client.getNoticeChannels();
  assert.equal(channels.webhook?.url, "https://example.com/avisos");
  assert.equal(channels.webhook.kinds.includes("crash_loop"), !wasOn);
});

test("revoking a machine asks for its name", async () => {
  await using two = await TestCluster.create({ panel: true, hosts: 2 });
  const [kept, leaving] = two.hosts;
  assert.ok(kept !== undefined && leaving !== undefined);
  const { ana: session } = await operatorPerson(two);
  await using ana = await Visitor.open(two, "/cluster", { session });
  const { page } = ana;
  await press(page, link(page, leaving.name));
  await press(page, button(page, "Revogar máquina"));
  const asked = page.getByRole("dialog", { name: `Revogar ${leaving.name}?` });
  await type(page, asked.getByRole("textbox"), leaving.name);
  await press(page, asked.getByRole("button", { name: "Revogar máquina" }));
  await link(page, leaving.name).waitFor({ state: "detached" });
  await page.waitForURL((url) => url.pathname === "/cluster");
  const { hosts } = await two.admin.listHosts();
  assert.deepEqual(
    hosts.map(({ name }) => name),
    [kept.name],
  );
});
