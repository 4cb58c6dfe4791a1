/** Walks the whole way of a new person in a browser, with real containers: from the printed link to the open site. */

import assert from "node:assert/strict";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { Visitor } from "../../panel/support/visitor.ts";
import { ensureImage } from "../support/images/kept-images.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

/** What the panel promises a new person whose machine has the image; generous beside what a quiet machine takes. */
const promisedMs = 60_000;

let cluster: RealCluster;
before(async () => {
  await ensureImage("node");
  cluster = await RealCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

const site = {
  "package.json": JSON.stringify({ name: "minha-loja", scripts: { start: "node index.js" } }),
  "index.js": `
    const { createServer } = require("node:http");
    createServer((_, response) => response.setHeader("content-type", "text/html").end("<h1>aberta</h1>"))
      .listen(process.env.PORT, () => console.log("a loja abriu"));
    process.on("SIGTERM", () => process.exit(0));
  `,
};

test("from the start link to the open site of one's own folder", async (context) => {
  const folder = join(cluster.directory, "minha-loja");
  await mkdir(folder);
  for (const [name, text] of Object.entries(site)) await writeFile(join(folder, name), text);
  const link = new URL((await readFile(join(cluster.directory, "central", "start-link"), "utf8")).trim());
  const startedMs = performance.now();
  await using ana = await Visitor.open(cluster, `${link.pathname}${link.hash}`);
  const { page } = ana;
  for (const [label, text] of [
    ["Seu nome", "Ana"],
    ["E-mail", "ana@example.com"],
    ["Senha nova", "uma senha bem comprida"],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text);
  await page.keyboard.press("Enter");
  await page.waitForURL("**/new");

  await page.getByLabel("Escolher a pasta").and(page.locator("input")).setInputFiles(folder);
  await page.getByRole("radio", { name: /^Site/ }).check();
  await page.getByRole("button", { name: "Enviar" }).click();
  await page.getByText(/^No ar em /).waitFor({ timeout: promisedMs });
  await page.getByText("a loja abriu").waitFor();

  // Chromium finds the loopback at every name below localhost, as people's browsers do.
  await ana.carry(`http://localhost:${cluster.gatewayPort}`);
  const opened = ana.context.waitForEvent("page");
  await page.getByRole("link", { name: "Abrir o site" }).click();
  const shop = await opened;
  await shop.getByRole("heading", { name: "aberta" }).waitFor();
  assert.match(new URL(shop.url()).hostname, /^minha-loja\.localhost$/);
  const seconds = (performance.now() - startedMs) / 1_000;
  context.diagnostic(`from the link to the open site: ${seconds.toFixed(1)} s`);
  assert.ok(seconds * 1_000 < promisedMs, `${seconds} s`);
});
