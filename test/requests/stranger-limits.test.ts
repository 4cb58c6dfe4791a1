/** Whatever anybody may ask for without being signed in is counted by network, whether it succeeds or not. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { operations, type OperationName } from "@tijolo/protocol";
import { apiRequest } from "../support/requests/api-request.ts";
import { limitedCluster, tally } from "../support/cluster/limited-cluster.ts";

const password = "uma senha bem comprida";
const token = `tjl_${"x".repeat(43)}`;

/** Some are counted together. */
const afterAnyBlockMs = 15 * 60_000;

/**
 * Requests that a stranger sends the n-th time; null: nothing comes of it without what another of these
 * gives, and codes count by person there; or it stores nothing, and what answers it is counted.
 */
const strangers: Partial<Record<OperationName, ((n: number) => object) | null>> = {
  signUp: (n) => ({ name: "Eva", email: `eva-${n}@example.com`, password }),
  signIn: (n) => ({ email: `ninguem-${n}@example.com`, password }),
  signInTwoFactor: null,
  requestPasswordReset: (n) => ({ email: `ninguem-${n}@example.com` }),
  resetPassword: () => ({ token, password }),
  notMeByLink: () => ({ token }),
  confirmSignUp: () => ({ token }),
  createFirstPerson: (n) => ({ token, email: `eva-${n}@example.com`, password }),
  beginPasskeySignIn: null,
  signInPasskey: () => ({
    credential: {
      id: "AQIDBA",
      rawId: "AQIDBA",
      type: "public-key",
      response: { clientDataJSON: "e30", authenticatorData: "AQID", signature: "AQID", userHandle: "AQID" },
    },
  }),
};

test("of each change that is open to anybody, one network asks for ten before it has to wait", async () => {
  const names = (Object.keys(operations) as OperationName[]).filter((name) => {
    const { access, effect } = operations[name];
    return access.kind === "public" && effect === "change";
  });
  assert.deepEqual(
    Object.keys(strangers).sort(),
    [...names].sort(),
    "every such operation of the table is here",
  );
  await using cluster = await limitedCluster({ centralSettings: { TIJOLO_SIGN_UP: "open" } });
  // Passkeys work at a name only.
  const url = `http://localhost:${new URL(cluster.centralUrl).port}`;
  for (const name of names) {
    const bodyOf = strangers[name];
    if (bodyOf == null) continue;
    const { method, path } = operations[name];
    const answers = [];
    cluster.clock.advance(afterAnyBlockMs);
    for (let n = 0; n < 12; n++) {
      const headers = { "content-type": "application/json" };
      answers.push(
        await apiRequest(url, {
          method,
          path: `/api${path}`,
          headers,
          body: JSON.stringify(bodyOf(n)),
        }),
      );
    }
    assert.equal(tally(answers)["429 too_many_attempts"], 2, `${name}: ${JSON.stringify(tally(answers))}`);
  }
});
