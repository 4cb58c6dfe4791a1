/** Tests that what central caches of a project is, after each change, what its database holds. */

import assert from "node:assert/strict";
import { test } from "node:test";
import type { ProjectConfig } from "@tijolo/protocol";
import { findProject, listProjects } from "../../central/src/store/tables/projects/project.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const changes: ProjectConfig[] = [
  { name: "outro" },
  { description: "Olá" },
  { name: "sem mudança" },
  { name: "sem mudança" },
  { memoryMb: 512 },
  { type: "site", port: 3000 },
  { subdomain: "um-site", installCommand: "npm ci" },
  { language: "python", version: "3.13", command: "python3 app.py" },
  { language: "static", root: "public" },
  { language: "node", type: "bot", command: "sim run", systemPackages: ["git"] },
];
/** Refused after the project was read. */
const refusals: ProjectConfig[] = [{ memoryMb: 1 }, { version: "1" }, { subdomain: "www" }];

test("a project that is kept in memory is as its row, after every change and refusal", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const project = await SimulatedProject.create(account, "sim run");
  await project.is("running");
  const { db } = cluster.central.app;
  const findStored = async (id: string) => (await listProjects(db, account.id)).find((row) => row.id === id);
  const assertKept = async () => {
    assert.deepEqual(await findProject(db, project.id), await findStored(project.id));
  };
  const patch = (body: ProjectConfig) => account.client.updateProject({ id: project.id, body });
  for (const action of ["stop", "start", "restart"] as const) {
    for (const change of changes) {
      await patch(change);
      await assertKept();
      for (const refusal of refusals) await assert.rejects(patch(refusal));
      await assertKept();
    }
    await project[action]();
    await assertKept();
    await project.is(action === "stop" ? "stopped" : "running");
    await assertKept();
  }
});

test("changes of many projects that are committed together leave each of them as its row", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({ plan: "Empresas", scopes: ["projects:settings"] });
  const projects = await Promise.all(
    Array.from({ length: 8 }, () => SimulatedProject.create(account, "sim run")),
  );
  for (const project of projects) await project.is("running");
  const { db } = cluster.central.app;
  const findStored = async (id: string) => (await listProjects(db, account.id)).find((row) => row.id === id);
  let changed = 0;
  for (let round = 0; round < 20; round++) {
    // Some are refused: they ask for too little memory, or a restart is under way.
    const outcomes = await Promise.allSettled(
      projects.flatMap(({ id }, index) => [
        account.client.updateProject({ id, body: { description: `${round}` } }),
        account.client.updateProject({ id, body: { memoryMb: round % 2 === 0 ? 256 : 512 } }),
        account.client.updateProject({ id, body: { memoryMb: 1 } }),
        ...(index % 2 === 0 ? [account.client.restartProject({ id })] : []),
      ]),
    );
    changed += outcomes.filter(({ status }) => status === "fulfilled").length;
    for (const { id } of projects) assert.deepEqual(await findProject(db, id), await findStored(id));
  }
  assert.ok(changed >= 150, `${changed} changes`);
});
