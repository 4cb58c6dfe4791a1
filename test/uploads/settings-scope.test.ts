/** Tests that a key which may deploy changes by an upload only what it may change by PATCH. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Client } from "@tijolo/protocol";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { simulatedBot, TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";

let cluster: TestCluster;
let account: TestAccount;
let deployer: Client;
before(async () => {
  cluster = await TestCluster.create();
  account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  deployer = cluster.client(await cluster.createKey(account.id, "write"));
});
after(() => cluster[Symbol.asyncDispose]());

const settings = { name: "bot", description: "a bot", memoryMb: 300, systemPackages: ["git", "curl"] };

async function upload(client: Client, id: string, command: string, config: object, fields = {}) {
  const { project } = await client.uploadCode({ id, fields, file: await simulatedBot(command, config) });
  return project;
}

test("a deploy key is refused each setting that PATCH would refuse it, by name, and nothing is stored", async () => {
  const project = await SimulatedProject.create(account, "sim run", { config: settings });
  const before = await project.is("running");
  const changes: [what: string, command: string, config: object, fields?: Record<string, string>][] = [
    ["memoryMb", "sim run", { ...settings, memoryMb: 512 }],
    ["memoryMb", "sim run", settings, { memoryMb: "512" }],
    ["name", "sim run", { ...settings, name: "other" }],
    ["description", "sim run", { ...settings, description: "" }],
    ["command", "sim print x; run", settings],
    ["systemPackages", "sim run", { ...settings, systemPackages: [] }],
    ["installCommand", "sim run", { ...settings, installCommand: "" }],
    ["version", "sim run", { ...settings, version: "22" }],
    ["type, port, subdomain, memoryMb", "sim run", { ...settings, type: "site", memoryMb: 512 }],
  ];
  for (const [what, command, config, fields] of changes) {
    const names = what.split(", ");
    await assert.rejects(
      upload(deployer, project.id, command, config, fields),
      (error: { code: string; status: number; extra: object; message: string }) => {
        assert.deepEqual(
          [error.code, error.status, error.extra],
          ["insufficient_scope", 403, { requiredScope: "projects:settings" }],
          what,
        );
        for (const name of names) assert.match(error.message, new RegExp(`\\b${name}\\b`));
        return true;
      },
    );
    await assert.rejects(deployer.updateProject({ id: project.id, body: { memoryMb: 512 } }), {
      code: "insufficient_scope",
    });
  }
  const { versions } = await account.client.listVersions({ id: project.id });
  assert.equal(versions.length, 1);
  assert.deepEqual({ ...(await project.get()), usage: null }, { ...before, usage: null });
});

test("a deploy key creates projects, and sends code whose svc.json says what is so", async () => {
  const project = await SimulatedProject.create({ client: deployer }, "sim run", { config: settings });
  await project.is("running");
  for (const config of [
    settings,
    { ...settings, systemPackages: ["curl", "git", "git"], type: "bot", version: "24" },
  ]) {
    await upload(deployer, project.id, "sim run", config);
    await project.is("running");
  }
  const { versions } = await deployer.listVersions({ id: project.id });
  assert.equal(versions.length, 3);
  // A field that svc.json no longer names would return to its default.
  await assert.rejects(upload(deployer, project.id, "sim run", {}), { code: "insufficient_scope" });
});

test("a key with the scope, and a person in the panel's session, change settings by an upload", async () => {
  const person = await PanelSession.signUp(cluster);
  for (const client of [account.client, person.client]) {
    const project = await SimulatedProject.create({ client }, "sim run", { config: settings });
    await project.is("running");
    const changed = await upload(client, project.id, "sim print x; run", { ...settings, memoryMb: 512 });
    assert.deepEqual([changed.memoryMb, changed.command], [512, "sim print x; run"]);
  }
});
