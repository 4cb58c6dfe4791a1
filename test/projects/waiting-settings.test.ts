/**
 * Tests settings that are pending until the next start: what is up goes on with those it was started with,
 * seen from outside too (spec: PATCH rule 2).
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { visit } from "../real/support/projects/visit.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

test("a static site serves the folder that it was started with until its next start, also when it is to become a program", async () => {
  await using cluster = await TestCluster.create();
  const { client } = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const svcJson = JSON.stringify({ language: "static", root: "a", subdomain: "esperando" });
  const files = { "svc.json": svcJson, "a/index.html": "old", "b/index.html": "new", "index.js": "" };
  const file = new File([await zipOf(files)], "site.zip");
  const { project } = await client.createProject({ fields: { start: "true" }, file });
  const site = new SimulatedProject(client, project.id);
  await site.is("running");
  await until(async () => (await read(cluster, "esperando")) === "old");

  const patched = await client.updateProject({ id: site.id, body: { root: "b" } });
  assert.deepEqual([patched.isRestartRequired, patched.project.root], [true, "b"]);
  assert.equal(await read(cluster, "esperando"), "old");
  const { startedAt } = await site.get();
  await site.restart();
  await until(async () => (await read(cluster, "esperando")) === "new");
  await site.when((now) => now.status === "running" && now.startedAt !== startedAt);

  const program = await client.updateProject({
    id: site.id,
    body: { language: "node", command: "sim run", memoryMb: 512 },
  });
  assert.equal(program.isRestartRequired, true);
  const again = await client.updateProject({ id: site.id, body: { description: "still" } });
  assert.deepEqual([again.isRestartRequired, again.project.status], [true, "running"]);
  assert.equal(await read(cluster, "esperando"), "new", "nothing was started");
  assert.equal(cluster.host.machine.startCounts.get(site.id), undefined);
  await site.restart();
  await until(() => cluster.host.machine.startCounts.get(site.id) === 1);
  await site.is("running");
  assert.equal(
    (await client.updateProject({ id: site.id, body: { description: "" } })).isRestartRequired,
    false,
  );
});

test("a static site's own svc.json is not for its visitors, one in the folder that is served is", async () => {
  await using cluster = await TestCluster.create();
  const { client } = await cluster.createAccount({ plan: "Empresas" });
  const port = Number(new URL(cluster.central.pagesUrl).port);
  const create = async (root: string, subdomain: string) => {
    const files = {
      "svc.json": JSON.stringify({ language: "static", root, subdomain }),
      "index.html": "top",
      "a/svc.json": "a page's",
    };
    const file = new File([await zipOf({ ...files, "a/index.html": "a" })], "site.zip");
    await client.createProject({ fields: { start: "true" }, file });
    await until(async () => (await visit(port, subdomain)).text.length < 4);
    return visit(port, subdomain, "/svc.json");
  };
  assert.equal((await create(".", "na-raiz")).status, 404);
  assert.equal((await create("", "sem-pasta")).status, 404);
  assert.deepEqual((await create("a", "na-pasta")).text, "a page's");
});

/** Returns what a visitor reads. */
async function read(cluster: TestCluster, subdomain: string): Promise<string> {
  return (await visit(Number(new URL(cluster.central.pagesUrl).port), subdomain)).text;
}
