/**
 * The account's activity: every operation that changes something leaves one entry, with who did it, to what, from where, before and after,
 * and no secret; what happened to a project; how long both are kept.
 */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import {
  activityEntry,
  makeId,
  operationNames,
  operations,
  projectEvent,
  type ActivityAction,
  type ActivityEntry,
  type Client,
  type IssuedLink,
  type OperationName,
  type Operations,
} from "@tijolo/protocol";
import { issueToken } from "../../central/src/app/panel/auth-token.ts";
import { collectHistory } from "../../central/src/app/account/history-keeping.ts";
import { stopSuspended } from "../../central/src/app/account/suspension.ts";
import { transact } from "../../central/src/db/open-database.ts";
import { apiRequest } from "../support/api-request.ts";
import { authenticatorCode } from "../support/authenticator.ts";
import { PanelSession } from "../support/panel.ts";
import { SimulatedProject } from "../support/simulated-project.ts";
import { simulatedBot, TestCluster } from "../support/test-cluster.ts";
import { until } from "../support/until.ts";

const dayMs = 86_400_000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

/** A person with a project, stopped, and a key that may do what a key can. */
interface World {
  ana: PanelSession;
  key: { id: string; secret: string; client: Client };
  project: SimulatedProject;
  /** What must be in no entry. */
  secrets: string[];
}

async function newWorld(): Promise<World> {
  const ana = await PanelSession.signUp(cluster, { name: "Ana Lima", plan: "Empresas" });
  const scopes = ["projects:settings", "account:read", "activity:read"] as const;
  const body = { name: "bot de deploy", level: "write" as const, scopes: [...scopes], password: ana.password };
  const { key, secret } = await ana.client.createKey({ body });
  const client = cluster.client(secret);
  const project = await SimulatedProject.create({ client }, "sim run", { start: false });
  await project.is("stopped");
  return { ana, key: { id: key.id, secret, client }, project, secrets: [ana.password, secret, ...ana.cookies.values()] };
}

async function entriesOf(accountId: string): Promise<ActivityEntry[]> {
  const { db } = cluster.central.app;
  const rows = await db.selectFrom("activity").selectAll().where("account_id", "=", accountId).orderBy("id").execute();
  return rows.map((row) =>
    activityEntry.parse({
      id: row.id,
      at: new Date(row.at).toISOString(),
      actor: { kind: row.actor_kind, name: row.actor_name },
      action: row.action,
      project: row.project_id === null ? null : { id: row.project_id, name: row.project_name },
      address: row.address,
      before: row.before_fields === null ? null : JSON.parse(row.before_fields),
      after: row.after_fields === null ? null : JSON.parse(row.after_fields),
    }),
  );
}

interface Performance {
  action: ActivityAction;
  by: "key" | "session";
  prepare?: (world: World) => Promise<unknown>;
  run: (world: World) => Promise<unknown>;
  /** Parts of the entry's `before` and `after`. */
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

type ChangeName = { [Name in OperationName]: Operations[Name]["effect"] extends "change" ? Name : never }[OperationName];

const file = (command = "sim run") => simulatedBot(command);
const revokeKey = ({ ana, key }: World) => ana.client.revokeKey({ keyId: key.id });
const newPassword = "outra senha bem comprida";
const variables = { TOKEN_DO_BOT: "valor-muito-secreto-1", OUTRA: "valor-muito-secreto-2" };

async function turnOnTwoFactor({ ana, secrets }: World): Promise<{ uri: string; recoveryCodes: string[] }> {
  const prepared = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  secrets.push(...prepared.recoveryCodes, new URL(prepared.uri).searchParams.get("secret") ?? "");
  await ana.client.confirmTwoFactor({ body: { code: authenticatorCode(prepared.uri, cluster.clock.now()) } });
  return prepared;
}

async function tokenFor(world: World, purpose: "not-me"): Promise<string> {
  const { app } = cluster.central;
  const { id } = await app.db.selectFrom("person").select("id").where("email", "=", world.ana.email).executeTakeFirstOrThrow();
  const { token } = await transact(app.db, (tx) => issueToken(app, tx, { purpose, subject: id }));
  world.secrets.push(token);
  return token;
}

async function passwordLink(world: World): Promise<string> {
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
  deleteProject: { action: "project.delete", by: "session", run: ({ ana, project }) => ana.client.deleteProject({ id: project.id }) },
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
      const other = await ana.elsewhere();
      waiting = { sessionId: (await other.client.getSession()).session.id };
    },
    run: ({ ana }) => ana.client.endSession({ sessionId: waiting.sessionId ?? "" }),
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
  notMe: { action: "account.not_me", by: "session", prepare: revokeKey, run: ({ ana }) => ana.client.notMe() },
  notMeByLink: {
    action: "account.not_me",
    by: "session",
    prepare: async (world) => {
      await revokeKey(world);
      waiting = { token: await tokenFor(world, "not-me") };
    },
    run: ({ ana }) => ana.client.notMeByLink({ body: { token: waiting.token ?? "" } }),
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
      const world = await newWorld();
      await performance.prepare?.(world);
      const seen = new Set((await entriesOf(world.ana.accountId)).map(({ id }) => id));
      await performance.run(world);
      const fresh = await until(async () => {
        const entries = (await entriesOf(world.ana.accountId)).filter(({ id }) => !seen.has(id));
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
    const { key, project, ana } = await newWorld();
    await key.client.setVariables({ id: project.id, body: { variables } });
    const entry = (await entriesOf(ana.accountId)).at(-1);
    const text = JSON.stringify(entry?.after);
    assert.ok(text.includes("TOKEN_DO_BOT") && text.includes("OUTRA") && !text.includes("secreto"), text);
  });

  test("a sign-up is the account's first entry", async () => {
    const ana = await PanelSession.signUp(cluster, { name: "Rui" });
    const [first] = await entriesOf(ana.accountId);
    assert.deepEqual([first?.action, first?.actor, first?.address], ["account.sign_up", { kind: "session", name: "Rui" }, "127.0.0.1"]);
  });

  test("what changes nothing leaves none, and neither does what is refused", async () => {
    const { key, project, ana } = await newWorld();
    await project.start();
    await project.is("running");
    const count = (await entriesOf(ana.accountId)).length;
    await project.start();
    await key.client.updateProject({ id: project.id, body: { name: "bot" } });
    await assert.rejects(key.client.updateProject({ id: project.id, body: { memoryMb: 1 } }), { code: "invalid_config" });
    await key.client.listProjects();
    assert.equal((await entriesOf(ana.accountId)).length, count);
  });

  test("what an operator changes is under the operator, what the service does under Tijolo", async () => {
    const { key, project, ana } = await newWorld();
    await project.start();
    await project.is("running");
    const count = (await entriesOf(ana.accountId)).length;
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
    const entries = (await entriesOf(accountId)).slice(count);
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

suite("lists", { concurrency: 3 }, () => {
  test("activity comes newest first, in pages that lose and repeat nothing", async () => {
    const { ana, key, project } = await newWorld();
    for (let count = 0; count < 7; count++) await key.client.updateProject({ id: project.id, body: { description: `n ${count}` } });
    const { activity: all, nextCursor } = await key.client.listActivity();
    assert.equal(nextCursor, null);
    assert.deepEqual(
      all.map(({ id }) => id),
      (await entriesOf(ana.accountId)).map(({ id }) => id).toReversed(),
    );
    const paged: ActivityEntry[] = [];
    let cursor: string | undefined;
    do {
      const page = await key.client.listActivity({ query: { limit: 2, ...(cursor === undefined ? {} : { cursor }) } });
      assert.ok(page.activity.length === 2 || page.nextCursor === null);
      // What is new meanwhile does not move the pages.
      await key.client.updateProject({ id: project.id, body: { description: `later ${paged.length}` } });
      paged.push(...page.activity);
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(paged, all);
    for (const entry of all) assert.ok(activityEntry.safeParse(entry).success);
  });

  test("a cursor that is none of ours, and a limit out of range, are invalid_request", async () => {
    const { key, project } = await newWorld();
    const paths = ["/account/activity", `/projects/${project.id}/events`];
    const queries = [
      "cursor=x",
      "cursor=",
      "cursor=1-1-1",
      "cursor=-1",
      "cursor=%00",
      `cursor=${"9".repeat(200)}`,
      "limit=0",
      "limit=201",
      "limit=x",
      "page=2",
    ];
    for (const path of paths) {
      for (const query of queries) {
        const { code } = await apiRequest(cluster.centralUrl, { method: "GET", path: `/api${path}?${query}`, token: key.secret });
        assert.equal(code, "invalid_request", `${path}?${query}`);
      }
    }
    const other = await newWorld();
    await assert.rejects(other.key.client.listProjectEvents({ id: project.id }), { code: "not_found" });
    const foreign = await other.key.client.listActivity();
    assert.ok(!JSON.stringify(foreign).includes(project.id));
  });

  test("a project's events are what was done to it and how its runs ended, in one order over all pages", async () => {
    const { key, project } = await newWorld();
    await key.client.updateProject({ id: project.id, body: { command: "sim exit 3" } });
    cluster.clock.advance(1);
    await project.start();
    await project.is("crash_loop", 60_000);
    const { events } = await key.client.listProjectEvents({ id: project.id });
    for (const event of events) assert.ok(projectEvent.safeParse(event).success, JSON.stringify(event));
    const crashes = events.filter(({ kind }) => kind === "crash");
    assert.equal(crashes.length, 5);
    assert.deepEqual([crashes[0]?.exit, crashes[0]?.actor], [{ code: 3, isOutOfMemory: false }, null]);
    assert.deepEqual(
      events.filter(({ kind }) => kind !== "crash").map(({ kind, actor }) => [kind, actor?.name]),
      [
        ["start", "bot de deploy"],
        ["settings", "bot de deploy"],
        ["create", "bot de deploy"],
      ],
    );
    const times = events.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length);
    for (const limit of [1, 2, 3, 7]) {
      const paged: typeof events = [];
      let cursor: string | undefined;
      do {
        const page = await key.client.listProjectEvents({ id: project.id, query: { limit, ...(cursor === undefined ? {} : { cursor }) } });
        paged.push(...page.events);
        cursor = page.nextCursor ?? undefined;
      } while (cursor !== undefined);
      assert.deepEqual(paged, events, `pages of ${limit}`);
    }
  });

  test("of events in one millisecond none is lost between pages", async () => {
    const { key, project, ana } = await newWorld();
    const { db } = cluster.central.app;
    const { host_id } = await db.selectFrom("placement").select("host_id").where("project_id", "=", project.id).executeTakeFirstOrThrow();
    const [sample] = await db.selectFrom("activity").selectAll().where("project_id", "=", project.id).execute();
    assert.ok(sample !== undefined);
    const at = cluster.clock.now() - 1_000;
    for (let index = 0; index < 3; index++) {
      const id = makeId(at, Buffer.alloc(10, index + 1));
      await db
        .insertInto("activity")
        .values({ ...sample, id, at, action: "project.restart" })
        .execute();
      const exit = { code: index, is_out_of_memory: 0, is_crash: index % 2, exited_at: at };
      await db
        .insertInto("project_exit")
        .values({ project_id: project.id, host_id, sequence: 1e9 + index, run_number: index, ...exit })
        .execute();
    }
    const { events } = await key.client.listProjectEvents({ id: project.id });
    assert.equal(events.filter((event) => event.at === new Date(at).toISOString()).length, 6);
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await key.client.listProjectEvents({
        id: project.id,
        query: { limit: 1, ...(cursor === undefined ? {} : { cursor }) },
      });
      paged.push(...page.events.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(
      paged,
      events.map(({ id }) => id),
    );
    assert.ok((await entriesOf(ana.accountId)).length > 3);
  });
});

test("activity is kept for 180 days, exits for 30, and then goes in bounded steps", async () => {
  await using own = await TestCluster.create();
  const { app } = own.central;
  const ana = await PanelSession.signUp(own);
  const project = await SimulatedProject.create({ client: ana.client }, "sim exit 0");
  await until(async () => (await ana.client.listProjectEvents({ id: project.id })).events.some(({ kind }) => kind === "exit"));
  const [sample] = await app.db.selectFrom("activity").selectAll().execute();
  assert.ok(sample !== undefined);
  const old = app.clock.now() - 170 * dayMs;
  for (let index = 0; index < 600; index++) {
    const id = makeId(old + index, Buffer.alloc(10));
    await app.db
      .insertInto("activity")
      .values({ ...sample, id, at: old + index })
      .execute();
  }
  const counts = async () => {
    const rows = await app.db.selectFrom("activity").select("id").execute();
    const exits = await app.db.selectFrom("project_exit").select("sequence").execute();
    return [rows.length, exits.length];
  };
  const [activity = 0, exits = 0] = await counts();
  assert.ok(activity > 600 && exits === 1);
  await collectHistory(app);
  assert.deepEqual(await counts(), [activity, exits]);
  own.clock.advance(11 * dayMs);
  await collectHistory(app);
  assert.deepEqual(await counts(), [activity - 600, exits]);
  own.clock.advance(20 * dayMs);
  await collectHistory(app);
  assert.deepEqual(await counts(), [activity - 600, 0]);
  own.clock.advance(160 * dayMs);
  await collectHistory(app);
  assert.deepEqual(await counts(), [0, 0]);
});
