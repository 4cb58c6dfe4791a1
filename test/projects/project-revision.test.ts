/**
 * Tests the number that grows with each change of what is wanted of a project: by it a central that was set
 * back knows who has the newer state. By the number of its host, a change is found without reading all
 * projects.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { listAssignments } from "../../central/src/store/tables/hosts/assignment.ts";
import { findHost } from "../../central/src/store/tables/hosts/host.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { VariablesOf } from "../support/projects/variables-of.ts";

test("nothing of what a host is told of a project changes without its revision", async () => {
  await using cluster = await TestCluster.create();
  const account = await cluster.createAccount({
    plan: "Empresas",
    scopes: ["projects:settings", "variables:read", "variables:write"],
  });
  const project = await SimulatedProject.create(account, "sim run");
  await project.is("running");
  const variables = new VariablesOf(cluster, account, project);
  const hostId = cluster.host.agent?.hostId ?? "";
  const read = async () => {
    const [row] = await listAssignments(cluster.central.app.db, hostId, {
      projectIds: [project.id],
    });
    assert.ok(row);
    const since = (await findHost(cluster.central.app.db, hostId))?.desiredRevision ?? 0;
    const {
      plan: _plan,
      project: { revision, ...rest },
      ...wanted
    } = row;
    return { revision, wanted: JSON.stringify([wanted, rest]), since };
  };
  const assertSent = async (since: number, name: string) => {
    const changed = await listAssignments(cluster.central.app.db, hostId, { revision: since, withheld: [] });
    assert.deepEqual(
      changed.map(({ projectId }) => projectId),
      [project.id],
      `the host is sent the change of ${name}`,
    );
  };
  const patch = (body: Parameters<typeof account.client.updateProject>[0]["body"]) => () =>
    account.client.updateProject({ id: project.id, body });
  const site = (body: Parameters<typeof account.client.setSiteSettings>[0]["body"]) => () =>
    account.client.setSiteSettings({ id: project.id, body });
  const changes: Record<string, () => Promise<unknown>> = {
    name: patch({ name: "another" }),
    description: patch({ description: "another" }),
    settings: patch({ memoryMb: 512 }),
    subdomain: patch({ type: "site", port: 8000, subdomain: "another-one" }),
    "health path": site({ healthPath: "/health" }),
    "drain seconds": site({ healthPath: "/health", drainSeconds: 9 }),
    deploy: site({ healthPath: "/health", drainSeconds: 9, deploy: "overlap" }),
    variables: () => variables.set({ A: "1" }),
    restart: () => project.restart(),
    stop: () => project.stop(),
    start: () => project.start(),
    code: () => project.upload("sim exit 0 after 4000"),
    "the end of a run": () => until(async () => JSON.parse((await read()).wanted)[0].run === "off"),
    again: () => project.start(),
    suspension: () => cluster.admin.suspendAccount({ accountId: account.id, body: { graceMs: 0 } }),
  };
  let before = await read();
  for (const [name, change] of Object.entries(changes)) {
    await until(() => change().then(() => true));
    const after = await until(async () => {
      const found = await read();
      return found.wanted !== before.wanted && found;
    });
    assert.ok(after.revision > before.revision, name);
    await assertSent(before.since, name);
    before = await read();
  }
  await cluster.admin.changePlan({ accountId: account.id, body: { plan: "Free" } });
  await assertSent(before.since, "plan");
});
