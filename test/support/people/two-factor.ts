/** Sets up people with a second factor, and browsers that owe its code. */

import assert from "node:assert/strict";
import type { TOTP } from "otpauth";
import { authenticatorOf } from "./authenticator.ts";
import { PanelSession } from "./panel.ts";
import type { TestCluster } from "../cluster/test-cluster.ts";

/** Milliseconds for which an authenticator shows a code. */
export const stepMs = 30_000;

export interface TwoFactorPerson {
  ana: PanelSession;
  totp: TOTP;
  /** Returns the code at the cluster's time. */
  code: () => string;
  recoveryCodes: string[];
}

/** Sets up a person with a confirmed authenticator, whose time moves on so that each code is a new one. */
export async function withTwoFactor(cluster: TestCluster): Promise<TwoFactorPerson> {
  const ana = await PanelSession.signUp(cluster);
  const { uri, recoveryCodes } = await ana.client.beginTwoFactor({ body: { password: ana.password } });
  const totp = authenticatorOf(uri);
  const code = () => totp.generate({ timestamp: cluster.clock.now() });
  await ana.client.confirmTwoFactor({ body: { code: code() } });
  cluster.clock.advance(2 * stepMs);
  return { ana, totp, code, recoveryCodes };
}

/** Returns a browser that gave the right password and owes a code. */
export async function challenged(
  ana: PanelSession,
  headers: Record<string, string> = {},
): Promise<PanelSession> {
  const browser = new PanelSession(ana.centralUrl, { ...ana.headers, ...headers });
  const answer = await browser.client.signIn({ body: { email: ana.email, password: ana.password } });
  assert.equal(answer.isTwoFactorRequired, true);
  return browser;
}
