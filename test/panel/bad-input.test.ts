/** Gives the panel what people give it by mistake: each has its message or its state, and nothing typed is lost. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { link, mkdir, mkdtempDisposable, readFile, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { Page } from "playwright-core";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { StandardOutput } from "./support/standard-output.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

const chooseFolder = (page: Page, path: string) =>
  page.getByLabel("Escolher a pasta").and(page.locator("input")).setInputFiles(path);

test("a start link that is a day old says so, and what was typed stays", async () => {
  await using fresh = await TestCluster.create({ hosts: 0, panel: true });
  await fresh.central.writeStartLink();
  const link = new URL((await readFile(join(fresh.directory, "central", "start-link"), "utf8")).trim());
  await using ana = await Visitor.open(fresh, `/start${link.hash}`);
  const { page } = ana;
  await page.getByLabel("Seu nome").fill("Ana");
  await page.getByLabel("E-mail").fill("ana@example.com");
  fresh.clock.advance(24 * 60 * 60_000 + 1);
  await page.getByLabel("Senha nova").fill("uma senha bem comprida");
  await page.keyboard.press("Enter");
  await page.getByRole("alert").getByText("Este link de início não vale mais").waitFor();
  assert.equal(await page.getByLabel("E-mail").inputValue(), "ana@example.com");
});

test("a folder of 100,000 files is counted, refused with what to do, and the page answers meanwhile", async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), "tijolo-huge-"));
  const folder = join(scratch.path, "enorme");
  for (let part = 0; part < 100; part++) {
    const path = join(folder, `parte-${part}`);
    await mkdir(path, { recursive: true });
    await writeFile(join(path, "0.txt"), "");
    // A further name costs less than a further file.
    const names = Array.from({ length: 999 }, (_, index) => `${index + 1}.txt`);
    await Promise.all(names.map((name) => link(join(path, "0.txt"), join(path, name))));
  }
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/new", { session });
  const { page } = ana;
  await drop(page, folder);
  await page.getByText(/^Lendo a pasta: \d\d?\.\d{3} arquivos/).waitFor();
  // The browser's main process is asked for each file: about 4,000 in a second on two cores.
  const timeout = 120_000;
  await page.getByText("São 100.000 arquivos; um envio tem no máximo 50.000").waitFor({ timeout });
  await page.getByRole("button", { name: "Escolher outra" }).click();
  await page.getByText("Arraste a pasta do seu projeto ou um .zip").waitFor();
});

test("a folder that is dropped is read as one that is chosen", async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), "tijolo-drop-"));
  const folder = join(scratch.path, "meu-bot");
  await mkdir(join(folder, "node_modules", "x"), { recursive: true });
  await writeFile(join(folder, "index.js"), "setInterval(() => {}, 1000);");
  await writeFile(join(folder, "package.json"), '{"name":"meu-bot","main":"index.js"}');
  await writeFile(join(folder, "node_modules", "x", "index.js"), "1");
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/new", { session });
  const { page } = ana;
  await drop(page, folder);
  await page.getByText(/^Sem node_modules/).waitFor();
  assert.equal(await page.getByLabel("Nome").inputValue(), "meu-bot");
});

test("a file that changes while the folder is packed is told by its name", async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), "tijolo-changing-"));
  const folder = join(scratch.path, "meu-bot");
  await mkdir(folder);
  await writeFile(join(folder, "package.json"), '{"name":"meu-bot","main":"index.js"}');
  // Long to pack, and before the other by its name.
  await writeFile(join(folder, "dados.bin"), randomBytes(60 * 1024 * 1024));
  await writeFile(join(folder, "index.js"), "1");
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/new", { session });
  const { page } = ana;
  await chooseFolder(page, folder);
  await page
    .getByText(/^Compactando/)
    .first()
    .waitFor();
  await writeFile(join(folder, "index.js"), "setInterval(() => {}, 500); // longer than it was");
  await page
    .getByText(/index\.js (mudou enquanto era lido|não pôde ser lido)/)
    .first()
    .waitFor();
});

test("a file that is called .zip and is none says so", async () => {
  await using scratch = await mkdtempDisposable(join(tmpdir(), "tijolo-nozip-"));
  const file = join(scratch.path, "robo.zip");
  await writeFile(file, "isto não é um zip");
  const session = await PanelSession.signUp(cluster);
  await using ana = await Visitor.open(cluster, "/new", { session });
  const { page } = ana;
  await page.getByLabel("Escolher um .zip").and(page.locator("input")).setInputFiles(file);
  await page.getByText("Este arquivo não é um .zip inteiro.").waitFor();
});

test("two tabs edit the same settings: what one saved is told in the other, whose text stays", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await SimulatedProject.create(session, "sim run", { config: { name: "robo" } });
  await bot.is("running");
  const path = `/projects/${bot.id}/settings`;
  await using one = await Visitor.open(cluster, path, { session });
  const other = await one.context.newPage();
  await other.goto(path);
  const description = (page: Page) => page.getByLabel("Descrição");
  await description(one.page).fill("da primeira");
  await description(other).fill("da segunda");
  await other.getByRole("button", { name: "Salvar" }).click();
  await other.getByText(/^Salvo\./).waitFor();
  await one.page
    .getByText("Mudou agora em outro lugar: Descrição. O que você digitou continua aqui.")
    .waitFor();
  assert.equal(await description(one.page).inputValue(), "da primeira");
  await one.page.getByRole("button", { name: "Salvar" }).click();
  await one.page.getByText(/^Salvo\./).waitFor();
  assert.equal((await bot.get()).description, "da primeira");
});

test("a line of a megabyte and sequences of terminals leave the log as it was", async () => {
  const session = await PanelSession.signUp(cluster);
  const bot = await SimulatedProject.create(session, "sim run", { config: { name: "robo" } });
  await bot.is("running");
  const output = new StandardOutput(cluster.host, bot.id);
  const sequences =
    "\u001b]0;outro título\u0007\u001b[2J\u001b[31mvermelho\u001b[0m \u001b]8;;javascript:alert(1)\u0007clique";
  await output.write(["antes", "x".repeat(1_048_576), sequences, "depois"]);
  await using ana = await Visitor.open(cluster, `/projects/${bot.id}/logs`, { session });
  const { page } = ana;
  await page.getByText("depois", { exact: true }).waitFor();
  await page.getByText("antes", { exact: true }).waitFor();
  await page.getByText("vermelho").waitFor();
  assert.doesNotMatch(await page.title(), /outro título/);
  assert.equal(await page.locator('[role=log] a[href^="javascript"]').count(), 0);
  const wide = "document.documentElement.scrollWidth > document.documentElement.clientWidth";
  assert.equal(await page.evaluate(wide), false);
});

/** Drops a file or folder of this machine on the page, as from a window of files. */
async function drop(page: Page, path: string): Promise<void> {
  await page.getByText("Arraste a pasta do seu projeto ou um .zip").waitFor();
  const browser = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ["dragEnter", "dragOver", "drop"] as const)
    await browser.send("Input.dispatchDragEvent", { type, x: 600, y: 300, data });
}
