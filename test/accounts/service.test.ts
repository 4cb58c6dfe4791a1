/** `GET /service`: what the service offers, before anybody has an account. */

import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { service as serviceSchema, type Service } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { TestCluster } from "../support/cluster/test-cluster.ts";

/** Passkeys need the panel's own name: by a bare address there are none. */
const passkeys = [
  "beginPasskeySignIn",
  "signInPasskey",
  "beginPasskeyConfirmation",
  "confirmSessionByPasskey",
  "beginPasskey",
  "addPasskey",
];

async function readService(cluster: TestCluster, headers: Record<string, string> = {}) {
  const answer = await apiRequest(cluster.centralUrl, { method: "GET", path: "/api/service", headers });
  assert.equal(answer.status, 200);
  return { ...answer, service: serviceSchema.parse(answer.json) satisfies Service };
}

suite("the service", () => {
  test("tells anybody its plans, limits and what is off, and may be cached for a moment", async () => {
    await using cluster = await TestCluster.create({ hosts: 0, hasRealLimits: true });
    const { service, headers } = await readService(cluster);
    assert.equal(headers.get("cache-control"), "max-age=30");
    assert.deepEqual([service.signUp, service.hasMail], ["invitation", false]);
    assert.match(service.siteUrlPattern, /^http:\/\/\*\.localhost:\d+\/$/);
    assert.deepEqual(service.plans.map(({ name, zipMb }) => [name, zipMb])[0], ["Free", 50]);
    assert.equal(service.limits.variablesBytes, 32 * 1024);
    assert.deepEqual(service.lengths["projectName"], { least: 1, most: 40 });
    assert.deepEqual(service.featuresOff, ["requestPasswordReset", "notMeByLink", ...passkeys]);
    assert.match(service.build.central, /^\d+\.\d+\.\d+$/);
  });

  test("shows sign-up and mail as the operator has set them up", async () => {
    const centralSettings = {
      TIJOLO_SIGN_UP: "closed",
      TIJOLO_SMTP_URL: "smtp://127.0.0.1:9",
      TIJOLO_MAIL_FROM: "tijolo@example.com",
    };
    await using cluster = await TestCluster.create({ hosts: 0, centralSettings });
    const { service } = await readService(cluster);
    assert.deepEqual(
      [service.signUp, service.hasMail, service.featuresOff],
      ["closed", true, ["signUp", ...passkeys]],
    );
  });

  test("costs a stranger nothing of a rate, and a key one request", async () => {
    await using cluster = await TestCluster.create({ hosts: 0, hasRealLimits: true });
    for (let count = 0; count < 50; count++) await readService(cluster);
    const owner = await cluster.createAccount({ plan: "Free" });
    const { headers } = await readService(cluster, { authorization: `Bearer ${owner.key}` });
    assert.equal(headers.get("ratelimit-remaining"), "9");
  });
});
