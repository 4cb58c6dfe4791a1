/** The same request with the same `Idempotency-Key` takes effect once (api.md: "Conventions"). */

import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { suite, test } from "node:test";
import type { Project } from "@tijolo/protocol";
import { apiRequest, type ApiAnswer, type ApiRequest } from "../support/requests/api-request.ts";
import { assertErrorBody } from "../support/requests/assert-contract.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { PanelSession } from "../support/people/panel.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { TestCluster, type TestAccount } from "../support/cluster/test-cluster.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const dayMs = 24 * 60 * 60 * 1000;

interface Post {
  key?: string | undefined;
  token: string;
  path: string;
  more?: Partial<ApiRequest>;
}

const post = (cluster: TestCluster, { key, token, path, more = {} }: Post) =>
  apiRequest(cluster.centralUrl, {
    method: "POST",
    path: `/api${path}`,
    token,
    ...more,
    headers: { ...more.headers, ...(key === undefined ? {} : { "idempotency-key": key }) },
  });

const zip = zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) });
const upload = async (
  fields: Record<string, string> = {},
  fileName?: string,
): Promise<Partial<ApiRequest>> => ({
  headers: multipartType,
  body: uploadBody(await zip, fields, fileName),
});

const projectOf = ({ json }: ApiAnswer) => (json as { project: Project }).project;
const isReplayed = ({ headers }: ApiAnswer) => headers.get("idempotent-replayed");
const countOf = async ({ client }: TestAccount) => (await client.listProjects()).projects.length;
const starts = async (cluster: TestCluster) =>
  (await cluster.central.app.db.selectFrom("project").select("restart_count").execute())[0]?.restart_count;

function assertReplay(first: ApiAnswer, again: ApiAnswer): void {
  assert.deepEqual([isReplayed(first), isReplayed(again)], [null, "true"]);
  assert.deepEqual([again.status, again.text], [first.status, first.text]);
  assert.notEqual(again.headers.get("x-request-id"), first.headers.get("x-request-id"));
}

function assertUsedOtherwise(answer: ApiAnswer): void {
  assertErrorBody(answer);
  assert.deepEqual(
    [answer.status, answer.code, (answer.json as { field?: string }).field],
    [400, "invalid_request", "Idempotency-Key"],
  );
}

function assertTooEarly(answer: ApiAnswer): void {
  assertErrorBody(answer);
  assert.deepEqual([answer.status, answer.code], [429, "too_many_requests"]);
  assert.match(answer.headers.get("retry-after") ?? "", /^[1-3]$/);
}

suite("idempotency keys", { concurrency: 2 }, () => {
  test("a project is created once, and the first answer comes again, also after a restart of central", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const create = async () =>
      post(cluster, {
        key: "deploy-1",
        token: account.key,
        path: "/projects",
        more: await upload({ name: "shop" }),
      });
    const first = await create();
    assert.equal(first.status, 201);
    assertReplay(first, await create());
    await cluster.stopCentral();
    await cluster.startCentral();
    assertReplay(first, await create());
    assert.equal(await countOf(account), 1);
    const stored = await cluster.central.app.db.selectFrom("version").selectAll().execute();
    assert.equal(stored.length, 1);
    await cluster.untilConnected();
    const other = await post(cluster, {
      key: "deploy-2",
      token: account.key,
      path: "/projects",
      more: await upload({ name: "shop" }),
    });
    assert.notEqual(projectOf(other).id, projectOf(first).id);
  });

  test("50 twins at once make one project between them; each gets its answer or is told to come again", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const more = await upload();
    const answers = await Promise.all(
      Array.from({ length: 50 }, () =>
        post(cluster, { key: "twin", token: account.key, path: "/projects", more }),
      ),
    );
    const created = answers.filter(({ status }) => status === 201);
    assert.ok(created.length >= 2, "some waited for the first");
    assert.equal(created.filter((answer) => isReplayed(answer) === null).length, 1);
    assert.equal(new Set(created.map((answer) => projectOf(answer).id)).size, 1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      assertErrorBody(answer);
      assert.deepEqual(
        [answer.status, answer.code],
        [429, "rate_limit_exceeded"],
        "there is no project yet that could be busy",
      );
      assert.match((answer.json as { message: string }).message, /esperando com esta Idempotency-Key/);
    }
    assert.equal(await countOf(account), 1);
  });

  test("the key of another request is refused: another body, name, path or operation", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const [one, two] = [
      await SimulatedProject.create(account, "sim run"),
      await SimulatedProject.create(account, "sim run"),
    ];
    for (const project of [one, two]) await project.is("running");
    const send = (path: string, more: Partial<ApiRequest> = {}) =>
      post(cluster, { key: "k", token: account.key, path, more });
    assert.equal((await send("/projects", await upload({ name: "a" }, "a.zip"))).status, 201);
    const count = await countOf(account);
    for (const more of [
      await upload({ name: "b" }, "a.zip"),
      await upload({ name: "a", start: "true" }, "a.zip"),
      await upload({ name: "a" }, "b.zip"),
    ]) {
      assertUsedOtherwise(await send("/projects", more));
    }
    const otherZip = uploadBody(
      await zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim wait 1" }) }),
      { name: "a" },
      "a.zip",
    );
    assertUsedOtherwise(await send("/projects", { headers: multipartType, body: otherZip }));
    assertUsedOtherwise(await send(`/projects/${one.id}/stop`));
    assertUsedOtherwise(await send(`/projects/${two.id}/code`, await upload({ name: "a" }, "a.zip")));
    assert.equal(await countOf(account), count);
    assert.equal((await one.get()).status, "running");
  });

  test("start, stop, restart and new code take effect once per key", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    const project = await SimulatedProject.create(account, "sim run");
    await project.is("running");
    const send = (action: string, key: string, more?: Partial<ApiRequest>) =>
      post(cluster, {
        key,
        token: account.key,
        path: `/projects/${project.id}/${action}`,
        ...(more === undefined ? {} : { more }),
      });
    const restarted = await send("restart", "r");
    assert.equal(restarted.status, 202);
    const count = await starts(cluster);
    assertReplay(restarted, await send("restart", "r"));
    assert.equal(await starts(cluster), count);
    await project.is("running");

    const started = await send("start", "s");
    assert.equal(started.status, 202, "it was up already");
    const stopped = await send("stop", "x");
    await project.is("stopped");
    assertReplay(started, await send("start", "s"));
    assert.equal((await project.get()).status, "stopped", "the replay started nothing");
    assertReplay(stopped, await send("stop", "x"));

    const uploaded = await send("code", "u", await upload());
    assert.equal(uploaded.status, 202, uploaded.text);
    assertReplay(uploaded, await send("code", "u", await upload()));
    const [row] = await cluster.central.app.db.selectFrom("project").select("version_number").execute();
    assert.equal(row?.version_number, 2);
    const activity = await cluster.central.app.db
      .selectFrom("activity")
      .select("action")
      .where("account_id", "=", account.id)
      .execute();
    const actions = activity.map(({ action }) => action);
    for (const action of ["project.restart", "project.stop", "project.upload"])
      assert.equal(actions.filter((each) => each === action).length, 1);
  });

  test("a request that failed keeps nothing: the same key succeeds later", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount({ plan: "Free" });
    const create = async () =>
      post(cluster, { key: "later", token: account.key, path: "/projects", more: await upload() });
    const before = [
      await SimulatedProject.create(account, "sim run"),
      await SimulatedProject.create(account, "sim run"),
    ];
    for (let round = 0; round < 2; round++) {
      const refused = await create();
      assert.deepEqual(
        [refused.status, refused.code, isReplayed(refused)],
        [403, "project_limit_reached", null],
      );
    }
    await cluster.operator.client().deleteProject({ id: before[0]?.id ?? "" });
    const created = await create();
    assert.equal(created.status, 201, created.text);
    assertReplay(created, await create());
  });

  test("a retry gets its answer without waiting for the account's next upload, and leaves its time as it is", async () => {
    await using cluster = await TestCluster.create({ hasRealLimits: true });
    cluster.clock.hold();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const create = async (key: string, fields: Record<string, string> = {}) =>
      post(cluster, { key, token: account.key, path: "/projects", more: await upload(fields) });
    const first = await create("one");
    assert.equal(first.status, 201, first.text);
    assertTooEarly(await create("two"));
    for (let retry = 0; retry < 3; retry++) assertReplay(first, await create("one"));
    assertTooEarly(await create("two"));
    cluster.clock.advance(3_000);
    assertReplay(first, await create("one"));
    const second = await create("two");
    assert.equal(second.status, 201, second.text);
    const spent =
      Number(second.headers.get("ratelimit-limit")) - Number(second.headers.get("ratelimit-remaining"));
    assert.equal(spent, 8, "every one of them counts in the rate");
  });

  test("a known key is no way around the pace of uploads: another body, or half of one, counts as an upload", async () => {
    await using cluster = await TestCluster.create({ hasRealLimits: true });
    cluster.clock.hold();
    const account = await cluster.createAccount({ plan: "Empresas" });
    const send = (key: string, more: Partial<ApiRequest>) =>
      post(cluster, { key, token: account.key, path: "/projects", more });
    const create = async (key: string, fields: Record<string, string> = {}) =>
      send(key, await upload(fields));
    const halved = async () => {
      const { headers = {} } = await upload();
      return send("one", { headers, body: uploadBody(await zip, {}).subarray(0, 200) });
    };
    const first = await create("one");
    assert.equal(first.status, 201, first.text);
    for (const misuse of [() => create("one", { name: "other" }), halved]) {
      cluster.clock.advance(60_000);
      assert.equal((await misuse()).status, 400);
      for (const next of [
        () => create("one", { name: "other" }),
        halved,
        () => create("one"),
        () => create("two"),
      ]) {
        assertTooEarly(await next());
      }
      cluster.clock.advance(3_000);
      assertReplay(first, await create("one"));
      assertTooEarly(await create("one"));
    }
    assert.equal(await countOf(account), 1);
  });

  test("effect and answer are written together: without the one there is not the other", async () => {
    await using cluster = await TestCluster.create();
    const account = await cluster.createAccount();
    using file = new DatabaseSync(join(cluster.directory, "central", "central.sqlite"));
    file.exec("create trigger full before insert on idempotency begin select raise(abort, 'no room'); end");
    const create = async () =>
      post(cluster, { key: "k", token: account.key, path: "/projects", more: await upload() });
    assert.equal((await create()).code, "internal_error");
    assert.equal(await countOf(account), 0);
    file.exec("drop trigger full");
    const created = await create();
    assert.deepEqual([created.status, isReplayed(created)], [201, null]);
  });

  test("a key counts for its account alone, and for a day", async () => {
    await using cluster = await TestCluster.create();
    const [account, other] = [
      await cluster.createAccount({ plan: "Empresas" }),
      await cluster.createAccount({ plan: "Empresas" }),
    ];
    const create = async (token: string) =>
      post(cluster, { key: "k", token, path: "/projects", more: await upload() });
    const first = await create(account.key);
    const ofOther = await create(other.key);
    assert.equal(isReplayed(ofOther), null);
    assert.notEqual(projectOf(ofOther).id, projectOf(first).id);
    assertReplay(first, await create(await cluster.createKey(account.id, "write")));
    cluster.clock.advance(dayMs - 60_000);
    assertReplay(first, await create(account.key));
    cluster.clock.advance(60_000);
    const next = await create(account.key);
    assert.deepEqual([next.status, isReplayed(next)], [201, null]);
    assertReplay(next, await create(account.key));
    assert.equal(await countOf(account), 2);
  });

  test("a key out of format is refused before the body is read", async () => {
    await using cluster = await TestCluster.create({ hosts: 0 });
    const account = await cluster.createAccount();
    for (const key of ["", "with a space", "x".repeat(256), "a\u00e9"]) {
      assertUsedOtherwise(
        await post(cluster, { key, token: account.key, path: "/projects", more: { headers: {} } }),
      );
    }
    const good = await post(cluster, {
      key: "x".repeat(255),
      token: account.key,
      path: "/projects",
      more: { headers: {} },
    });
    assert.equal(good.code, "unsupported_media_type");
  });

  test("a session's request is kept too; an answer with a secret never", async () => {
    await using cluster = await TestCluster.create();
    const session = await PanelSession.signUp(cluster, { plan: "Empresas" });
    const headers = { "idempotency-key": "k" };
    const more = await upload();
    const create = () =>
      session.call("POST", "/projects", { ...more, headers: { ...multipartType, ...headers } });
    const first = await create();
    assert.equal(first.status, 201, first.text);
    assertReplay(first, await create());
    const make = () =>
      session.call("POST", "/account/keys", {
        json: { name: "k", level: "read", password: session.password },
        headers,
      });
    const [one, two] = [await make(), await make()];
    assert.deepEqual([one.status, two.status, isReplayed(two)], [201, 201, null]);
    const kept = await cluster.central.app.db.selectFrom("idempotency").selectAll().execute();
    assert.ok(kept.length === 1 && !JSON.stringify(kept).includes("svc_"));
  });
});
