/**
 * Tests how many wrong keys an address may try, at both interfaces, and which address that is (spec:
 * "Authentication" 11).
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { suite, test } from "node:test";
import { errorTable } from "@tijolo/protocol";
import { assertErrorBody } from "../support/requests/assert-contract.ts";
import { CommandLine } from "../support/commands/command-line.ts";
import {
  limitedCluster,
  missingId,
  request,
  retryAfter,
  tally,
  times,
} from "../support/cluster/limited-cluster.ts";

const minuteMs = 60_000;

suite("wrong keys", { concurrency: 2 }, () => {
  const wrong = () => `svc_${randomBytes(32).toString("base64url")}`;

  test("of 50 wrong keys at once from one address ten are told so, the rest to wait; a right key still passes", async () => {
    await using cluster = await limitedCluster();
    const { key } = await cluster.createAccount();
    const answers = await times(50, () => request(cluster, wrong()));
    assert.deepEqual(tally(answers), { "401 invalid_api_key": 10, "429 too_many_attempts": 40 });
    for (const answer of answers) assertErrorBody(answer);
    for (const answer of answers.filter(({ status }) => status === 429))
      assert.ok(retryAfter(answer) > 800 && retryAfter(answer) <= 900);
    assert.equal((await request(cluster, key)).status, 404);
    assert.equal((await request(cluster, undefined)).code, "invalid_api_key", "no key is no wrong key");
    assert.equal(
      (await request(cluster, cluster.operatorToken)).code,
      "invalid_api_key",
      "nor is an operator's token",
    );
    cluster.clock.advance(15 * minuteMs);
    assert.equal((await request(cluster, wrong())).code, "invalid_api_key");
  });

  test("malformed and revoked keys count as wrong on every kind of path; requests without any key do not", async () => {
    await using cluster = await limitedCluster();
    const { id } = await cluster.createAccount();
    const revoked = await cluster.createKey(id, "read");
    await cluster.central.app.db
      .updateTable("api_key")
      .set({ revoked_at: 1 })
      .where("prefix", "=", revoked.slice(0, 12))
      .execute();
    for (let index = 0; index < 12; index++) {
      for (const headers of [{}, { authorization: "Bearer " }, { authorization: "Basic c3ZjXzoxMjM=" }]) {
        assert.equal((await request(cluster, undefined, { headers })).code, "invalid_api_key");
      }
    }
    const ten: [token: string, path: string, code: string | undefined][] = [
      [revoked, "/api/projects", "invalid_api_key"],
      ["123", "/api/projects", "invalid_api_key"],
      [`${wrong()}x`, `/api/projects/${missingId}`, "invalid_api_key"],
      [wrong(), "/api/account/keys", "invalid_api_key"],
      [wrong(), "/api/nothing", "invalid_api_key"],
      [wrong(), "/api/projects/%ZZ", "invalid_api_key"],
      [wrong(), "/api/openapi.json", undefined],
      [`tjo_${randomBytes(32).toString("base64url")}`, "/api/projects", "invalid_api_key"],
      [wrong(), "/api/projects/1/logs", "invalid_api_key"],
      [wrong(), "/api/projects", "invalid_api_key"],
    ];
    for (const [token, path, code] of ten)
      assert.equal((await request(cluster, token, { path })).code, code, path);
    assert.equal((await request(cluster, revoked)).code, "too_many_attempts");
  });

  test("wrong tokens at the operators' API count the same, and the right one passes", async () => {
    await using cluster = await limitedCluster();
    const call = (token: string) => request(cluster, token, { path: "/api/cluster/hosts" });
    const answers = await times(30, () => call(`tjo_${randomBytes(32).toString("base64url")}`));
    assert.deepEqual(tally(answers), { "401 invalid_operator_token": 10, "429 too_many_attempts": 20 });
    assert.equal((await call(cluster.operatorToken)).status, 200);
    assert.equal(
      (await request(cluster, wrong())).code,
      "too_many_attempts",
      "there is one count per address",
    );
  });

  test("the command line says what the operators' API says of too many wrong tokens", async () => {
    await using cluster = await limitedCluster();
    await times(11, () => request(cluster, wrong()));
    await using line = await CommandLine.create();
    line.environment = {
      TIJOLO_URL: cluster.centralUrl,
      TIJOLO_OPERATOR_TOKEN: `tjo_${randomBytes(32).toString("base64url")}`,
    };
    const { code, stderr } = await line.run(["cluster", "host", "list"]);
    assert.equal(code, 1);
    assert.match(stderr, new RegExp(`${errorTable.too_many_attempts.message}.*\\(too_many_attempts\\)`));
    assert.match(stderr, /15 min|900 s/, "how long to wait");
    const { stdout } = await line.run(["cluster", "host", "list", "--json"]);
    assert.match(stdout, /"code": ?"too_many_attempts"/);
  });

  test("X-Forwarded-For counts only when a configured proxy sends it", async () => {
    const from = (address: string) => ({ headers: { "x-forwarded-for": address } });
    await using open = await limitedCluster();
    for (let index = 0; index < 10; index++) await request(open, wrong(), from(`198.51.100.${index}`));
    assert.equal(
      (await request(open, wrong(), from("198.51.100.99"))).code,
      "too_many_attempts",
      "the header is nobody's word",
    );

    await using behind = await limitedCluster({
      centralSettings: { TIJOLO_TRUSTED_PROXIES: "127.0.0.1, 10.0.0.0/8" },
    });
    for (let index = 0; index < 10; index++) await request(behind, wrong(), from("203.0.113.7"));
    assert.equal((await request(behind, wrong(), from("203.0.113.7"))).code, "too_many_attempts");
    assert.equal(
      (await request(behind, wrong(), from("192.0.2.1, 203.0.113.7, 10.1.2.3"))).code,
      "too_many_attempts",
      "the last that is no proxy",
    );
    assert.equal(
      (await request(behind, wrong(), from("203.0.113.7, 198.51.100.1"))).code,
      "invalid_api_key",
      "what a client wrote itself does not count",
    );
    for (let index = 0; index < 10; index++) await request(behind, wrong(), from(`2001:db8:1:2::${index}`));
    assert.equal((await request(behind, wrong(), from("2001:db8:1:2:ffff::1"))).code, "too_many_attempts");
    assert.equal((await request(behind, wrong(), from("2001:db8:1:3::1"))).code, "invalid_api_key");
  });
});
