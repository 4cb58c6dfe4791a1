/** Walks from a folder or a .zip to a running project, in a browser. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after, before, test } from "node:test";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { zipOf } from "../support/archives/zip-of.ts";
import { until } from "../support/until.ts";
import { Visitor, type VisitorOptions } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

/** Makes a folder with these files, removed at the end. */
async function makeFolder(
  files: Record<string, string | Uint8Array>,
): Promise<AsyncDisposable & { path: string }> {
  const parent = await mkdtemp(join(tmpdir(), "tijolo-new-"));
  const path = join(parent, "meu-bot");
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(path, name)), { recursive: true });
    await writeFile(join(path, name), content);
  }
  return { path, [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }) };
}

async function open(session: PanelSession, options: VisitorOptions = {}): Promise<Visitor> {
  return Visitor.open(cluster, "/new", { session, ...options });
}

async function choose(
  { page }: Visitor,
  what: "Escolher a pasta" | "Escolher um .zip",
  path: string,
): Promise<void> {
  await page.getByLabel(what).and(page.locator("input")).setInputFiles(path);
}

const bot = {
  "package.json": '{"name":"meu-bot","main":"index.js","scripts":{"start":"node index.js"}}',
  "index.js": "setInterval(() => console.log('tick'), 1000);\n",
};

test("a folder becomes a running project: what stays out is told, the settings are proposed, four bricks lead to the end", async () => {
  const session = await PanelSession.signUp(cluster);
  await using folder = await makeFolder({
    ...bot,
    ".gitignore": "*.log\n",
    "debug.log": "x",
    "node_modules/left-pad/index.js": "module.exports = 1;",
    ".env": "TOKEN=segredo\nPORT=1\n",
  });
  await using ana = await open(session);
  const { page } = ana;
  await choose(ana, "Escolher a pasta", folder.path);
  await page.getByText(/^Sem node_modules \(19 bytes\): é instalado aqui\.$/).waitFor();
  // The .env, which nobody has asked to send, is not counted.
  await page.getByText("meu-bot: 3 arquivos").waitFor();
  await page.getByText("Sem debug.log (1 byte): a regra *.log o deixa de fora.").waitFor();
  assert.equal(await page.getByLabel("Nome").inputValue(), "meu-bot");
  assert.equal(await page.getByLabel("Linguagem").inputValue(), "node");
  await page.getByLabel("Guardar como variáveis do projeto").check();
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText(/^No ar em /).waitFor();
  const [project] = (await session.client.listProjects()).projects;
  assert.ok(project !== undefined);
  assert.deepEqual([project.name, project.language, project.status], ["meu-bot", "node", "running"]);
  const { variables } = await session.client.listVariables({ id: project.id });
  assert.deepEqual(variables, { TOKEN: "segredo" });
});

test("a .zip whose name and settings are markup is shown as text, and what the server refuses stands at its field", async () => {
  const session = await PanelSession.signUp(cluster);
  const name = "<img src=x onerror=alert(1)>";
  const zip = await zipOf({
    "svc.json": JSON.stringify({ name, language: "node", entry: "index.js", type: "site", subdomain: "api" }),
    "index.js": "",
  });
  await using folder = await makeFolder({ "<b>site.zip": zip });
  await using ana = await open(session, { phone: true, theme: "dark" });
  const { page } = ana;
  await choose(ana, "Escolher um .zip", join(folder.path, "<b>site.zip"));
  assert.equal(await page.getByLabel("Nome").inputValue(), name);
  await page.getByText("<b>site: 2 arquivos").waitFor();
  await page.getByRole("button", { name: "Enviar" }).click();
  const subdomain = page.getByLabel("Subdomínio");
  await page.locator("[aria-invalid=true]").waitFor();
  assert.equal(await subdomain.getAttribute("aria-invalid"), "true");
  await subdomain.fill("minha-loja");
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText(/^No ar em /).waitFor();
  const link = page.getByRole("link", { name: "Abrir o site" });
  assert.match((await link.getAttribute("href")) ?? "", /minha-loja/);
  assert.equal((await session.client.listProjects()).projects[0]?.name, name);
});

test("what the plan does not allow is told before the upload: its size, a site, the memory", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Free" });
  await using folder = await makeFolder({ ...bot, "video.mp4": randomBytes(51 * 1024 * 1024) });
  await using ana = await open(session);
  const { page } = ana;
  await choose(ana, "Escolher a pasta", folder.path);
  await page.getByRole("alert").getByText("O .zip passa dos 50 MB do seu plano.").waitFor();
  await page.getByText("video.mp4: 51 MB").waitFor();
  const send = page.getByRole("button", { name: "Enviar" });
  assert.equal(await send.getAttribute("aria-disabled"), "true");
  const zip = join(folder.path, "site.zip");
  await writeFile(zip, await zipOf({ "index.js": "", "video.mp4": randomBytes(51 * 1024 * 1024) }));
  await page.getByRole("button", { name: "Escolher outra" }).click();
  await choose(ana, "Escolher um .zip", zip);
  await page.getByRole("alert").getByText("O .zip passa dos 50 MB do seu plano.").waitFor();
  await page.getByText("Os maiores arquivos dentro dele.").waitFor();
  await page.getByLabel("Arquivo principal").fill("index.js");
  await send.hover();
  await page.getByRole("tooltip").getByText("O .zip passa dos 50 MB do seu plano.").waitFor();
  await page.getByLabel("Memória").fill("4096");
  await page
    .getByText("Só restam 512 MB no plano. Diminua, ou libere memória de outro projeto.")
    .first()
    .waitFor();
  assert.equal((await session.client.listProjects()).projects.length, 0);
});

test("a connection that is lost in the middle of an upload loses nothing, and going on makes one project", async () => {
  await using other = await TestCluster.create({ panel: true });
  const session = await PanelSession.signUp(other);
  await using folder = await makeFolder({ ...bot, "data.png": randomBytes(3 * 1024 * 1024) });
  await using ana = await Visitor.open(other, "/new", { session });
  ana.overlook(/net::ERR|Failed to load resource/);
  const { page } = ana;
  await choose(ana, "Escolher a pasta", folder.path);
  await page.getByLabel("Nome").fill("nome que digitei");
  const network = await ana.context.newCDPSession(page);
  const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 256 * 1024 };
  await network.send("Network.emulateNetworkConditions", slow);
  await page.getByRole("button", { name: "Enviar" }).click();
  await until(
    async () => Number(await page.getByRole("meter", { name: "Enviando" }).getAttribute("aria-valuenow")) > 0,
  );
  await other.stopCentral();
  await page.getByText("A conexão caiu no meio do envio").waitFor();
  assert.equal(await page.getByLabel("Nome").inputValue(), "nome que digitei");
  await other.startCentral();
  await until(async () =>
    (await other.operator.client().listHosts()).hosts.every(({ state }) => state === "connected"),
  );
  await network.send("Network.emulateNetworkConditions", { ...slow, uploadThroughput: -1 });
  await page.getByRole("button", { name: "Continuar o envio" }).click();
  await page.getByText(/^No ar em /).waitFor();
  const { projects } = await session.client.listProjects();
  assert.deepEqual(
    projects.map(({ name }) => name),
    ["nome que digitei"],
  );
});

test("at an address without HTTPS, as at home, a project is made as well", async () => {
  const session = await PanelSession.signUp(cluster);
  await using folder = await makeFolder(bot);
  await using ana = await open(session, { isPlain: true });
  ana.overlook(/Cross-Origin-Opener-Policy header has been ignored/);
  const { page } = ana;
  assert.equal(await page.evaluate("isSecureContext"), false);
  await choose(ana, "Escolher a pasta", folder.path);
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText(/^No ar em /).waitFor();
});

test("an example is one press away; what does not come up is explained, and is sent again with another command", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Free" });
  await using ana = await open(session, { language: "en" });
  const { page } = ana;
  await page.getByRole("button", { name: "Use the example bot-node" }).press("Enter");
  await page.getByLabel("Start command").fill("sim warn no such module; exit 1");
  await page.getByRole("button", { name: "Upload" }).press("Enter");
  await page.getByText("The project did not come up").waitFor();
  await page.getByRole("button", { name: "Correct and upload again" }).press("Enter");
  await page.getByLabel("Start command").fill("");
  await page.getByRole("button", { name: "Upload" }).press("Enter");
  await page.getByText(/^Running after /).waitFor();
  const { projects } = await session.client.listProjects();
  assert.deepEqual(
    projects.map(({ name, status }) => [name, status]),
    [["bot-node", "running"]],
  );
});

test("what falls and comes back by itself is not on the air: it says so at once, and how to go on", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Stack" });
  await using folder = await makeFolder({ ...bot, ".env": "TOKEN=segredo\n" });
  await using ana = await open(session);
  const { page } = ana;
  await choose(ana, "Escolher a pasta", folder.path);
  await page.getByLabel("Comando de início").fill("sim warn falta o TOKEN; exit 1 after 300");
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText(/^Caiu (uma vez|\d vezes seguidas); volta sozinho$/).waitFor();
  assert.equal(
    await page.getByText(/^No ar em /).count(),
    0,
    "it was up for a moment, and nothing was claimed",
  );
  await page.getByText("O programa terminou com um erro.", { exact: false }).first().waitFor();
  await page.getByRole("link", { name: "Mudar as variáveis" }).waitFor();
  await page.getByRole("button", { name: "Corrigir e enviar de novo" }).click();
  await page.getByLabel("Comando de início").fill("sim run");
  await page.getByLabel("Guardar como variáveis do projeto").check();
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText(/^No ar em /).waitFor();
  const [project] = (await session.client.listProjects()).projects;
  assert.ok(project !== undefined);
  const { variables } = await session.client.listVariables({ id: project.id });
  assert.deepEqual(variables, { TOKEN: "segredo" });
});

test("a .zip that is dropped on another page leads to the new project", async () => {
  const session = await PanelSession.signUp(cluster);
  const zip = Buffer.from(await zipOf({ "main.py": "print(1)" })).toString("base64");
  await using ana = await Visitor.open(cluster, "/account", { session });
  const { page } = ana;
  await page.getByRole("heading", { level: 1, name: "Plano e uso" }).waitFor();
  await page.evaluate(`
    const data = new DataTransfer();
    const bytes = Uint8Array.from(atob(${JSON.stringify(zip)}), (character) => character.charCodeAt(0));
    data.items.add(new File([bytes], "robo.zip", { type: "application/zip" }));
    globalThis.drag = (type) =>
      document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  `);
  // A browser says again and again that something is held above the page, also while the page is being made.
  await until(async () => {
    await page.evaluate(`drag("dragover")`);
    return page.getByText("Solte para enviar").isVisible();
  });
  await page.evaluate(`drag("drop")`);
  await page.waitForURL("**/new");
  assert.equal(await page.getByLabel("Nome").inputValue(), "robo");
  assert.equal(await page.getByLabel("Linguagem").inputValue(), "python");
});
