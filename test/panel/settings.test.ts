/** Walks through a project's variables and settings in a browser: by keyboard, beside somebody else, across a restart. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Project } from "@tijolo/protocol";
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

/** A person with one stopped bot. */
async function withBot(
  start: { entry: string } | { command: string } = { command: "sim print pronto; run" },
): Promise<{ session: PanelSession; project: Project }> {
  const session = await PanelSession.signUp(cluster);
  const zip = await zipOf({
    "svc.json": JSON.stringify({ language: "node", ...start }),
    "index.js": "",
  });
  const { project } = await session.client.createProject({
    fields: { name: "robo" },
    file: new File([zip], "robo.zip"),
  });
  await until(
    async () => (await session.client.getProject({ id: project.id })).project.status === "stopped",
    { timeoutMs: 60_000, everyMs: 50 },
  );
  return { session, project };
}

test("variables are added by the keyboard; a name of the service and one that stands twice are refused while typing", async () => {
  const { session, project } = await withBot();
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/variables`, { session });
  const { page } = ana;
  await page.getByRole("button", { name: "Acrescentar" }).press("Enter");
  const name = page.getByLabel("Nome da variável 1", { exact: true });
  await name.and(page.locator(":focus")).waitFor();
  await page.keyboard.type("PORT");
  await page.getByText("O serviço já define este nome.").waitFor();
  await name.fill("TOKEN");
  await page.keyboard.press("Tab");
  await page.keyboard.type("segredo-um");
  await page.getByRole("button", { name: "Acrescentar" }).press("Enter");
  const second = page.getByLabel("Nome da variável 2", { exact: true });
  await second.fill("TOKEN");
  await page.getByText("Este nome aparece duas vezes.").first().waitFor();
  await second.fill("LOCALE");
  await page.getByLabel("Valor de LOCALE", { exact: true }).fill("pt-BR");
  await page.keyboard.press("Enter");
  await page.getByText(/^Salvo\./).waitFor();
  const { variables } = await session.client.listVariables({ id: project.id });
  assert.deepEqual(variables, { TOKEN: "segredo-um", LOCALE: "pt-BR" });
  await page.reload();
  const value = page.getByLabel("Valor de TOKEN", { exact: true });
  assert.equal(await value.getAttribute("type"), "password");
  assert.doesNotMatch(`${page.url()} ${await page.title()}`, /segredo/);
});

test("a pasted .env is shown as a difference; what somebody else saved meanwhile is compared and kept", async () => {
  const { session, project } = await withBot();
  const { id } = project;
  await session.client.setVariables({ id, body: { variables: { A: "1", B: "2" } } });
  await using ana = await Visitor.open(cluster, `/projects/${id}/variables`, { session });
  const { page } = ana;
  await page.getByText("Colar um .env").click();
  await page.getByLabel("Conteúdo do .env").fill("A=9\nC='3'\n");
  await page.getByRole("button", { name: "Pôr na lista" }).click();
  await page.getByText("novas: C").waitFor();
  await page.getByText("alteradas: A").waitFor();
  await session.client.changeVariables({ id, body: { variables: { B: "20", D: "4" } } });
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Alguém mudou isto agora. Compare antes de salvar.").waitFor();
  await page.getByRole("button", { name: "Juntar as duas" }).click();
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText(/^Salvo\./).waitFor();
  const { variables } = await session.client.listVariables({ id });
  assert.deepEqual(variables, { A: "9", B: "20", C: "3", D: "4" });
});

test("lines of a .env that are pasted in place of a name become rows", async () => {
  const { session, project } = await withBot();
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/variables`, { session });
  const { page } = ana;
  await page.getByRole("button", { name: "Acrescentar" }).press("Enter");
  await page.getByLabel("Nome da variável 1", { exact: true }).and(page.locator(":focus")).waitFor();
  const pasted = JSON.stringify("TOKEN=abc\n# nota\nexport LOCALE='pt-BR'\n");
  await page.evaluate(`
    const data = new DataTransfer();
    data.setData("text/plain", ${pasted});
    const event = new ClipboardEvent("paste", { clipboardData: data, bubbles: true, cancelable: true });
    document.activeElement.dispatchEvent(event);
  `);
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText(/^Salvo\./).waitFor();
  const { variables } = await session.client.listVariables({ id: project.id });
  assert.deepEqual(variables, { TOKEN: "abc", LOCALE: "pt-BR" });
});

test("variables are edited as text; a line that is none is told, and nothing is saved without it", async () => {
  const { session, project } = await withBot();
  const { id } = project;
  await session.client.setVariables({ id, body: { variables: { A: "1", B: "two words" } } });
  await using ana = await Visitor.open(cluster, `/projects/${id}/variables`, { session });
  const { page } = ana;
  await page.getByRole("button", { name: "Editar como texto" }).press("Enter");
  const text = page.getByLabel("Todas as variáveis, como num .env");
  assert.equal(await text.inputValue(), "A=1\nB='two words'\n");
  await text.fill("A=2\nisto não\nC=3\n");
  await page.getByText("Não é NOME=valor, ou falta fechar aspas: linha 2.").first().waitFor();
  const save = page.getByRole("button", { name: "Salvar" });
  assert.equal(await save.getAttribute("aria-disabled"), "true");
  await text.fill("A=2\nC=3\n");
  await page.getByText("tiradas: B").waitFor();
  await save.press("Enter");
  await page.getByText(/^Salvo\./).waitFor();
  assert.deepEqual((await session.client.listVariables({ id })).variables, { A: "2", C: "3" });
});

test("a site's health path and wait are typed, judged by the server, saved and shown again, but not for files", async () => {
  const session = await PanelSession.signUp(cluster);
  await cluster.admin.changePlan({ accountId: session.accountId, body: { plan: "Empresas" } });
  const config = { language: "node", command: "sim run", type: "site", memoryMb: 512, subdomain: "saude" };
  const zip = await zipOf({ "svc.json": JSON.stringify(config), "index.html": "loja" });
  const { project } = await session.client.createProject({
    fields: { name: "loja" },
    file: new File([zip], "loja.zip"),
  });
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  const path = page.getByRole("textbox", { name: "Caminho de saúde" });
  const seconds = page.getByLabel("Espera pelas respostas");
  const save = page.getByRole("button", { name: "Salvar visitas" });
  await path.fill("saude");
  await save.press("Enter");
  await page.getByText(/^Começa com \//).waitFor();
  await path.fill("/saude");
  await seconds.fill("301");
  await save.press("Enter");
  await page.getByText("De 0 a 300 segundos.").waitFor();
  await seconds.fill("90");
  await save.press("Enter");
  const settings = async () => (await session.client.getSiteSettings({ id: project.id })).siteSettings;
  await until(async () => (await settings()).drainSeconds === 90);
  assert.equal((await settings()).healthPath, "/saude");
  await page.getByRole("switch", { name: "Compressão" }).press("Space");
  await until(async () => !(await settings()).compression);
  assert.equal((await settings()).healthPath, "/saude", "a switch changes nothing else");
  await page.reload();
  assert.deepEqual([await path.inputValue(), await seconds.inputValue()], ["/saude", "90"]);
  await path.fill("");
  await save.press("Enter");
  await until(async () => (await settings()).healthPath === null);
  await path.fill("/saude");
  await save.press("Enter");
  await until(async () => (await settings()).healthPath === "/saude");
  await page.getByRole("radio", { name: /^HTTP\/2 \(gRPC\)/ }).check();
  await until(async () => (await settings()).protocol === "h2c");
  assert.equal((await settings()).healthPath, null, "what is asked for over HTTP/1.1 goes with it");
  assert.equal(await path.count(), 0);
  await page.getByRole("radio", { name: /^HTTP\/1\.1/ }).check();
  await until(async () => (await settings()).protocol === "http1");
  await session.client.updateProject({ id: project.id, body: { language: "static" } });
  await seconds.waitFor({ state: "detached" });
  assert.equal(await path.count(), 0);
  assert.equal(await page.getByText("Troca do processo").count(), 0, "it has none");
  await page.getByRole("switch", { name: "Compressão" }).press("Space");
  await until(async () => (await settings()).compression);
  assert.equal((await settings()).drainSeconds, 90, "what is stored is no reason for a refusal");
});

test("how a site's process is replaced is chosen, with what that costs beside it, and shown again", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const config = { language: "node", type: "site", entry: "index.js", subdomain: "lado-a-lado" };
  const zip = await zipOf({ "svc.json": JSON.stringify(config), "index.js": "" });
  const { project } = await session.client.createProject({
    fields: { name: "loja" },
    file: new File([zip], "loja.zip"),
  });
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  const modes = page.getByRole("group", { name: /^Troca do processo \(vale no próximo início\)/ });
  const beside = modes.getByRole("radio", { name: /^Um ao lado do outro/ });
  const after = modes.getByRole("radio", { name: /^Um depois do outro/ });
  await after.waitFor();
  assert.equal(await after.isChecked(), true);
  await modes.getByText(/O que o site grava em disco se perde quando o processo acaba/).waitFor();
  await after.press("ArrowDown");
  const settings = async () => (await session.client.getSiteSettings({ id: project.id })).siteSettings;
  await until(async () => (await settings()).deploy === "overlap");
  await page.reload();
  await beside.waitFor();
  assert.equal(await beside.isChecked(), true);
  await page.getByRole("switch", { name: "Compressão" }).press("Space");
  await until(async () => !(await settings()).compression);
  assert.equal((await settings()).deploy, "overlap", "a switch changes nothing else");
  await after.check();
  await until(async () => (await settings()).deploy === "hold");
});

test("what becomes of new code that does not come up is chosen at once, and shown again", async () => {
  const { session, project } = await withBot();
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  const returns = page.getByRole("switch", { name: /Voltar à versão anterior/ });
  await returns.press("Space");
  await until(async () => (await session.client.getProject({ id: project.id })).onFailure === "keep");
  await page.reload();
  await returns.waitFor();
  assert.equal(await returns.isChecked(), false);
});

test("what is typed stays while central is away, and is saved once it is back", async () => {
  const { session, project } = await withBot();
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  ana.overlook(/ERR_CONNECTION|ERR_INCOMPLETE|ERR_EMPTY|ERR_SOCKET|50\d/);
  const { page } = ana;
  await page.getByLabel("Descrição").fill("um texto longo");
  await cluster.stopCentral();
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByRole("alert").first().waitFor();
  assert.equal(await page.getByLabel("Descrição").inputValue(), "um texto longo");
  await cluster.startCentral();
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.", { exact: true }).waitFor();
  const { project: now } = await session.client.getProject({ id: project.id });
  assert.deepEqual([now.description, now.memoryMb], ["um texto longo", project.memoryMb]);
  // The next test makes a project, for which a machine has to be there.
  await cluster.untilConnected();
});

test("a session that ends under changes asks for the sign-in in place, and what was typed is saved after it", async () => {
  const { session, project } = await withBot();
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  await page.getByLabel("Descrição").fill("um texto longo");
  await session.client.signOut();
  await page.getByRole("heading", { level: 1, name: "Sua sessão terminou" }).waitFor();
  assert.equal(await page.getByLabel("Descrição").isVisible(), false, "nothing of the account is in sight");
  await page.getByLabel("E-mail").fill(session.email);
  await page.getByLabel("Senha", { exact: true }).fill(session.password);
  await page.keyboard.press("Enter");
  await page.getByLabel("Descrição").waitFor();
  assert.equal(await page.getByLabel("Descrição").inputValue(), "um texto longo");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText("Salvo.", { exact: true }).waitFor();
  const again = await session.elsewhere();
  assert.equal((await again.client.getProject({ id: project.id })).project.description, "um texto longo");
  // The live stream is back as well.
  await again.client.startProject({ id: project.id });
  await page.getByText("No ar", { exact: true }).waitFor();
});

test("a sign-in in one tab gives the other its page back, which stays live when the first is closed", async () => {
  const { session, project } = await withBot();
  const path = `/projects/${project.id}/settings`;
  await using ana = await Visitor.open(cluster, path, { session });
  const first = ana.page;
  const second = await ana.context.newPage();
  await second.goto(path);
  for (const page of [first, second]) await page.getByLabel("Descrição").fill("um texto longo");
  await session.client.signOut();
  const isOver = { level: 1, name: "Sua sessão terminou" };
  for (const page of [first, second]) await page.getByRole("heading", isOver).waitFor();
  await first.getByLabel("E-mail").fill(session.email);
  await first.getByLabel("Senha", { exact: true }).fill(session.password);
  await first.keyboard.press("Enter");
  for (const page of [first, second]) await page.getByLabel("Descrição").waitFor();
  assert.equal(await second.getByLabel("Descrição").inputValue(), "um texto longo");
  await first.close();
  const again = await session.elsewhere();
  await again.client.startProject({ id: project.id });
  await second.getByText("No ar", { exact: true }).waitFor();
  assert.equal(await second.getByLabel("Descrição").inputValue(), "um texto longo");
});

test("somebody else who signs in on a page that holds another person's changes sees nothing of it", async () => {
  const { session, project } = await withBot();
  const other = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  await page.getByLabel("Descrição").fill("um texto longo");
  await session.client.signOut();
  page.on("dialog", (dialog) => void dialog.accept());
  await page.getByLabel("E-mail").fill(other.email);
  await page.getByLabel("Senha", { exact: true }).fill(other.password);
  await page.keyboard.press("Enter");
  await page.getByText("Nenhum projeto ainda. Leva um minuto.").waitFor();
  assert.doesNotMatch(await page.content(), /um texto longo|robo/);
});

test("a command that only runs the entry file is shown as empty, and goes with the file", async () => {
  const { session, project } = await withBot({ entry: "index.js" });
  assert.equal(project.command, "node index.js");
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  const [entry, command] = [page.getByLabel("Arquivo principal"), page.getByLabel("Comando de início")];
  await command.waitFor();
  assert.deepEqual([await entry.inputValue(), await command.inputValue()], ["index.js", ""]);
  await command.fill("npm start");
  await page.getByRole("button", { name: "Salvar" }).click();
  await until(async () => (await entry.inputValue()) === "");
  const { project: custom } = await session.client.getProject({ id: project.id });
  assert.deepEqual([custom.entry, custom.command], [null, "npm start"]);
  await entry.fill("index.js");
  await command.fill("");
  await page.getByRole("button", { name: "Salvar" }).click();
  await until(async () => {
    const { project: now } = await session.client.getProject({ id: project.id });
    return now.entry === "index.js" && now.command === "node index.js";
  });
  assert.equal(await command.inputValue(), "");
  await entry.fill("main.js");
  await page.getByRole("button", { name: "Salvar" }).click();
  await until(async () => {
    const { project: now } = await session.client.getProject({ id: project.id });
    return now.command === "node main.js";
  });
});

test("a memory that the plan does not have is refused at its field; a project is deleted by typing its name", async () => {
  const { session, project } = await withBot();
  await using ana = await Visitor.open(cluster, `/projects/${project.id}/settings`, { session });
  const { page } = ana;
  await page.getByLabel("Memória").fill("999936");
  await page.getByRole("button", { name: "Salvar" }).click();
  await page.getByText(/A memória pedida passa do que resta/).waitFor();
  assert.equal(await page.getByLabel("Memória").getAttribute("aria-invalid"), "true");
  await page.getByRole("button", { name: "Desfazer" }).click();
  await page.getByRole("button", { name: "Apagar o projeto" }).press("Enter");
  const dialog = page.getByRole("dialog").or(page.getByRole("alertdialog"));
  const remove = dialog.getByRole("button", { name: "Apagar o projeto" });
  assert.equal(await remove.getAttribute("aria-disabled"), "true");
  await dialog.getByLabel("Digite robo para confirmar").fill("robo");
  await page.keyboard.press("Enter");
  await page.waitForURL((url) => url.pathname === "/");
  assert.deepEqual((await session.client.listProjects()).projects, []);
});
