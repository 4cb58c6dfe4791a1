/** API keys as the account's owner makes, sees and revokes them at the panel (spec: "Authentication"). */

import assert from "node:assert/strict";
import { after, before, suite, test } from "node:test";
import { ApiError, scopesOfLevel, type ActivityEntry, type Scope } from "@tijolo/protocol";
import { collectHistory } from "../../central/src/app/upkeep/collect-history.ts";
import { apiRequest } from "../support/requests/api-request.ts";
import { assertContract } from "../support/requests/assert-contract.ts";
import { PanelSession } from "../support/people/panel.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

const minuteMs = 60_000;

let cluster: TestCluster;
before(async () => {
  cluster = await TestCluster.create({ hosts: 0 });
});
after(() => cluster[Symbol.asyncDispose]());

const listWith = async (key: string) =>
  (await apiRequest(cluster.centralUrl, { method: "GET", path: "/api/projects", token: key })).code;

async function activityOf(session: PanelSession, action: ActivityEntry["action"]): Promise<ActivityEntry[]> {
  return (await session.client.listActivity({})).activity.filter((entry) => entry.action === action);
}

suite("keys", { concurrency: 2 }, () => {
  test("a key is shown whole once, stored as a hash, and listed by its beginning and last use", async () => {
    const session = await PanelSession.signUp(cluster);
    const answer = await session.call("POST", "/account/keys", {
      json: { name: " ci ", level: "read", password: session.password },
    });
    assertContract("createKey", answer);
    const { key, secret } = answer.json as {
      key: { id: string; prefix: string; name: string };
      secret: string;
    };
    assert.match(secret, /^svc_[A-Za-z0-9_-]{43}$/);
    assert.deepEqual([key.prefix, key.name], [secret.slice(0, 12), "ci"]);
    const listed = await session.call("GET", "/account/keys");
    assertContract("listKeys", listed);
    assert.ok(!listed.text.includes(secret.slice(12)));
    const { keys } = await session.client.listKeys();
    assert.deepEqual(
      keys.map(({ id, level, scopes, lastUsedAt }) => ({ id, level, scopes, lastUsedAt })),
      [{ id: key.id, level: "read", scopes: [...scopesOfLevel.read], lastUsedAt: null }],
    );
    const stored = await cluster.central.app.db
      .selectFrom("api_key")
      .selectAll()
      .where("id", "=", key.id)
      .execute();
    assert.ok(stored.length === 1 && !JSON.stringify(stored).includes(secret.slice(12)));
  });

  test("the last use is told to the minute, and kept over a restart", async () => {
    await using own = await TestCluster.create({ hosts: 0 });
    const session = await PanelSession.signUp(own);
    const { secret } = await session.client.createKey({
      body: { name: "k", level: "read", password: session.password },
    });
    const lastUse = async () => Date.parse((await session.client.listKeys()).keys[0]?.lastUsedAt ?? "");
    await own.client(secret).listProjects();
    const first = await lastUse();
    assert.ok(Math.abs(own.clock.now() - first) < minuteMs);
    await own.stopCentral();
    await own.startCentral();
    assert.equal(await lastUse(), first);
    own.clock.advance(2 * minuteMs);
    await own.client(secret).listProjects();
    assert.ok((await lastUse()) >= first + 2 * minuteMs);
  });

  test("a level brings its scopes, further ones come on top; with scopes alone the key has just these, and its level follows", async () => {
    const session = await PanelSession.signUp(cluster);
    const make = async (wanted: { level?: "read" | "write"; scopes?: Scope[] }) => {
      const { key, secret } = await session.client.createKey({
        body: { name: "k", password: session.password, ...wanted },
      });
      return { level: key.level, scopes: key.scopes, secret };
    };
    assert.deepEqual((await make({ level: "write" })).scopes, [...scopesOfLevel.write]);
    const more = await make({ level: "read", scopes: ["projects:settings", "logs:read"] });
    assert.deepEqual([more.level, more.scopes], ["write", [...scopesOfLevel.read, "projects:settings"]]);
    const reading = await make({ scopes: ["metrics:read", "account:read", "metrics:read"] });
    assert.deepEqual([reading.level, reading.scopes], ["read", ["metrics:read", "account:read"]]);
    assert.equal(await listWith(reading.secret), "insufficient_scope");
    const changing = await make({ scopes: ["projects:control"] });
    assert.deepEqual([changing.level, changing.scopes], ["write", ["projects:control"]]);
    for (const wrong of [
      {},
      { scopes: [] },
      { level: "read", name: "\u200b" },
      { level: "read", name: "a\u202eb" },
      { level: "admin" },
      { level: "read", scopes: ["projects:all"] },
    ]) {
      const answer = await session.call("POST", "/account/keys", {
        json: { name: "k", password: session.password, ...wrong },
      });
      assert.deepEqual([answer.status, answer.code], [400, "invalid_request"]);
    }
  });

  test("a key is made only with the password, from the panel, and by no key", async () => {
    const session = await PanelSession.signUp(cluster);
    const { secret } = await session.client.createKey({
      body: { name: "k", level: "write", password: session.password },
    });
    const body = { name: "k", level: "read", password: session.password };
    const wrongPassword = await session.call("POST", "/account/keys", {
      json: { ...body, password: "not this one" },
    });
    assertContract("createKey", wrongPassword);
    assert.deepEqual([wrongPassword.status, wrongPassword.code], [403, "wrong_password"]);
    const elsewhere = await session.call("POST", "/account/keys", {
      json: body,
      headers: { "sec-fetch-site": "cross-site" },
    });
    assert.deepEqual([elsewhere.status, elsewhere.code], [401, "not_authenticated"]);
    const [{ id } = { id: "" }] = (await session.client.listKeys()).keys;
    for (const [method, path] of [
      ["GET", "/account/keys"],
      ["POST", "/account/keys"],
      ["DELETE", `/account/keys/${id}`],
    ] as const) {
      const withKey = await session.call(method, path, {
        token: secret,
        headers: { authorization: `Bearer ${secret}` },
      });
      assert.equal(withKey.code, "api_key_not_allowed", `${method} with the session's cookie beside the key`);
      const withNothing = await apiRequest(cluster.centralUrl, { method, path: `/api${path}` });
      assert.equal(withNothing.code, "not_authenticated");
      const withOperator = await apiRequest(cluster.centralUrl, {
        method,
        path: `/api${path}`,
        token: cluster.operatorToken,
      });
      assert.equal(withOperator.code, "not_authenticated");
    }
    assert.equal((await session.client.listKeys()).keys.length, 1);
  });

  test("of 50 creations at once with room for one, one succeeds", async () => {
    const session = await PanelSession.signUp(cluster);
    const operator = cluster.operator;
    for (let index = 0; index < 9; index++) await operator.createKey(session.accountId, "read");
    const atPanel = async () => {
      const answer = await session.call("POST", "/account/keys", {
        json: { name: "k", level: "read", password: session.password },
      });
      assertContract("createKey", answer);
      if (answer.status === 201) return "made";
      assert.deepEqual([answer.status, (answer.json as { limit: number }).limit], [403, 10]);
      return answer.code;
    };
    const byOperator = () =>
      operator.createKey(session.accountId, "read").then(
        () => "made",
        (error: unknown) => (error instanceof ApiError ? error.code : String(error)),
      );
    // Few at the panel: each of those checks a password first, which takes its time.
    const results = await Promise.all(
      Array.from({ length: 50 }, (_, index) => (index % 10 === 0 ? atPanel() : byOperator())),
    );
    assert.equal(results.filter((result) => result === "made").length, 1);
    assert.equal(results.filter((result) => result === "key_limit_reached").length, 49);
    assert.equal(await atPanel(), "key_limit_reached");
    assert.equal((await session.client.listKeys()).keys.length, 10);
    const [{ id } = { id: "" }] = (await session.client.listKeys()).keys;
    await session.client.revokeKey({ keyId: id });
    await session.client.createKey({ body: { name: "k", level: "read", password: session.password } });
  });

  test("a revoked key fails at the next request, and nobody else's can be revoked", async () => {
    const session = await PanelSession.signUp(cluster);
    const other = await PanelSession.signUp(cluster);
    const make = () =>
      session.client.createKey({ body: { name: "k", level: "read", password: session.password } });
    const [{ key, secret }, kept] = [await make(), await make()];
    assert.equal(await listWith(secret), undefined);
    const foreign = await other.call("DELETE", `/account/keys/${key.id}`);
    assertContract("revokeKey", foreign);
    assert.deepEqual([foreign.status, foreign.code], [404, "not_found"]);
    assert.equal(await listWith(secret), undefined);
    await session.client.revokeKey({ keyId: key.id });
    assert.equal(await listWith(secret), "invalid_api_key");
    assert.equal(await listWith(kept.secret), undefined);
    assert.equal((await session.call("DELETE", `/account/keys/${key.id}`)).code, "not_found");
    assert.deepEqual(
      (await session.client.listKeys()).keys.map(({ id }) => id),
      [kept.key.id],
    );
  });

  test("a revoked key that has been collected is as unknown as before, and the others go on", async () => {
    await using own = await TestCluster.create({ hosts: 0 });
    const session = await PanelSession.signUp(own);
    const make = async () =>
      await session.client.createKey({ body: { name: "k", level: "read", password: session.password } });
    const [revoked, living] = [await make(), await make()];
    await session.client.revokeKey({ keyId: revoked.key.id });
    const { app } = own.central;
    const stored = async () =>
      (await app.db.selectFrom("api_key").select("id").execute()).map(({ id }) => id);
    const answerTo = (token: string) =>
      apiRequest(own.centralUrl, { method: "GET", path: "/api/projects", token });
    const before = await answerTo(revoked.secret);
    assert.deepEqual([before.status, before.code], [401, "invalid_api_key"]);
    own.clock.advance(181 * 86_400_000);
    assert.deepEqual((await stored()).toSorted(), [revoked.key.id, living.key.id].toSorted());
    await collectHistory(app);
    assert.deepEqual(await stored(), [living.key.id]);
    const after = await answerTo(revoked.secret);
    assert.deepEqual([after.status, after.json], [before.status, before.json]);
    assert.equal((await answerTo(living.secret)).status, 200);
  });

  test("creating and revoking stand in the activity with who did it, and without the secret", async () => {
    const session = await PanelSession.signUp(cluster, { name: "Bia" });
    const { key, secret } = await session.client.createKey({
      body: { name: "deploy", level: "read", password: session.password },
    });
    await session.client.revokeKey({ keyId: key.id });
    const [created] = await activityOf(session, "key.create");
    const [revoked] = await activityOf(session, "key.revoke");
    for (const [entry, fields] of [
      [created, created?.after],
      [revoked, revoked?.before],
    ] as const) {
      assert.deepEqual(entry?.actor, { kind: "session", name: "Bia" });
      assert.equal(entry.address, "127.0.0.1");
      assert.deepEqual(
        [fields?.["id"], fields?.["name"], fields?.["prefix"]],
        [key.id, "deploy", secret.slice(0, 12)],
      );
      assert.ok(!JSON.stringify(entry).includes(secret.slice(12)));
    }
  });

  test("an operator's key stands in the activity too", async () => {
    const session = await PanelSession.signUp(cluster);
    await cluster.operator.createKey(session.accountId, "write");
    assert.equal((await activityOf(session, "key.create"))[0]?.actor.kind, "operator");
  });

  test("not-me revokes all keys of the account, and of no other", async () => {
    const session = await PanelSession.signUp(cluster);
    const other = await PanelSession.signUp(cluster);
    const secrets = await Promise.all(
      [1, 2, 3].map(() => cluster.operator.createKey(session.accountId, "read")),
    );
    const others = await cluster.operator.createKey(other.accountId, "read");
    for (const secret of [...secrets, others]) assert.equal(await listWith(secret), undefined);
    await session.client.notMe();
    for (const secret of secrets) assert.equal(await listWith(secret), "invalid_api_key");
    assert.equal(await listWith(others), undefined);
  });

  test("a session that asks without end is held back, alone", async () => {
    await using own = await TestCluster.create({ hosts: 0, hasRealLimits: true });
    own.clock.hold();
    const session = await PanelSession.signUp(own);
    const { sessionRequestsPerMinute } = own.central.app.limits;
    const codes: (string | undefined)[] = [];
    for (let sent = 0; sent < sessionRequestsPerMinute + 20; sent += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => session.call("GET", "/projects")));
      codes.push(...answers.map(({ code }) => code));
    }
    assert.equal(codes.filter((code) => code === undefined).length, sessionRequestsPerMinute);
    const refused = await session.call("GET", "/projects");
    assert.deepEqual(
      [refused.status, refused.code, refused.headers.get("ratelimit-limit")],
      [429, "rate_limit_exceeded", null],
    );
    assert.match((refused.json as { message: string }).message, /É o desta sessão, não o do seu plano/);
    const second = await session.elsewhere();
    assert.equal((await second.call("GET", "/projects")).status, 200);
    own.clock.advance(minuteMs);
    assert.equal((await session.call("GET", "/projects")).status, 200);
  });
});
