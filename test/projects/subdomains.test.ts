/** Subdomains over HTTP: reserved names are refused, never given, and stay with a project that has one. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let account: TestAccount;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
});
after(() => cluster[Symbol.asyncDispose]());

const site = { language: "static", command: "" };
const create = (config: object) =>
  SimulatedProject.create(account, "sim run", { config: { ...site, ...config }, start: false });
const refused = (code: string) => ({ name: "ApiError", code, extra: { field: "subdomain" } });

test("a name that resembles a bank, a brand or a public body is refused, on upload and as a change", async () => {
  const project = await create({ subdomain: "padaria-da-vovo" });
  await project.is("stopped");
  for (const subdomain of ["nub4nk", "itau-login", "gov-br", "rnercadolivre", "admin", "xn--nbank-3ta"]) {
    await assert.rejects(create({ subdomain }), refused("reserved_subdomain"));
    await assert.rejects(
      account.client.updateProject({ id: project.id, body: { subdomain } }),
      refused("reserved_subdomain"),
    );
  }
  assert.equal((await project.get()).subdomain, "padaria-da-vovo");
});

test("a subdomain made from a project's name is not a reserved one", async () => {
  for (const name of ["Nubank", "Banco do Brasil", "API", "Itaú login", "Receita Federal"]) {
    const project = await create({ name });
    const { subdomain } = await project.get();
    assert.match(subdomain ?? "", name === "API" ? /^api-[0-9a-f]{6}$/ : /^site-[0-9a-f]{6}$/);
  }
  assert.equal((await (await create({ name: "Padaria da Esquina" })).get()).subdomain, "padaria-da-esquina");
});

test("a project that has such a name from before keeps it, and its other settings change", async () => {
  const project = await create({ subdomain: "loja-do-ze" });
  await project.is("stopped");
  await cluster.central.app.db
    .updateTable("project")
    .set({ subdomain: "nubank" })
    .where("id", "=", project.id)
    .execute();
  const { client } = account;
  await client.updateProject({ id: project.id, body: { memoryMb: 128 } });
  await client.updateProject({ id: project.id, body: { subdomain: "nubank", description: "as it was" } });
  await project.upload("sim run", { ...site, subdomain: "nubank" });
  await project.is("stopped");
  assert.equal((await project.get()).subdomain, "nubank");
  await assert.rejects(
    client.updateProject({ id: project.id, body: { subdomain: "nubank-2" } }),
    refused("reserved_subdomain"),
  );
});

test("a subdomain that was given up is kept for its account for 7 days: deleted, changed or as a bot", async () => {
  const other = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const make = (owner: TestAccount, subdomain: string) =>
    SimulatedProject.create(owner, "sim run", { config: { ...site, subdomain }, start: false });
  const changed = await make(account, "doceria-antes");
  await changed.is("stopped");
  await account.client.updateProject({ id: changed.id, body: { subdomain: "doceria-depois" } });
  const deleted = await make(account, "doceria-apagada");
  await cluster.admin.deleteProject({ id: deleted.id });
  for (const subdomain of ["doceria-antes", "doceria-apagada"])
    await assert.rejects(make(other, subdomain), refused("subdomain_taken"));
  const made = await SimulatedProject.create(other, "sim run", {
    config: { ...site, name: "Doceria Antes" },
    start: false,
  });
  assert.match((await made.get()).subdomain ?? "", /^doceria-antes-[0-9a-f]{6}$/);
  await make(account, "doceria-antes");
  cluster.clock.advance(7 * 86_400_000);
  await make(other, "doceria-apagada");
});
