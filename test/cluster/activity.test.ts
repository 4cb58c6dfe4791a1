/** Every operation that changes something leaves one entry, with who did it, to what, from where, before and after, and no secret. */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  operationNames,
  operations,
  type ActivityAction,
  type ActivityEntry,
  type IssuedLink,
  type OperationName,
  type Operations,
} from "@tijolo/protocol";
import { issueToken } from "../../central/src/app/panel/auth-token.ts";
import { stopSuspended } from "../../central/src/app/account/suspension.ts";
import { transact } from "../../central/src/db/open-database.ts";
import { activePerson, entriesOf, type ActivePerson } from "../support/active-person.ts";
import { authenticatorCode } from "../support/authenticator.ts";
import { PanelSession } from "../support/panel.ts";
import { simulatedBot, TestCluster } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";

const dayMs = 86_400_000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

interface Performance {
  action: ActivityAction;
  by: "key" | "session";
  prepare?: (world: ActivePerson) => Promise<unknown>;
  run: (world: ActivePerson) => Promise<unknown>;
  /** Parts of the entry's `before` and `after`. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

type ChangeName = { [Name in OperationName]: Operations[Name]["effect"] extends "change" ? Name : never }[OperationName];

const file = (command = "sim run") => simulatedBot(command);
const revokeKey = ({ ana, key }: ActivePerson) => ana.client.revokeKey({ keyId: key.id });
const newPassword = "outra senha bem comprida";
const variables = { TOKEN_DO_BOT: "valor-muito-secreto-1", OUTRA: "valor-muito-secreto-2" };

async function turnOnTwoFactor({ ana, secrets }: ActivePerson): Promise<{ uri: string; recoveryCodes: string[] }> {
  const prepared = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  secrets.push(...prepared.recoveryCodes, new URL(prepared.uri).searchParams.get("secret") ?? "");
  await ana.client.confirmTwoFactor({ body: { code: authenticatorCode(prepared.uri, cluster.clock.now()) } });
  return prepared;
}

async function tokenFor(world: ActivePerson, purpose: "not-me"): Promise<string> {
  const { app } = cluster.central;
  const { id } = await app.db.selectFrom("person").select("id").where("email", "=", world.ana.email).executeTakeFirstOrThrow();
  const { token } = await transact(app.db, (tx) => issueToken(app, tx, { purpose, subject: id }));
  world.secrets.push(token);
  return token;
}

async function passwordLink(world: ActivePerson): Promise<string> {
  const { token } = (await cluster.operator.call("createPasswordLink", { email: world.ana.email })) as IssuedLink;
  world.secrets.push(token);
  return token;
}

let waiting: { token?: string; session?: PanelSession; sessionId?: string; codes?: string[] } = {};

const performances: Record<ChangeName, Performance | { exception: string }> = {
  createProject: {
    action: "project.create",
    by: "key",
    run: async ({ key }) => key.client.createProject({ fields: { start: "true" }, file: await file() }),
    after: { memoryMb: 256, language: "node" },
  },
  uploadCode: {
    action: "project.upload",
    by: "key",
    run: async ({ key, project }) => key.client.uploadCode({ id: project.id, fields: {}, file: await file("sim exit 1") }),
    before: { command: "sim run", versionNumber: 1 },
    after: { command: "sim exit 1", versionNumber: 2 },
  },
  updateProject: {
    action: "project.settings",
    by: "key",
    run: ({ key, project }) => key.client.updateProject({ id: project.id, body: { name: "novo nome", memoryMb: 512 } }),
    before: { name: "bot", memoryMb: 256 },
    after: { name: "novo nome", memoryMb: 512 },
  },
  deleteProject: {
    action: "project.delete",
    by: "session",
    run: ({ ana, project }) => ana.client.deleteProject({ id: project.id }),
    before: { name: "bot", type: "bot", language: "node", command: "sim run", memoryMb: 256 },
  },
  startProject: { action: "project.start", by: "key", run: ({ project }) => project.start() },
  stopProject: {
    action: "project.stop",
    by: "session",
    prepare: async ({ project }) => {
      await project.start();
      await project.is("running");
    },
    run: ({ ana, project }) => ana.client.stopProject({ id: project.id }),
  },
  restartProject: { action: "project.restart", by: "key", run: ({ project }) => project.restart() },
  setVariables: {
    action: "project.variables",
    by: "key",
    run: ({ key, project, secrets }) => {
      secrets.push(...Object.values(variables));
      return key.client.setVariables({ id: project.id, body: { variables } });
    },
  },
  changeVariables: {
    action: "project.variables",
    by: "key",
    prepare: ({ key, project }) => key.client.setVariables({ id: project.id, body: { variables } }),
    run: ({ key, project, secrets }) => {
      secrets.push(...Object.values(variables), "valor-muito-secreto-3");
      return key.client.changeVariables({ id: project.id, body: { variables: { OUTRA: null, NOVA: "valor-muito-secreto-3" } } });
    },
  },
  createKey: {
    action: "key.create",
    by: "session",
    run: async ({ ana, secrets }) => {
      const { secret } = await ana.client.createKey({ body: { name: "outra", level: "read", scopes: [], password: ana.password } });
      secrets.push(secret);
    },
    after: { name: "outra" },
  },
  revokeKey: { action: "key.revoke", by: "session", run: revokeKey, before: { name: "bot de deploy" } },
  signUp: { exception: "a test of its own: there is no account before" },
  signIn: { action: "account.sign_in", by: "session", run: ({ ana }) => ana.elsewhere() },
  signInTwoFactor: {
    action: "account.sign_in",
    by: "session",
    prepare: async (world) => {
      const { recoveryCodes } = await turnOnTwoFactor(world);
      waiting = { session: await world.ana.elsewhere(), codes: recoveryCodes };
    },
    run: async () => waiting.session?.client.signInTwoFactor({ body: { recoveryCode: waiting.codes?.[0] ?? "" } }),
  },
  signOut: { action: "account.sign_out", by: "session", run: ({ ana }) => ana.client.signOut() },
  endSession: {
    action: "account.session_end",
    by: "session",
    prepare: async ({ ana }) => {
      const other = await ana.elsewhere({ "user-agent": "Phone/1" });
      waiting = { session: other, sessionId: (await other.client.getSession()).session.id };
    },
    run: ({ ana, secrets }) => {
      secrets.push(...(waiting.session?.cookies.values() ?? []));
      return ana.client.endSession({ sessionId: waiting.sessionId ?? "" });
    },
    before: { address: "127.0.0.1", userAgent: "Phone/1" },
  },
  requestPasswordReset: {
    action: "account.password_reset_request",
    by: "session",
    run: ({ ana }) => ana.client.requestPasswordReset({ body: { email: ana.email } }),
  },
  resetPassword: {
    action: "account.password_reset",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      waiting = { token: await passwordLink(world) };
    },
    run: ({ ana, secrets }) => {
      secrets.push(newPassword);
      return ana.client.resetPassword({ body: { token: waiting.token ?? "", password: newPassword } });
    },
    after: { endedSessions: 1, revokedKeys: 0 },
  },
  changePassword: {
    action: "account.password_change",
    by: "session",
    run: ({ ana, secrets }) => {
      secrets.push(newPassword);
      return ana.client.changePassword({ body: { currentPassword: ana.password, newPassword } });
    },
  },
  beginTwoFactor: { exception: "it prepares only: nothing is in force until confirmTwoFactor" },
  confirmTwoFactor: { action: "account.two_factor_on", by: "session", run: turnOnTwoFactor },
  endTwoFactor: {
    action: "account.two_factor_off",
    by: "session",
    prepare: turnOnTwoFactor,
    run: ({ ana }) => ana.client.endTwoFactor({ body: { password: ana.password } }),
  },
  renewRecoveryCodes: {
    action: "account.recovery_codes",
    by: "session",
    prepare: turnOnTwoFactor,
    run: async ({ ana, secrets }) => {
      secrets.push(...(await ana.client.renewRecoveryCodes({ body: { password: ana.password } })).recoveryCodes);
    },
  },
  notMe: {
    action: "account.not_me",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      await world.ana.elsewhere();
    },
    run: ({ ana }) => ana.client.notMe(),
    after: { endedSessions: 2, revokedKeys: 0 },
  },
  notMeByLink: {
    action: "account.not_me",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      waiting = { token: await tokenFor(world, "not-me") };
    },
    run: ({ ana }) => ana.client.notMeByLink({ body: { token: waiting.token ?? "" } }),
    after: { endedSessions: 1, revokedKeys: 0 },
  },
};

/** Fails for a part that `actual` does not have. */
function assertHas(actual: ActivityEntry["before"], parts: Record<string, unknown>): void {
  assert.deepEqual(Object.fromEntries(Object.keys(parts).map((name) => [name, actual?.[name]])), parts);
}

suite("every operation that changes something leaves one entry", { concurrency: 1 }, () => {
  for (const name of operationNames) {
    if (operations[name].effect !== "change") continue;
    const performance: Performance | { exception: string } | undefined = performances[name as ChangeName];
    if (performance !== undefined && "exception" in performance) continue;
    test(name, async () => {
      assert.ok(performance !== undefined, "an operation without a way to try it");
      const world = await activePerson(cluster);
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
      const actor = performance.by === "key" ? { kind: "key", name: "bot de deploy" } : { kind: "session", name: "Ana Lima" };
      assert.deepEqual(entry.actor, actor);
      assert.equal(entry.address, "127.0.0.1");
      if (name !== "createProject" && entry.action.startsWith("project.")) assert.equal(entry.project?.id, world.project.id);
      assert.equal(entry.project !== null, entry.action.startsWith("project."));
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
    assert.deepEqual([first?.action, first?.actor, first?.address], ["account.sign_up", { kind: "session", name: "Rui" }, "127.0.0.1"]);
  });

  test("what changes nothing leaves none, and neither does what is refused", async () => {
    const { key, project, ana } = await activePerson(cluster);
    await project.start();
    await project.is("running");
    const count = (await entriesOf(cluster, ana.accountId)).length;
    await project.start();
    await key.client.updateProject({ id: project.id, body: { name: "bot" } });
    await assert.rejects(key.client.updateProject({ id: project.id, body: { memoryMb: 1 } }), { code: "invalid_config" });
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
      () => cluster.admin("changePlan", { accountId, plan: "Tower" }),
      () => cluster.admin("endBeta", { accountId, inMs: dayMs }),
      () => cluster.admin("cancelBetaEnd", { accountId }),
      () => cluster.admin("createPasswordLink", { accountId }),
      () => cluster.admin("createKey", { accountId, name: "do operador", level: "read" }),
      () => cluster.admin("suspendAccount", { accountId, graceMs: 0 }),
      () => stopSuspended(cluster.central.app),
      () => cluster.admin("resumeAccount", { accountId }),
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
