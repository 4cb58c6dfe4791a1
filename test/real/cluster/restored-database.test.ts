/**
 * Central's database is set back while a container made since runs: it runs on with its files, and an
 * operator adopts or removes it.
 */

import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { CentralBackup } from "../../support/cluster/central-backup.ts";
import { until } from "../../support/until.ts";
import { DeployedProject, shellBot } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

test("a project made since the backup runs on, keeps its files, and is adopted or removed", async () => {
  const account = await cluster.createAccount({
    plan: "Empresas",
    scopes: ["variables:read", "variables:write"],
  });
  const central = {
    directory: cluster.directory,
    startCentral: () => cluster.startCentral(),
    stopCentral: () => cluster.central.stop(),
  };
  const backup = await CentralBackup.make(central, "online");
  const program = 'date >> /app/starts; echo "starts $(wc -l < /app/starts) token $TOKEN"; exec sleep 100000';
  const [adopted, removed] = await Promise.all(
    [1, 2].map(() => DeployedProject.create(account.client, shellBot(program, { installCommand: "" }))),
  );
  assert.ok(adopted !== undefined && removed !== undefined);
  for (const project of [adopted, removed]) await project.prints("starts 1");
  await account.client.setVariables({ id: adopted.id, body: { variables: { TOKEN: "kept" } } });
  await account.client.restartProject({ id: adopted.id });
  await adopted.prints("starts 2 token kept");
  await backup.restoreOnNewMachine();
  await cluster.untilConnected();

  const { hosts } = await cluster.operator.client().listOrphans();
  assert.deepEqual(
    hosts.flatMap(({ orphans }) => orphans).map(({ id, isRunning, isProven }) => [id, isRunning, isProven]),
    [adopted.id, removed.id].toSorted().map((id) => [id, true, true]),
  );
  await cluster.operator.client().adoptOrphan({ projectId: adopted.id, body: {} });
  await adopted.is("running");
  assert.deepEqual((await account.client.listVariables({ id: adopted.id })).variables, { TOKEN: "kept" });
  await account.client.restartProject({ id: adopted.id });
  await adopted.prints("starts 3 token kept");

  const directory = join(cluster.host.dataDirectory, "projects", removed.id);
  assert.ok(existsSync(directory));
  await cluster.operator.client().removeOrphan({ projectId: removed.id });
  await until(() => !existsSync(directory), { timeoutMs: 60_000, everyMs: 50 });
  assert.ok(!existsSync(join(cluster.host.dataDirectory, "disks", `${removed.id}.img`)));
});
