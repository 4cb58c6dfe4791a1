/**
 * Tests that every operation that changes something leaves one entry, with who did it, to what, from where,
 * before and after, and no secret.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { operationNames, operations, type ActivityEntry } from "@tijolo/protocol";
import { accountTexts } from "@tijolo/protocol/texts/account";
import { stopSuspended } from "../../central/src/app/accounts/suspension.ts";
import { activePerson, entriesOf } from "../support/people/active-person.ts";
import {
  performances,
  variables,
  type ActingPerson,
  type ChangeName,
  type Performance,
} from "../support/people/activity-performances.ts";
import { PanelSession } from "../support/people/panel.ts";
import { rerunTransactions } from "../support/cluster/rerun-transactions.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

// Each change is one that can be run again.
rerunTransactions();

const dayMs = 86_400_000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** Fails for a part that `actual` does not have. */
function assertHas(actual: ActivityEntry["before"], parts: Record<string, unknown>): void {
  assert.deepEqual(Object.fromEntries(Object.keys(parts).map((name) => [name, actual?.[name]])), parts);
}

suite("every operation that changes something leaves one entry", { concurrency: 1 }, () => {
  for (const name of operationNames) {
    if (operations[name].effect !== "change" || operations[name].access.kind === "operator") continue;
    const performance: Performance | { exception: string } | undefined = performances[name as ChangeName];
    if (performance !== undefined && "exception" in performance) continue;
    test(name, async () => {
      assert.ok(performance !== undefined, "an operation without a way to try it");
      const world: ActingPerson = { ...(await activePerson(cluster)), cluster, waiting: {} };
      await performance.prepare?.(world);
      const seen = new Set((await entriesOf(cluster, world.ana.accountId)).map(({ id }) => id));
      await performance.run(world);
      const fresh = await until(async () => {
        const entries = (await entriesOf(cluster, world.ana.accountId)).filter(({ id }) => !seen.has(id));
        return entries.length > 0 && entries;
      });
      const [entry, ...more] = fresh;
      assert.deepEqual(more, [], "one entry");
      assert.ok(entry !== undefined);
      assert.equal(entry.action, performance.action);
      const fields = Object.keys({ ...entry.before, ...entry.after });
      const unnamed = fields.filter((field) => !(field in accountTexts.pt.fields));
      assert.deepEqual(unnamed, [], "fields without a word for people");
      const actor =
        performance.by === "key"
          ? { kind: "key", name: "bot de deploy" }
          : { kind: "session", name: "Ana Lima" };
      assert.deepEqual(entry.actor, actor);
      assert.equal(entry.address, "127.0.0.1");
      const isOfProject = /^(?:project|domain)\./.test(entry.action);
      if (name !== "createProject" && isOfProject) assert.equal(entry.project?.id, world.project.id);
      assert.equal(entry.project !== null, isOfProject);
      assertHas(entry.before, performance.before ?? {});
      assertHas(entry.after, performance.after ?? {});
      const text = JSON.stringify(fresh);
      assert.ok(world.secrets.length > 2);
      for (const secret of world.secrets) assert.ok(!text.includes(secret), `${name} leaves a secret`);
    });
  }

  test("of variables the names, never the values", async () => {
    const { key, project, ana } = await activePerson(cluster);
    await key.client.setVariables({ id: project.id, body: { variables } });
    const entry = (await entriesOf(cluster, ana.accountId)).at(-1);
    const text = JSON.stringify(entry?.after);
    assert.ok(text.includes("TOKEN_DO_BOT") && text.includes("OUTRA") && !text.includes("secreto"), text);
  });

  test("a sign-up is the account's first entry", async () => {
    const ana = await PanelSession.signUp(cluster, { name: "Rui" });
    const [first] = await entriesOf(cluster, ana.accountId);
    assert.deepEqual(
      [first?.action, first?.actor, first?.address],
      ["account.sign_up", { kind: "session", name: "Rui" }, "127.0.0.1"],
    );
  });

  test("what changes nothing leaves none, and neither does what is refused", async () => {
    const { key, project, ana } = await activePerson(cluster);
    await project.start();
    await project.is("running");
    const count = (await entriesOf(cluster, ana.accountId)).length;
    await project.start();
    await key.client.updateProject({ id: project.id, body: { name: "bot" } });
    await assert.rejects(key.client.updateProject({ id: project.id, body: { memoryMb: 1 } }), {
      code: "invalid_config",
    });
    await key.client.listProjects();
    assert.equal((await entriesOf(cluster, ana.accountId)).length, count);
  });

  test("what an operator changes is under the operator, what the service does under Tijolo", async () => {
    const { key, project, ana } = await activePerson(cluster);
    await project.start();
    await project.is("running");
    const count = (await entriesOf(cluster, ana.accountId)).length;
    const { accountId } = ana;
    const steps = [
      () => cluster.admin.changePlan({ accountId, body: { plan: "Tower" } }),
      () => cluster.admin.endBeta({ accountId, body: { inMs: dayMs } }),
      () => cluster.admin.cancelBetaEnd({ accountId }),
      () => cluster.admin.createPasswordLink({ body: { accountId } }),
      () => cluster.admin.createAccountKey({ accountId, body: { name: "do operador", level: "read" } }),
      () => cluster.admin.suspendAccount({ accountId, body: { graceMs: 0 } }),
      () => stopSuspended(cluster.central.app),
      () => cluster.admin.resumeAccount({ accountId }),
    ];
    for (const step of steps) {
      await step();
      cluster.clock.advance(1); // in one millisecond entries have no order
    }
    const entries = (await entriesOf(cluster, accountId)).slice(count);
    assert.deepEqual(
      entries.map(({ action, actor }) => [action, actor.kind, actor.name]),
      [
        ["account.plan", "operator", "first operator"],
        ["account.beta_ending", "operator", "first operator"],
        ["account.beta_ending", "operator", "first operator"],
        ["account.password_reset_request", "operator", "first operator"],
        ["key.create", "operator", "first operator"],
        ["account.suspend", "operator", "first operator"],
        ["project.stop", "service", "Tijolo"],
        ["account.resume", "operator", "first operator"],
      ],
    );
    assert.deepEqual([entries[0]?.before, entries[0]?.after], [{ plan: "Empresas" }, { plan: "Tower" }]);
    assert.equal(entries.find(({ action }) => action === "project.stop")?.address, null);
    const { events } = await key.client.listProjectEvents({ id: project.id });
    assert.ok(events.some(({ kind, actor }) => kind === "stop" && actor?.kind === "service"));
  });
});
