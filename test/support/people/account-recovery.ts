/** Sets up a person who loses a password, and the ways back: the mailed link, and the sign-in after it. */

import assert from "node:assert/strict";
import type { ApiAnswer } from "../requests/api-request.ts";
import type { Mailbox } from "./mailbox.ts";
import { PanelSession } from "./panel.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

export const newPassword = "outra senha bem comprida";
/** Part of a mailed link's address after the panel's own. */
export const resetPage = "/password/reset?token=";

export async function personWithKey(cluster: TestCluster): Promise<{ ana: PanelSession; key: string }> {
  const ana = await PanelSession.signUp(cluster);
  const { secret } = await ana.client.createKey({
    body: { name: "ci", level: "write", password: ana.password },
  });
  assert.equal((await ana.call("GET", "/projects", { token: secret })).status, 200);
  return { ana, key: secret };
}

export async function forgottenToken(ana: PanelSession, mailbox: Mailbox): Promise<string> {
  await ana.client.requestPasswordReset({ body: { email: ana.email } });
  return mailbox.takeToken(ana.email, resetPage);
}

/** Resets the password as the holder of the link. */
export function resetPassword(
  { centralUrl }: Pick<TestCluster, "centralUrl">,
  token: string,
  password = newPassword,
): Promise<ApiAnswer> {
  return new PanelSession(centralUrl).call("POST", "/password/reset", { json: { token, password } });
}

/** Signs in with a new browser that looks like the person's own. */
export function signIn({ centralUrl, email }: PanelSession, password: string): Promise<ApiAnswer> {
  return new PanelSession(centralUrl).call("POST", "/sign-in", { json: { email, password } });
}
