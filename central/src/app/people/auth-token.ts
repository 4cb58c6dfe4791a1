/**
 * Issues single-use tokens: for one purpose each, stored as a hash, used up inside the transaction of what
 * they allow.
 */

import { hash } from "node:crypto";
import type { Reader, Transaction } from "../../store/store.ts";
import {
  findVerification,
  insertVerification,
  takeVerification,
  type VerificationRow,
} from "../../store/tables/people/verification.ts";
import type { PeopleContext } from "./people-context.ts";
import { newId } from "../new-id.ts";
import { isSecret, makeSecret } from "../identity/secret.ts";

/**
 * Purposes of tokens. `password` sets a person's password, `challenge` is a sign-in that owes a second
 * factor, `not-me` reports that a sign-in was somebody else's; their subject is the person. `invitation` lets
 * somebody sign up; its subject is the plan. `sign-up` confirms an e-mail; its subject is the pending sign-up.
 * `start` makes a person who is an operator; its subject is the role.
 */
export type TokenPurpose = "password" | "challenge" | "not-me" | "invitation" | "sign-up" | "start";

/** A token, and the purpose that it is shown for: for any other it is invalid. */
export interface TokenProof {
  purpose: TokenPurpose;
  token: string;
}

export const tokenLifeMs: Record<TokenPurpose, number> = {
  password: 60 * 60_000,
  challenge: 10 * 60_000,
  "not-me": 7 * 24 * 60 * 60_000,
  invitation: 7 * 24 * 60 * 60_000,
  "sign-up": 24 * 60 * 60_000,
  start: 24 * 60 * 60_000,
};

export async function issueToken(
  app: PeopleContext,
  tx: Transaction,
  { purpose, subject }: { purpose: TokenPurpose; subject: string },
): Promise<{ token: string; expiresAt: number }> {
  const token = makeSecret("tjl_", app.random);
  const now = app.clock.now();
  const expiresAt = now + tokenLifeMs[purpose];
  await insertVerification(tx, {
    id: newId(app),
    identifier: identifierOf(purpose, token),
    value: valueOf(purpose, subject),
    expires_at: expiresAt,
    created_at: now,
    updated_at: now,
  });
  return { token, expiresAt };
}

/** Returns the subject of a token that is still valid, without using it up. */
export async function findToken(app: PeopleContext, db: Reader, { purpose, token }: TokenProof) {
  if (!isSecret("tjl_", token)) return undefined;
  return subjectOf(app, purpose, await findVerification(db, identifierOf(purpose, token)));
}

/** Returns the subject of a token that was still valid; it is used up once the transaction commits. */
export async function consumeToken(app: PeopleContext, tx: Transaction, { purpose, token }: TokenProof) {
  if (!isSecret("tjl_", token)) return undefined;
  return subjectOf(app, purpose, await takeVerification(tx, identifierOf(purpose, token)));
}

/** Returns what is stored beside a token's hash; by it, a person's tokens are revoked. */
export function valueOf(purpose: TokenPurpose, subject: string): string {
  return `${purpose} ${subject}`;
}

function identifierOf(purpose: TokenPurpose, token: string): string {
  return hash("sha256", `${purpose}:${token}`, "base64url");
}

function subjectOf(
  app: PeopleContext,
  purpose: TokenPurpose,
  found: VerificationRow | undefined,
): string | undefined {
  if (found === undefined || found.expires_at <= app.clock.now()) return undefined;
  return found.value.startsWith(`${purpose} `) ? found.value.slice(purpose.length + 1) : undefined;
}
