/**
 * Tests that a changed subdomain is pending until the next start: until then visitors find the site where the
 * current run was started (spec: PATCH rule 2).
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { after, before, suite, test } from "node:test";
import { visit } from "../real/support/projects/visit.ts";
import { heldAssignment, untilHeld } from "../support/ledger/held-assignment.ts";
import { SimulatedProject, withoutUsage } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

let cluster: TestCluster;
let account: TestAccount;
/** Program of all sites: it listens where they say they do. */
let program: Server;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  program = createServer((_request, response) => response.end("program")).listen(0, "127.0.0.1");
  await once(program, "listening");
});
after(async () => {
  program.close();
  await cluster[Symbol.asyncDispose]();
});

const siteConfig = (subdomain: string) => ({
  type: "site",
  memoryMb: 512,
  port: (program.address() as AddressInfo).port,
  subdomain,
});

async function createSite(
  subdomain: string,
  owner: Pick<TestAccount, "client"> = account,
): Promise<SimulatedProject> {
  const site = await SimulatedProject.create(owner, "sim run", { config: siteConfig(subdomain) });
  await site.is("running");
  await until(async () => (await read(subdomain)) === "program");
  return site;
}

const patch = (site: SimulatedProject, body: object) => site.client.updateProject({ id: site.id, body });
const isWaiting = async (site: SimulatedProject) =>
  (await patch(site, { description: "" })).isRestartRequired;
/** Returns the assignment that its host was last sent. */
const held = (site: SimulatedProject) => heldAssignment(cluster.host, site.id);
const taken = { code: "subdomain_taken", extra: { field: "subdomain" } };

/** Returns what a visitor reads, or the gateway's status when it answers by itself. */
async function read(subdomain: string): Promise<string | number> {
  const { status, text } = await visit(Number(new URL(cluster.central.pagesUrl).port), subdomain);
  return status === 200 ? text : status;
}

suite("while a site is on, another subdomain", { concurrency: 4 }, () => {
  test("is shown at once and served from the next start that a person asks for", async () => {
    const site = await createSite("antes");
    const { project, isRestartRequired } = await patch(site, { subdomain: "depois" });
    assert.deepEqual([project.subdomain, isRestartRequired], ["depois", true]);
    assert.deepEqual(withoutUsage(await site.get()), withoutUsage(project));
    assert.match(project.url ?? "", /\/\/depois\./);
    assert.deepEqual([await read("antes"), await read("depois")], ["program", 404]);
    await site.restart();
    await until(async () => (await read("depois")) === "program");
    assert.equal(await read("antes"), 404);
    await site.is("running");
    assert.equal(await isWaiting(site), false);
  });

  test("waits no more when it is changed back", async () => {
    const site = await createSite("ida");
    assert.equal((await patch(site, { subdomain: "volta" })).isRestartRequired, true);
    assert.equal((await patch(site, { subdomain: "ida" })).isRestartRequired, false);
    assert.deepEqual([await read("ida"), await read("volta")], ["program", 404]);
    await createSite("volta");
  });

  test("is served after a crash, whose restart takes what waited", async () => {
    const site = await createSite("queda");
    await untilHeld(cluster.host, site.id, () => patch(site, { subdomain: "pos-queda" }));
    cluster.host.machine.kill(site.id, new Date());
    await site.when(({ consecutiveCrashes, status }) => consecutiveCrashes === 1 && status === "running");
    assert.equal(await isWaiting(site), false);
    // Only a run that has come up takes the subdomain, and it is "running" before.
    await until(async () => (await read("pos-queda")) === "program");
    assert.equal(await read("queda"), 404);
  });

  test("is served from the start that new code brings", async () => {
    const site = await createSite("codigo");
    await patch(site, { subdomain: "pelo-patch" });
    await site.upload("sim run", siteConfig("pelo-codigo"));
    await site.is("running");
    await until(async () => (await read("pelo-codigo")) === "program");
    assert.deepEqual([await read("codigo"), await read("pelo-patch")], [404, 404]);
    assert.equal(await isWaiting(site), false);
  });

  test("is served once the site is off", async () => {
    const site = await createSite("desligado");
    await patch(site, { subdomain: "desligado-2" });
    await site.stop();
    await site.is("stopped");
    assert.deepEqual([await read("desligado"), await read("desligado-2")], [404, 503]);
    assert.equal((await patch(site, { subdomain: "desligado-3" })).isRestartRequired, false);
    assert.deepEqual([await read("desligado-2"), await read("desligado-3")], [404, 503]);
  });

  test("is served once the site has ended by itself", async () => {
    const owner = await cluster.createAccount({ plan: "Stack", scopes: ["projects:settings"] });
    const site = await createSite("fim", owner);
    await patch(site, { subdomain: "fim-2" });
    await cluster.admin.changePlan({ accountId: owner.id, body: { plan: "Free" } });
    await until(() => held(site)?.hasAutoRestart === false);
    cluster.host.machine.kill(site.id, new Date());
    await site.is("error");
    assert.deepEqual([await read("fim"), await read("fim-2")], [404, 503]);
  });

  test("is served once a suspension has stopped the site", async () => {
    const owner = await cluster.createAccount({ plan: "Stack", scopes: ["projects:settings"] });
    const site = await createSite("suspenso", owner);
    await patch(site, { subdomain: "suspenso-2" });
    await cluster.admin.suspendAccount({ accountId: owner.id, body: { graceMs: 0 } });
    await site.is("stopped");
    assert.deepEqual([await read("suspenso"), await read("suspenso-2")], [404, 503]);
  });

  test("leaves the old one to nobody else until then", async () => {
    const site = await createSite("cedo");
    const other = await createSite("outro");
    await patch(site, { subdomain: "tarde" });
    for (const subdomain of ["cedo", "tarde"]) {
      await assert.rejects(patch(other, { subdomain }), taken);
      await assert.rejects(
        SimulatedProject.create(account, "sim run", { config: siteConfig(subdomain) }),
        taken,
      );
    }
    const named = await SimulatedProject.create(account, "sim run", {
      config: { type: "site", memoryMb: 512, name: "Cedo" },
      start: false,
    });
    assert.match((await named.get()).subdomain ?? "", /^cedo-[0-9a-f]{6}$/);
    await site.restart();
    await patch(other, { subdomain: "cedo" });
    await other.restart();
    await until(async () => (await read("cedo")) === "program" && (await read("tarde")) === "program");
    assert.equal(await read("outro"), 404);
  });

  test("is not exchanged between two sites at once, in whatever order they ask", async () => {
    const [left, right] = await Promise.all([createSite("esquerda"), createSite("direita")]);
    const answers = await Promise.allSettled([
      patch(left, { subdomain: "direita" }),
      patch(right, { subdomain: "esquerda" }),
    ]);
    for (const answer of answers)
      assert.equal(answer.status === "rejected" && answer.reason.code, "subdomain_taken");
    const both = await Promise.allSettled([
      patch(left, { subdomain: "meio" }),
      patch(right, { subdomain: "meio" }),
    ]);
    assert.deepEqual(both.map(({ status }) => status).toSorted(), ["fulfilled", "rejected"]);
    assert.deepEqual(
      [await read("esquerda"), await read("direita"), await read("meio")],
      ["program", "program", 404],
    );
  });

  test("goes with the old one when the project is deleted", async () => {
    const site = await createSite("apagado");
    await patch(site, { subdomain: "apagado-2" });
    await cluster.client(cluster.operatorToken).deleteProject({ id: site.id });
    assert.deepEqual([await read("apagado"), await read("apagado-2")], [404, 404]);
    await Promise.all([createSite("apagado"), createSite("apagado-2")]);
  });

  test("waits for a static site too", async () => {
    const svcJson = JSON.stringify({ language: "static", subdomain: "estatico" });
    const file = new File([await zipOf({ "svc.json": svcJson, "index.html": "page" })], "site.zip");
    const { project } = await account.client.createProject({ fields: { start: "true" }, file });
    const site = new SimulatedProject(account.client, project.id);
    await site.is("running");
    await until(async () => (await read("estatico")) === "page");
    assert.equal((await patch(site, { subdomain: "estatico-2" })).isRestartRequired, true);
    assert.deepEqual([await read("estatico"), await read("estatico-2")], ["page", 404]);
    await site.restart();
    await until(async () => (await read("estatico-2")) === "page");
    await site.is("running");
    assert.deepEqual([await read("estatico"), await isWaiting(site)], [404, false]);
  });
});

test("a site that is to be a bot is served, and counts as a site, until its next start", async () => {
  const small = await cluster.createAccount({ plan: "Block", scopes: ["projects:settings"] });
  const site = await createSite("ainda-site", small);
  const page = (subdomain: string) =>
    SimulatedProject.create(small, "", {
      config: { language: "static", command: "", subdomain },
      start: false,
    });
  await page("segundo-site");
  const bot = await patch(site, { type: "bot" });
  assert.deepEqual([bot.project.subdomain, bot.project.url, bot.isRestartRequired], [null, null, true]);
  assert.equal(await read("ainda-site"), "program");
  await assert.rejects(page("terceiro-site"), { code: "site_limit_reached" });
  const again = await patch(site, { type: "site", memoryMb: 512 });
  assert.equal(again.project.subdomain, "ainda-site", "the name that it is served by");
  await patch(site, { type: "bot" });
  await site.restart();
  assert.equal(await read("ainda-site"), 404);
  await page("terceiro-site");
});

test("a bot that is to be a site is served from its next start", async () => {
  const bot = await SimulatedProject.create(account, "sim run", { config: { name: "Robô" } });
  await bot.is("running");
  const { project, isRestartRequired } = await patch(bot, siteConfig("era-bot"));
  assert.deepEqual([project.subdomain, isRestartRequired, await read("era-bot")], ["era-bot", true, 404]);
  await bot.restart();
  await until(async () => (await read("era-bot")) === "program");
});

test("what is served outlives central", async () => {
  const site = await createSite("dura");
  await patch(site, { subdomain: "dura-2" });
  await cluster.stopCentral();
  await cluster.startCentral();
  await until(async () => (await cluster.connectedHosts()) === 1);
  await until(async () => (await read("dura")) === "program");
  assert.deepEqual([await read("dura-2"), await isWaiting(site)], [404, true]);
});
