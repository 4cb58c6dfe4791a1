/**
 * Tests a host whose ledger is gone: damaged and moved aside, as its message says, or never written for an
 * answer that was lost.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { Agent, parseConfig as parseAgentConfig, SimulatedMachine } from "@tijolo/agent";
import { pino } from "pino";
import { runningCount } from "../support/ledger/exit-ledger.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

/** Moves the ledger aside as an operator does. */
async function moveLedgerAside({ dataDirectory }: TestHost): Promise<void> {
  for (const end of ["", "-wal", "-shm"]) {
    const path = join(dataDirectory, `ledger.sqlite${end}`);
    if (existsSync(path)) await rename(path, `${path}.aside`);
  }
}

async function writeCustomers({ dataDirectory }: TestHost, projectId: string): Promise<string> {
  const own = join(dataDirectory, "projects", projectId, "disk/app");
  await mkdir(own, { recursive: true });
  await writeFile(join(own, "customers.db"), "all that the project ever wrote");
  return join(own, "customers.db");
}

suite("a lost ledger", { concurrency: 3 }, () => {
  test("the host joins again as itself: what ran runs on, with all that it wrote and was installed", async () => {
    await using cluster = await TestCluster.create();
    const { host } = cluster;
    const account = await cluster.createAccount({ plan: "Empresas" });
    const [kept, removed] = await Promise.all([1, 2].map(() => SimulatedProject.create(account, "sim run")));
    assert.ok(kept !== undefined && removed !== undefined);
    for (const { id } of [kept, removed]) await until(() => runningCount(host.machine, id) === 1);
    await Promise.all([kept.is("running"), removed.is("running")]);
    const customers = await writeCustomers(host, kept.id);
    // Shipped with the code, and written by the program since: new code would win over it, the same code does
    // not.
    await writeFile(join(customers, "../index.js"), "the program's own");
    const theirs = await writeCustomers(host, removed.id);
    const hostId = host.agent?.hostId;
    await host.stop();
    await writeFile(join(host.dataDirectory, "ledger.sqlite"), Buffer.alloc(8192, 1));
    await assert.rejects(host.start(), /aside/);
    await moveLedgerAside(host);
    await cluster.client(cluster.operatorToken).deleteProject({ id: removed.id });
    await host.start();
    assert.equal(host.agent?.hostId, hostId);
    await until(() => runningCount(host.machine, removed.id) === 0 && !existsSync(theirs));
    assert.deepEqual(
      [runningCount(host.machine, kept.id), host.machine.startCounts.get(kept.id)],
      [1, 1],
      "it was not even restarted",
    );
    await cluster.untilConnected();
    await kept.restart();
    await until(() => host.machine.startCounts.get(kept.id) === 2);
    await kept.is("running");
    assert.deepEqual([runningCount(host.machine, kept.id), existsSync(customers)], [1, true]);
    assert.equal(existsSync(join(customers, "../index.js")), true, "the code was not merged a second time");
  });

  test("nothing is removed before central has told what it wants", async () => {
    await using cluster = await TestCluster.create();
    const { host } = cluster;
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    await project.is("running");
    const customers = await writeCustomers(host, project.id);
    await host.stop();
    await moveLedgerAside(host);
    await rm(join(host.dataDirectory, "records"), { recursive: true, force: true });
    await host.start();
    await project.is("running");
    assert.ok(existsSync(customers));
  });

  test("a project of which the host has only files, or a container, is given up as any other when central says so", async () => {
    await using cluster = await TestCluster.create();
    const { host } = cluster;
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    await project.is("running");
    const customers = await writeCustomers(host, project.id);
    await host.stop();
    await moveLedgerAside(host);
    await rm(join(host.dataDirectory, "records"), { recursive: true, force: true });
    await cluster.client(cluster.operatorToken).deleteProject({ id: project.id });
    await host.start();
    await until(() => runningCount(host.machine, project.id) === 0 && !existsSync(customers));
  });

  test("a key that is gone with the ledger makes no new host of one that holds projects", async () => {
    await using cluster = await TestCluster.create();
    const { host } = cluster;
    const project = await SimulatedProject.create(await cluster.createAccount(), "sim run");
    await project.is("running");
    const customers = await writeCustomers(host, project.id);
    await host.stop();
    await moveLedgerAside(host);
    const key = join(host.dataDirectory, "identity.pem");
    await rename(key, `${key}.aside`);
    await assert.rejects(host.start(), /identity\.pem/);
    assert.deepEqual(
      [existsSync(customers), runningCount(host.machine, project.id), existsSync(key)],
      [true, 1, false],
    );
    await rename(`${key}.aside`, key);
    await host.start();
    await cluster.untilConnected();
    await project.is("running");
    assert.ok(existsSync(customers));
  });

  test("an agent without its token says how to get one, and where it belongs", async () => {
    const directory = await mkdtemp(join(tmpdir(), "tijolo-test-"));
    const token = join(directory, "join-token");
    const names = { TIJOLO_AGENT_NAME: "a", TIJOLO_HOST_NAME: "a" };
    const places = {
      TIJOLO_CENTRAL_URL: "http://127.0.0.1:1",
      TIJOLO_JOIN_TOKEN_FILE: token,
      TIJOLO_DATA_DIRECTORY: directory,
    };
    const machine = new SimulatedMachine();
    const parts = {
      clock: { now: () => Date.now() },
      random: randomBytes,
      logger: pino({ enabled: false }),
      simulated: machine,
    };
    const isTold = ({ message }: Error) => message.includes("cluster host add") && message.includes(token);
    await assert.rejects(Agent.create(parseAgentConfig({ ...names, ...places }), parts), isTold);
    await rm(directory, { recursive: true });
  });

  test("a join whose answer was lost is made again, and a revoked host's key says so", async () => {
    await using cluster = await TestCluster.create();
    const { host } = cluster;
    const hostId = host.agent?.hostId;
    for (let turn = 0; turn < 2; turn++) {
      await host.stop();
      await moveLedgerAside(host);
      await host.start();
      assert.equal(host.agent?.hostId, hostId);
    }
    await cluster.untilConnected();
    await cluster.admin.revokeHost({ host: hostId ?? "" });
    await host.stop();
    await moveLedgerAside(host);
    await assert.rejects(host.start(), /identity\.pem.*revoked|revoked.*identity\.pem/);
  });
});
