/**
 * Tests how many requests an account makes in a minute and in a day, as a client sees it (spec: "Limits").
 */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { suite, test } from "node:test";
import type { PlanName } from "@tijolo/protocol";
import type { ApiAnswer, ApiRequest } from "../support/requests/api-request.ts";
import { assertErrorBody } from "../support/requests/assert-contract.ts";
import {
  limitedCluster,
  missingId,
  request,
  retryAfter,
  tally,
  times,
} from "../support/cluster/limited-cluster.ts";
import { multipartType, uploadBody } from "../support/requests/multipart.ts";
import { PanelSession } from "../support/people/panel.ts";
import { RawHttp } from "../support/requests/raw-http.ts";
import type { TestCluster } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";
import { zipOf } from "../support/archives/zip-of.ts";

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

/** Returns the four headers, checked against their forms. */
function standing({ headers }: Pick<ApiAnswer, "headers">): {
  limit: number;
  remaining: number;
  reset: number;
  policy: string | null;
} {
  const numberOf = (name: string) => {
    const text = headers.get(name) ?? "";
    assert.match(text, /^\d+$/, name);
    return Number(text);
  };
  return {
    limit: numberOf("RateLimit-Limit"),
    remaining: numberOf("RateLimit-Remaining"),
    reset: numberOf("RateLimit-Reset"),
    policy: headers.get("RateLimit-Policy"),
  };
}

/** Free with so many requests per day. */
async function clusterWithDay(requestsPerDay: number): Promise<TestCluster> {
  const cluster = await limitedCluster();
  await cluster.stopCentral();
  const plansFile = join(cluster.directory, "small-days.json");
  await writeFile(plansFile, JSON.stringify({ plans: { Free: { requestsPerDay } } }));
  cluster.options.centralSettings = { TIJOLO_PLANS_FILE: plansFile };
  await cluster.startCentral();
  return cluster;
}

suite("request rates", { concurrency: 2 }, () => {
  const plans: [PlanName, perMinute: number, perDay: number][] = [
    ["Free", 10, 5_000],
    ["Block", 30, 43_200],
    ["Stack", 60, 86_400],
    ["Tower", 120, 172_800],
    ["Fortress", 180, 259_200],
    ["Empresas", 240, 345_600],
  ];
  test("each plan lets through just its requests per minute, and says so", async () => {
    await using cluster = await limitedCluster();
    for (const [plan, perMinute, perDay] of plans) {
      const { key } = await cluster.createAccount({ plan });
      const first = await request(cluster, key);
      assert.deepEqual(standing(first), {
        limit: perMinute,
        remaining: perMinute - 1,
        reset: 60,
        policy: `${perMinute};w=60, ${perDay};w=86400`,
      });
      const answers = await times(perMinute + 40, () => request(cluster, key));
      assert.deepEqual(
        tally(answers),
        { "404 not_found": perMinute - 1, "429 rate_limit_exceeded": 41 },
        plan,
      );
      assert.deepEqual(
        new Set(answers.map((answer) => standing(answer).remaining)),
        new Set(Array.from({ length: perMinute - 1 }, (_, left) => left)),
      );
      for (const answer of answers.filter(({ status }) => status === 429)) {
        assertErrorBody(answer);
        assert.equal(standing(answer).remaining, 0);
        assert.equal(retryAfter(answer), standing(answer).reset);
        assert.ok(retryAfter(answer) >= 1 && retryAfter(answer) <= 60);
      }
    }
  });

  test("a refused request counts nowhere: the next window is whole", async () => {
    await using cluster = await limitedCluster();
    const { key } = await cluster.createAccount({ plan: "Free" });
    for (let round = 0; round < 3; round++) {
      const answers = await times(50, () => request(cluster, key));
      assert.deepEqual(tally(answers), { "404 not_found": 10, "429 rate_limit_exceeded": 40 });
      cluster.clock.advance(minuteMs);
    }
  });

  test("all keys of an account count together, and no other account's", async () => {
    await using cluster = await limitedCluster();
    const account = await cluster.createAccount({ plan: "Free" });
    const other = await cluster.createAccount({ plan: "Free" });
    const second = await cluster.createKey(account.id, "read");
    assert.deepEqual(tally(await times(6, () => request(cluster, account.key))), { "404 not_found": 6 });
    assert.deepEqual(tally(await times(6, () => request(cluster, second))), {
      "404 not_found": 4,
      "429 rate_limit_exceeded": 2,
    });
    assert.equal((await request(cluster, account.key)).code, "rate_limit_exceeded");
    assert.equal(standing(await request(cluster, other.key)).remaining, 9);
  });

  test("the day has its limit too, from the first request in it; the tightest window is told", async () => {
    await using cluster = await clusterWithDay(25);
    const { key } = await cluster.createAccount({ plan: "Free" });
    assert.equal(standing(await request(cluster, key)).policy, "10;w=60, 25;w=86400");
    await times(9, () => request(cluster, key));
    cluster.clock.advance(minuteMs);
    await times(10, () => request(cluster, key));
    cluster.clock.advance(minuteMs);
    const last = await request(cluster, key);
    assert.deepEqual(
      [standing(last).limit, standing(last).remaining],
      [25, 4],
      "the day has less left than the minute",
    );
    assert.ok(standing(last).reset > 86_000 && standing(last).reset <= 86_400 - 120);
    assert.deepEqual(tally(await times(30, () => request(cluster, key))), {
      "404 not_found": 4,
      "429 rate_limit_exceeded": 26,
    });
    cluster.clock.advance(minuteMs);
    const refused = await request(cluster, key);
    assert.equal(refused.code, "rate_limit_exceeded", "another minute does not help");
    assert.equal(retryAfter(refused), standing(refused).reset);
    cluster.clock.advance((retryAfter(refused) - 60) * 1000);
    assert.equal((await request(cluster, key)).code, "rate_limit_exceeded");
    cluster.clock.advance(minuteMs);
    assert.deepEqual([standing(await request(cluster, key)).limit], [10]);
  });

  test("every answer to a valid key counts one and carries the headers, whatever it is", async () => {
    await using cluster = await limitedCluster({ hosts: 1 });
    const { id, key } = await cluster.createAccount({ plan: "Stack", scopes: ["projects:settings"] });
    const readKey = await cluster.createKey(id, "read");
    const { id: projectId } = await createProject(cluster, key);
    const json = { "content-type": "application/json" };
    const cases: [what: string, status: number, more: Partial<ApiRequest>][] = [
      ["a list", 200, { path: "/api/projects" }],
      ["a missing project", 404, {}],
      ["an unknown path", 404, { path: "/api/nothing/here" }],
      ["a method that the path has not", 404, { method: "DELETE", path: "/api/projects" }],
      ["a path that is not even one", 400, { path: "/api/projects/%ZZ" }],
      ["a path that is too long", 400, { path: `/api/projects/${"a".repeat(5_000)}` }],
      ["an id out of format", 400, { path: "/api/projects/1" }],
      [
        "a read key that changes",
        403,
        { method: "POST", path: `/api/projects/${projectId}/stop`, token: readKey },
      ],
      ["a missing scope", 403, { path: "/api/account" }],
      ["what only the panel may", 403, { path: "/api/account/keys" }],
      ["a body of a wrong type", 415, { method: "PATCH", path: `/api/projects/${projectId}`, body: "x" }],
      [
        "a body that is no JSON",
        400,
        { method: "PATCH", path: `/api/projects/${projectId}`, headers: json, body: "{" },
      ],
      [
        "an upload that came too soon",
        429,
        { method: "POST", path: "/api/projects", headers: multipartType, body: "x" },
      ],
      ["what needs no key", 200, { path: "/api/openapi.json" }],
    ];
    const { remaining } = standing(await request(cluster, key));
    let taken = 0;
    for (const [what, status, more] of cases) {
      const answer = await request(cluster, key, more);
      assert.equal(answer.status, status, `${what}: ${answer.text.slice(0, 200)}`);
      assert.equal(standing(answer).remaining, remaining - ++taken, what);
      assert.match(answer.headers.get("x-request-id") ?? "", /^[0-9A-Z]{26}$/, what);
    }
    using http = await RawHttp.open(cluster.centralUrl);
    await http.send(`GET /api/projects HTTP/1.1\r\nAuthorization: Bearer ${key}\r\n\r\n`);
    const { status, headers } = await http.answer();
    assert.deepEqual(
      [status, headers.get("ratelimit-remaining")],
      [400, String(remaining - ++taken)],
      "no Host",
    );
    const stream = await fetch(`${cluster.centralUrl}/api/projects/${projectId}/logs`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.match(stream.headers.get("content-type") ?? "", /^text\/event-stream/);
    assert.equal(standing(stream).remaining, remaining - ++taken, "a stream");
    await stream.body?.cancel();
    const session = await PanelSession.signUp(cluster);
    for (const answer of [
      await request(cluster, undefined),
      await session.call("GET", "/projects"),
      await request(cluster, "svc_wrong"),
    ]) {
      assert.equal(answer.headers.get("ratelimit-limit"), null, "only keys have rates");
    }
  });

  test("a refusal that comes earlier in the order is told at the limit too; what comes later is not", async () => {
    await using cluster = await limitedCluster();
    const { id, key } = await cluster.createAccount({ plan: "Free", scopes: ["projects:settings"] });
    const readKey = await cluster.createKey(id, "read");
    await times(10, () => request(cluster, key));
    const codes: [code: string, more: Partial<ApiRequest>][] = [
      [
        "insufficient_permission",
        { method: "POST", path: `/api/projects/${missingId}/stop`, token: readKey },
      ],
      ["insufficient_scope", { path: "/api/account" }],
      ["api_key_not_allowed", { path: "/api/account/keys" }],
      ["rate_limit_exceeded", { path: "/api/projects/1" }],
      ["rate_limit_exceeded", { path: "/api/nothing" }],
      ["rate_limit_exceeded", { method: "PATCH", body: "x" }],
      ["rate_limit_exceeded", { method: "POST", path: "/api/projects", headers: multipartType, body: "x" }],
      ["rate_limit_exceeded", {}],
    ];
    for (const [code, more] of codes) {
      const answer = await request(cluster, key, more);
      assert.equal(answer.code, code);
      assert.equal(standing(answer).remaining, 0);
    }
    cluster.clock.advance(minuteMs);
    assert.equal(standing(await request(cluster, key)).remaining, 9);
  });

  test("a change of plan applies to the next request", async () => {
    await using cluster = await limitedCluster();
    const { id, key } = await cluster.createAccount({ plan: "Free" });
    assert.equal(tally(await times(12, () => request(cluster, key)))["429 rate_limit_exceeded"], 2);
    await cluster.admin.changePlan({ accountId: id, body: { plan: "Block" } });
    const raised = await request(cluster, key);
    assert.deepEqual([raised.status, standing(raised).limit, standing(raised).remaining], [404, 30, 19]);
    await cluster.admin.changePlan({ accountId: id, body: { plan: "Free" } });
    const lowered = await request(cluster, key);
    assert.deepEqual(
      [lowered.code, standing(lowered).limit, standing(lowered).remaining],
      ["rate_limit_exceeded", 10, 0],
    );
  });

  test("a restart of central forgets no request of the minute nor of the day", async () => {
    await using cluster = await clusterWithDay(14);
    const { key } = await cluster.createAccount({ plan: "Free" });
    await times(7, () => request(cluster, key));
    await restart(cluster);
    assert.equal(standing(await request(cluster, key)).remaining, 2, "the minute's");
    cluster.clock.advance(minuteMs);
    await restart(cluster);
    assert.deepEqual(tally(await times(50, () => request(cluster, key))), {
      "404 not_found": 6,
      "429 rate_limit_exceeded": 44,
    });
    cluster.clock.advance(dayMs);
    await restart(cluster);
    assert.equal(standing(await request(cluster, key)).remaining, 9);
  });

  test("what was counted is written within seconds, for the case of a crash", async () => {
    await using cluster = await limitedCluster();
    const { id, key } = await cluster.createAccount({ plan: "Free" });
    await times(4, () => request(cluster, key));
    const { db } = cluster.central.app;
    const row = await until(
      () => db.selectFrom("rate_window").selectAll().where("account_id", "=", id).executeTakeFirst(),
      {
        timeoutMs: 20_000,
      },
    );
    assert.deepEqual([row.minute_used, row.day_used], [4, 4]);
  });
});

async function restart(cluster: TestCluster): Promise<void> {
  await cluster.stopCentral();
  await cluster.startCentral();
}

async function createProject(cluster: TestCluster, key: string): Promise<{ id: string }> {
  const body = uploadBody(
    await zipOf({ "svc.json": JSON.stringify({ language: "node", command: "sim run" }) }),
  );
  const answer = await request(cluster, key, {
    method: "POST",
    path: "/api/projects",
    headers: multipartType,
    body,
  });
  assert.equal(answer.status, 201, answer.text);
  return (answer.json as { project: { id: string } }).project;
}
