/**
 * Tests `tijolo cluster host revoke` as an operator types it: what it says happens to the machine's projects,
 * and that this is what happens.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { CommandLine } from "../support/commands/command-line.ts";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

async function atCluster(hosts: number) {
  const cluster = await TestCluster.create({ hosts });
  const line = await CommandLine.create();
  line.environment = { TIJOLO_URL: cluster.centralUrl, TIJOLO_OPERATOR_TOKEN: cluster.operatorToken };
  const revoke = (words: string, language?: "pt" | "en") =>
    line.run(["cluster", "host", "revoke", ...words.split(" ").filter(Boolean)], language);
  const hostNames = async () => (await cluster.admin.listHosts()).hosts.map(({ name }) => name);
  const end = async () => {
    await line[Symbol.asyncDispose]();
    await cluster[Symbol.asyncDispose]();
  };
  return { cluster, line, revoke, hostNames, [Symbol.asyncDispose]: end };
}

test("a machine is revoked once somebody has said yes, by name or id", async () => {
  await using bench = await atCluster(3);
  const { cluster, line, revoke, hostNames } = bench;
  const refused = await revoke("host-1");
  assert.deepEqual([refused.code, /host-1.*--yes/.test(refused.stderr)], [1, true], refused.stderr);
  line.isInteractive = true;
  line.typed = ["n", "s"];
  assert.equal((await revoke("host-1")).code, 1);
  assert.equal((await revoke("")).code, 2);
  assert.deepEqual(
    [(await revoke("nowhere --yes")).code, await hostNames()],
    [1, ["host-1", "host-2", "host-3"]],
  );

  const revoked = await revoke("host-1");
  assert.deepEqual([revoked.code, revoked.asked.length], [0, 1], revoked.stderr);
  assert.doesNotMatch(revoked.stdout, /tijolo delete/, "it has no projects");
  await until(async () => (await cluster.connectedHosts()) === 2);
  const second = (await cluster.admin.listHosts()).hosts.find(({ name }) => name === "host-2");
  const { stdout } = await revoke(`${second?.id.toLowerCase()} --yes --json`);
  assert.deepEqual(JSON.parse(stdout), { revoked: { id: second?.id, name: "host-2" }, projects: [] });
  assert.deepEqual(await hostNames(), ["host-3"]);
  const again = await revoke("host-2 --yes", "en");
  assert.deepEqual([again.code, /host-2/.test(again.stderr)], [1, true], again.stderr);
});

test("its projects are named, central reaches them no longer, and they are deleted and sent anew to another machine", async () => {
  await using bench = await atCluster(2);
  const { cluster, line, revoke } = bench;
  const account = await cluster.createAccount();
  const project = await SimulatedProject.create(account, "sim run", { config: { name: "loja" } });
  await project.is("running");
  const holds = ({ machine }: TestHost) => (machine.startCounts.get(project.id) ?? 0) > 0;
  const [host, other] = cluster.hosts.toSorted((a, b) => Number(holds(b)) - Number(holds(a)));
  assert.ok(host !== undefined && other !== undefined && holds(host));
  const views = (await cluster.admin.listHosts()).hosts;
  const { name = "" } = views.find(({ id }) => id === host.agent?.hostId) ?? {};
  line.isInteractive = true;
  line.typed = ["s"];
  const { code, asked, stdout, stderr } = await revoke(name);
  assert.equal(code, 0, stderr);
  assert.match(asked[0] ?? "", new RegExp(`${name}.*projetos dela \\(1\\)`));
  assert.match(stdout, new RegExp(`tijolo delete.*tijolo up[^]*loja \\(${project.id}\\)`));
  assert.match(stderr, /roda até você desligar a máquina/);

  await until(async () => (await cluster.connectedHosts()) === 1);
  const away = { name: "ApiError", code: "server_unavailable" };
  await assert.rejects(project.stop(), away);
  await assert.rejects(project.upload("sim run"), away);
  assert.ok(runningCount(host.machine, project.id) === 1, "what runs on it runs on");
  assert.equal((await line.run(["cluster", "project", "delete", project.id, "--yes"])).code, 0);
  const anew = await SimulatedProject.create(account, "sim run");
  await anew.is("running");
  assert.equal(runningCount(other.machine, anew.id), 1);
});
