/** Tests a site's own pages end to end: taken, shown to visitors, listed, removed, and gone with their project. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CommandLine } from "../support/commands/command-line.ts";
import { DomainWorld } from "../support/domains/domain-world.ts";
import { until } from "../support/until.ts";

let world: DomainWorld;
before(async () => {
  world = await DomainWorld.create();
});
after(() => world[Symbol.asyncDispose]());

const kilobytes64 = 64 * 1024;

test("a page is shown at once, listed without its HTML, outlives a restart of central, and goes", async () => {
  const { id, client } = await world.site();
  const { subdomain } = (await client.getProject({ id })).project;
  const host = `${subdomain}.localhost`;
  await client.setSiteSettings({ id, body: { maintenance: true } });
  assert.match((await world.visit(host)).body, /Este site está em manutenção/);
  const html = "<!doctype html><title>Loja</title><p>Voltamos às 10 h.";
  const { page } = await client.setSitePage({ id, status: "maintenance", body: { html } });
  assert.deepEqual([page.status, page.sizeBytes], ["maintenance", Buffer.byteLength(html)]);
  assert.deepEqual(await world.visit(host).then(({ status, body }) => ({ status, body })), {
    status: 503,
    body: html,
  });
  assert.deepEqual((await client.listSitePages({ id })).pages, [page]);
  await world.cluster.stopCentral();
  await world.cluster.startCentral();
  await world.cluster.untilConnected();
  await until(async () => (await world.visit(host)).body === html);
  assert.deepEqual((await client.getSitePage({ id, status: "maintenance" })).page, { ...page, html });
  await client.removeSitePage({ id, status: "maintenance" });
  assert.match((await world.visit(host)).body, /Este site está em manutenção/);
  await assert.rejects(client.removeSitePage({ id, status: "maintenance" }), { status: 404 });
  await assert.rejects(client.getSitePage({ id, status: "maintenance" }), { status: 404 });
});

test("a site of files shows its own 404 where it has no such file", async () => {
  const { id, client } = await world.staticSite();
  const { project } = await client.getProject({ id });
  const host = `${project.subdomain}.localhost`;
  const isNow = async (status: string) => (await client.getProject({ id })).project.status === status;
  await until(() => isNow("stopped"));
  await client.startProject({ id });
  await until(() => isNow("running"));
  assert.match((await world.visit(host, "/nada")).body, /404 · file_not_found/);
  await client.setSitePage({ id, status: "404", body: { html: "<p>Não achamos." } });
  const missing = await world.visit(host, "/nada");
  assert.deepEqual([missing.status, missing.body], [404, "<p>Não achamos."]);
});

test("what is too large, empty, no text or no such page is refused with its reason", async () => {
  const { id, client, key } = await world.site();
  const set = (html: string) => client.setSitePage({ id, status: "503", body: { html } });
  const refusals: [string, RegExp][] = [
    ["é".repeat(kilobytes64 / 2) + "x", /passa de 64 KB/],
    ["<p>\0", /contém NUL/],
    ["<p>\ud800", /caractere pela metade/],
  ];
  for (const [html, reason] of refusals)
    await assert.rejects(set(html), (error: Error & { code: string; extra: unknown }) => {
      assert.deepEqual(
        [error.code, error.message.match(reason) !== null],
        ["invalid_request", true],
        error.message,
      );
      return true;
    });
  await assert.rejects(set(""), { code: "invalid_request" });
  assert.equal((await set("é".repeat(kilobytes64 / 2))).page.sizeBytes, kilobytes64);
  const send = (path: string, body: string | Buffer) =>
    fetch(`${world.cluster.centralUrl}/api/projects/${id}/pages/${path}`, {
      method: "PUT",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
    });
  assert.equal((await send("503", Buffer.from('{"html":"\xff"}', "latin1"))).status, 400);
  for (const path of ["500", "200", "Maintenance"])
    assert.equal((await send(path, '{"html":"<p>"}')).status, 400, path);
});

test("a page is gone with its project, and of another account's project nothing is shown", async () => {
  const [own, other] = [await world.site(), await world.site()];
  await own.client.setSitePage({ id: own.id, status: "503", body: { html: "<p>só minha" } });
  const { id } = own;
  for (const refused of [
    () => other.client.listSitePages({ id }),
    () => other.client.getSitePage({ id, status: "503" }),
    () => other.client.setSitePage({ id, status: "503", body: { html: "<p>" } }),
    () => other.client.removeSitePage({ id, status: "503" }),
  ])
    await assert.rejects(refused, { status: 404, code: "not_found" });
  const { db } = world.cluster.central.app;
  const kept = () => db.selectFrom("site_page").selectAll().where("project_id", "=", id).execute();
  assert.equal((await kept()).length, 1);
  const { project } = await own.client.getProject({ id });
  await world.cluster.admin.deleteProject({ id });
  await until(async () => (await kept()).length === 0);
  assert.doesNotMatch((await world.visit(`${project.subdomain}.localhost`)).body, /só minha/);
});

test("the commands list, set, show and remove pages, and say what is wrong with a file", async () => {
  const { id, key, client } = await world.site();
  await using line = await CommandLine.create();
  line.environment = { TIJOLO_URL: world.cluster.centralUrl, TIJOLO_KEY: key };
  assert.match((await line.run(["site", "pages", id])).stdout, /Nenhuma página própria/);
  const file = join(line.folder, "fora.html");
  await writeFile(file, "<p>Fora do ar.\n<p>Já voltamos.\n");
  const set = await line.run(["site", "pages", "set", id, "503", file]);
  assert.equal(set.code, 0, set.stderr);
  assert.match(set.stdout, /Página 503/);
  assert.match((await line.run(["site", "pages", id])).stdout, /503 +32/);
  assert.equal(
    (await line.run(["site", "pages", "show", id, "503"])).stdout,
    "<p>Fora do ar.\n<p>Já voltamos.\n",
  );
  assert.equal((await line.run(["site", "pages", "remove", id, "503"])).code, 0);
  assert.deepEqual((await client.listSitePages({ id })).pages, []);
  await writeFile(file, Buffer.from("<p>\xe9", "latin1"));
  for (const [words, code, told] of [
    [["set", id, "503", file], 1, /não é texto em UTF-8/],
    [["set", id, "503", "nada.html"], 1, /nada\.html não existe/],
    [["set", id, "500", file], 2, /404, 502, 503, 504, maintenance/],
    [["set", id, "503"], 2, /Falta arquivo/],
    [["remove", id], 2, /Falta página/],
    [["remove", id, "503"], 1, /O site não tem uma página 503 própria/],
    [["show", id, "502"], 1, /O site não tem uma página 502 própria/],
  ] as const) {
    const refused = await line.run(["site", "pages", ...words]);
    assert.equal(refused.code, code, refused.stdout);
    assert.match(refused.stderr, told);
  }
});
