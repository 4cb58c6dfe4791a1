/** Defines the cases of "Limits". Time is moved by the cluster's clock, never waited for. */

import assert from "node:assert/strict";
import type { ApiAnswer } from "../../support/requests/api-request.ts";
import type { Chapter, ConformanceCase } from "../conformance-case.ts";
import { assertRefused, bot, page, SpecClient, unknownId } from "../spec-client.ts";
import type { RowId } from "../spec-rows.ts";
import { accountOn, askForKey, makeKey, personOn } from "../spec-world.ts";

const rates = [
  ["Free", 10, 5_000],
  ["Block", 30, 43_200],
  ["Stack", 60, 86_400],
  ["Tower", 120, 172_800],
  ["Fortress", 180, 259_200],
  ["Empresas", 240, 345_600],
] as const;

interface RateHeaders {
  limit: number;
  remaining: number;
  resetSeconds: number;
  policy: string | null;
}

function rateHeaders({ headers }: ApiAnswer): RateHeaders {
  const whole = (name: string) => {
    assert.match(headers.get(name) ?? "", /^\d+$/, name);
    return Number(headers.get(name));
  };
  return {
    limit: whole("ratelimit-limit"),
    remaining: whole("ratelimit-remaining"),
    resetSeconds: whole("ratelimit-reset"),
    policy: headers.get("ratelimit-policy"),
  };
}

const rateCases = rates.map(([plan, perMinute, perDay]): ConformanceCase => ({
  rows: [`rate.${plan}` satisfies RowId],
  title: `${plan} has exactly ${perMinute} requests per minute and ${perDay} per day`,
  async show(world) {
    await using cluster = await world.limited({ hosts: 0 });
    const { client } = await accountOn(cluster, { plan });
    const burst = await Promise.all(Array.from({ length: perMinute + 5 }, () => client.get("/projects")));
    const counts = Object.groupBy(burst, ({ status }) => String(status));
    assert.deepEqual([counts["200"]?.length, counts["429"]?.length], [perMinute, 5]);
    for (const answer of burst) {
      const { limit, remaining, policy } = rateHeaders(answer);
      assert.deepEqual([limit, policy], [perMinute, `${perMinute};w=60, ${perDay};w=86400`]);
      assert.ok(remaining < perMinute);
    }
    cluster.clock.advance(60_000);
    assert.equal((await client.get("/projects")).status, 200);
  },
}));

export const limits: Chapter = {
  title: "Limits",
  concurrency: 2,
  cases: [
    ...rateCases,
    {
      rows: ["rate.counted"],
      title: "all keys of an account count together, and those of another account apart",
      async show(world) {
        await using cluster = await world.limited({ hosts: 0 });
        const [{ id, client }, { client: other }] = [
          await accountOn(cluster, { plan: "Free" }),
          await accountOn(cluster, { plan: "Free" }),
        ];
        const second = new SpecClient(client.centralUrl, await cluster.createKey(id, "read"));
        for (let count = 0; count < 5; count++) {
          assert.equal((await client.get("/projects")).status, 200);
          assert.equal((await second.get("/projects")).status, 200);
        }
        for (const each of [client, second])
          assertRefused(await each.get("/projects"), 429, "rate_limit_exceeded");
        assert.equal((await other.get("/projects")).status, 200);
      },
    },
    {
      rows: ["rate.over", "error.rate_limit_exceeded", "error.retry_after"],
      title:
        "over the limit is rate_limit_exceeded until Retry-After has passed, by the minute and by the day",
      async show(world) {
        await using cluster = await world.limited({ hosts: 0 });
        const { client } = await accountOn(cluster, { plan: "Free" });
        let served = 0;
        while (served < 5_000) {
          const answer = await client.get("/projects");
          if (answer.status === 200) served++;
          else {
            assertRefused(answer, 429, "rate_limit_exceeded");
            const seconds = Number(answer.headers.get("retry-after"));
            assert.ok(seconds >= 1 && seconds <= 60, String(seconds));
            cluster.clock.advance(seconds * 1_000);
          }
        }
        cluster.clock.advance(60_000);
        const answer = await client.get("/projects");
        assertRefused(answer, 429, "rate_limit_exceeded");
        const { limit, remaining, resetSeconds } = rateHeaders(answer);
        assert.deepEqual([limit, remaining], [5_000, 0], "the day is the tightest window");
        const retryAfter = Number(answer.headers.get("retry-after"));
        assert.ok(
          retryAfter > 60 && retryAfter <= 86_400 && Math.abs(retryAfter - resetSeconds) <= 1,
          String(retryAfter),
        );
        cluster.clock.advance(retryAfter * 1_000);
        assert.equal((await client.get("/projects")).status, 200);
      },
    },
    {
      rows: [
        "header.RateLimit-Limit",
        "header.RateLimit-Remaining",
        "header.RateLimit-Reset",
        "header.RateLimit-Policy",
      ],
      title: "every answer to a valid key has the four headers, whatever it is, and no other answer has",
      async show(world) {
        await using cluster = await world.limited();
        const { id: accountId, client } = await accountOn(cluster, { plan: "Stack" });
        const { id } = await client.create(bot);
        const reader = new SpecClient(client.centralUrl, await cluster.createKey(accountId, "read"));
        const answers = {
          list: await client.get("/projects"),
          "not found": await client.get(`/projects/${unknownId}`),
          "malformed id": await client.get("/projects/1"),
          "wrong lines": await client.get(`/projects/${id}/logs?lines=1001`),
          "no permission": await reader.post(`/projects/${id}/start`),
          "no scope": await reader.get(`/projects/${id}/variables`),
          "panel only": await client.delete(`/projects/${id}`),
          "wrong body": await client.patch(id, {}),
          "wrong type": await client.raw("PATCH", `/projects/${id}`, "x", { "content-type": "text/plain" }),
          "too soon": await client.upload("/projects", bot),
          logs: await client.get(`/projects/${id}/logs?follow=false`),
          "no such route": await client.get("/nothing"),
          "no address": await client.get("/projects/%ZZ"),
          "too large": await client.patch(id, { name: "x".repeat(2 * 1024 * 1024) }),
          description: await client.get("/openapi.json"),
        };
        let left = 60;
        for (const [what, answer] of Object.entries(answers)) {
          const { limit, remaining, resetSeconds, policy } = rateHeaders(answer);
          assert.deepEqual([what, limit, policy], [what, 60, "60;w=60, 86400;w=86400"]);
          assert.ok(
            remaining < left || what === "no scope" || what === "panel only",
            `${what}: ${remaining} of ${left} left`,
          );
          assert.ok(resetSeconds >= 0 && resetSeconds <= 60, what);
          left = remaining;
        }
        const stream = await fetch(`${client.centralUrl}/api/projects/${id}/logs`, {
          headers: { authorization: `Bearer ${client.key}` },
        });
        assert.match(stream.headers.get("ratelimit-limit") ?? "", /^\d+$/);
        await stream.body?.cancel();
        for (const secret of [undefined, "svc_wrong"]) {
          const { headers } = await new SpecClient(client.centralUrl, secret).get("/projects");
          assert.equal(headers.get("ratelimit-limit"), null);
        }
      },
    },
    {
      rows: ["limit.upload", "upload.limits"],
      title:
        "an account uploads once per 3 seconds, create and new code together, and at most its plan's size",
      async show(world) {
        await using cluster = await world.limited();
        const [{ client }, { client: other }] = [
          await accountOn(cluster, { plan: "Free" }),
          await accountOn(cluster, { plan: "Free" }),
        ];
        const { id } = await client.create(bot);
        for (const path of ["/projects", `/projects/${id}/code`]) {
          const answer = await client.upload(path, bot);
          assertRefused(answer, 429, "too_many_requests");
          assert.ok(Number(answer.headers.get("retry-after")) <= 3);
        }
        await other.create(bot);
        cluster.clock.advance(3_000);
        await client.create(bot);
        cluster.clock.advance(3_000);
        const large = await client.uploadZip("/projects", new Uint8Array(51 * 1024 * 1024));
        assertRefused(large, 413, "invalid_zip", { limitMb: 50 });
      },
    },
    {
      rows: ["limit.keys", "auth.5"],
      title: "an account has at most 10 keys; the list shows how each begins and when it was last used",
      async show(world) {
        await using cluster = await world.limited({ hosts: 0 });
        const { panel, key, client } = await personOn(cluster);
        for (let count = 1; count < 10; count++)
          await makeKey(panel, { level: "read", name: `key ${count}` });
        const eleventh = await askForKey(panel, { level: "read" });
        assert.ok(eleventh.status >= 400, eleventh.text);
        assert.equal(eleventh.headers.get("content-type")?.startsWith("application/json"), true);
        await client.get("/projects");
        const { keys } = (await panel.call("GET", "/account/keys")).json as {
          keys: { id: string; prefix: string; lastUsedAt: string | null }[];
        };
        assert.equal(keys.length, 10);
        const used = keys.find(({ id }) => id === key.id);
        assert.ok(key.secret.startsWith(used?.prefix ?? "?") && used?.prefix !== key.secret, used?.prefix);
        assert.match(used?.lastUsedAt ?? "", /Z$/);
        assert.equal(keys.filter(({ lastUsedAt }) => lastUsedAt === null).length, 9);
        await panel.call("DELETE", `/account/keys/${key.id}`);
        await makeKey(panel, { level: "read" });
      },
    },
    {
      rows: ["limit.wrong_keys", "error.too_many_attempts"],
      title:
        "10 wrong keys within 10 minutes block wrong keys from there for 15; a right key passes all the time",
      async show(world) {
        await using cluster = await world.limited({ hosts: 0 });
        const { client } = await accountOn(cluster, { plan: "Empresas" });
        const stranger = new SpecClient(cluster.centralUrl, `svc_${"x".repeat(43)}`);
        const wrong = () => stranger.get("/projects");
        for (let count = 0; count < 9; count++) assertRefused(await wrong(), 401, "invalid_api_key");
        cluster.clock.advance(10 * 60_000);
        for (let count = 0; count < 10; count++) assertRefused(await wrong(), 401, "invalid_api_key");
        const blocked = await wrong();
        assertRefused(blocked, 429, "too_many_attempts");
        const seconds = Number(blocked.headers.get("retry-after"));
        assert.ok(seconds > 14 * 60 && seconds <= 15 * 60, String(seconds));
        assert.equal((await client.get("/projects")).status, 200, "a right key passes");
        const pretender = await new SpecClient(cluster.centralUrl, stranger.key).get("/projects", {
          "x-forwarded-for": "203.0.113.7",
        });
        assertRefused(pretender, 429, "too_many_attempts");
        cluster.clock.advance(15 * 60_000 + 1_000);
        assertRefused(await wrong(), 401, "invalid_api_key");
      },
    },
    {
      rows: ["limit.subdomain", "error.invalid_subdomain"],
      title: "a subdomain has 3 to 32 lowercase letters, digits and hyphens, none at the ends",
      async show(world) {
        const client = await world.client({ plan: "Empresas" });
        for (const subdomain of ["abc", "a".repeat(32), "a-1", "0-0"]) {
          assert.equal((await client.create({ ...page, subdomain })).subdomain, subdomain);
        }
        for (const subdomain of [
          "ab",
          "a".repeat(33),
          "-abc",
          "abc-",
          "Shop",
          "a.b",
          "a_b",
          "ação",
          "",
          "a b",
        ]) {
          assertRefused(await client.upload("/projects", { ...page, subdomain }), 422, "invalid_subdomain", {
            field: "subdomain",
          });
        }
      },
    },
  ],
};
