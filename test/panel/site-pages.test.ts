/** Walks through a site's own pages in a browser: chosen as files, shown as text, removed. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { zipOf } from "../support/archives/zip-of.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { PanelSession } from "../support/people/panel.ts";
import { Visitor } from "./support/visitor.ts";

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ panel: true });
});
after(() => cluster[Symbol.asyncDispose]());

const html =
  "<!doctype html><p>Voltamos já.<script>document.title = 'mine'</script><img src=x onerror=alert(1)>";

test("a page is chosen as a file, shown as text that runs nothing, and removed; what is no text is refused", async () => {
  const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
  const zip = await zipOf({ "svc.json": JSON.stringify({ language: "static" }), "index.html": "olá" });
  const { project } = await session.client.createProject({
    fields: {},
    file: new File([zip], "loja.zip"),
  });
  const { id } = project;
  await using ana = await Visitor.open(cluster, `/projects/${id}/settings`, { session });
  const { page } = ana;
  const choose = (buffer: Buffer) =>
    page
      .getByLabel("Arquivo de 503: fora do ar")
      .setInputFiles({ name: "503.html", mimeType: "text/html", buffer });
  await page.getByRole("heading", { name: "Páginas próprias" }).waitFor();
  await choose(Buffer.from("<p>\xe9", "latin1"));
  await page.getByText("Este arquivo não é texto em UTF-8.").waitFor();
  await choose(Buffer.alloc(64 * 1024 + 1, "x"));
  await page.getByText("passa de 64 KB em UTF-8").waitFor();
  assert.deepEqual((await session.client.listSitePages({ id })).pages, []);
  await choose(Buffer.from(html));
  await page.getByText(/^Sua: \d+ bytes/).waitFor();
  assert.equal((await session.client.getSitePage({ id, status: "503" })).page.html, html);
  const titleBefore = await page.title();
  await page.getByRole("button", { name: "Ver 503: fora do ar" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByText(html).waitFor();
  assert.deepEqual(
    [await page.title(), await dialog.locator("img, iframe, script").count()],
    [titleBefore, 0],
  );
  await dialog.getByRole("button", { name: "Fechar" }).click();
  await page.getByRole("button", { name: "Tirar 503: fora do ar" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Tirar", exact: true }).click();
  await page.getByText("503: fora do ar: os visitantes veem a página do serviço.").waitFor();
  assert.deepEqual((await session.client.listSitePages({ id })).pages, []);
});
