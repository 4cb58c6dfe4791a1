/**
 * Manages the second factor: codes of an authenticator, each valid once, and recovery codes, of which only
 * hashes are stored.
 */

import { AppError } from "@tijolo/protocol";
import { transact, type Transaction } from "../../store/store.ts";
import {
  deleteTwoFactor,
  findPerson,
  findPersonOfAccount,
  findTwoFactor,
  saveTwoFactor,
} from "../../store/tables/people/person.ts";
import { recordActivity } from "../accounts/activity.ts";
import { actorOfPerson, type Actor, type OperatorActor } from "../identity/caller.ts";
import { assertMayEnter } from "../operators/operator-person.ts";
import type { PeopleContext } from "./people-context.ts";
import { assertSamePassword, verifyPassword } from "./person.ts";
import { hashSecret } from "../identity/secret.ts";
import type { SessionCaller } from "./session.ts";
import { makeTotpSecret, stepOfCode, totpUri } from "./totp.ts";

export type SecondFactor = { code: string } | { recoveryCode: string };

/** The session that asks, and its address. */
export interface PanelRequest {
  caller: SessionCaller;
  address: string;
}

const recoveryCodeCount = 10;
/** Bytes of a recovery code, 80 bits: enough to be stored as a plain hash. */
const recoveryCodeBytes = 10;

/** Prepares a new authenticator; the one before, if any, stays valid until the new one is confirmed. */
export async function beginTwoFactor(
  app: PeopleContext,
  { caller }: PanelRequest,
  password: string,
): Promise<{ uri: string; recoveryCodes: string[] }> {
  const hash = await verifyPassword(app, caller.person.id, password);
  const secret = makeTotpSecret(app.random);
  const sealed = app.authenticators.seal(caller.person.id, secret);
  const recoveryCodes = makeRecoveryCodes(app);
  const email = await transact(app.db, async (tx) => {
    await assertSamePassword(tx, caller.person.id, hash);
    const person = await findPerson(tx, caller.person.id);
    if (person === undefined) throw new AppError("not_authenticated");
    const before = await findTwoFactor(tx, person.id);
    await saveTwoFactor(tx, person.id, {
      ...(before ?? { secret: null, recoveryCodeHashes: [], lastStep: 0 }),
      pendingSecret: sealed,
      pendingRecoveryCodeHashes: recoveryCodes.map(hashRecoveryCode),
    });
    return person.email;
  });
  return { uri: totpUri(secret, email), recoveryCodes };
}

/** Confirms the authenticator. Throws `invalid_code`, also without a prepared one, or `too_many_attempts`. */
export async function confirmTwoFactor(
  app: PeopleContext,
  { caller, address }: PanelRequest,
  code: string,
): Promise<void> {
  const isRight = await guessCode(app, caller, () =>
    transact(app.db, async (tx) => {
      const twoFactor = await findTwoFactor(tx, caller.person.id);
      if (twoFactor === undefined || twoFactor.pendingSecret === null) return false;
      const secret = app.authenticators.open(caller.person.id, twoFactor.pendingSecret);
      const step = stepOfCode(code, { secret, now: app.clock.now(), lastStep: 0 });
      if (step === undefined) return false;
      await saveTwoFactor(tx, caller.person.id, {
        secret: twoFactor.pendingSecret,
        recoveryCodeHashes: twoFactor.pendingRecoveryCodeHashes,
        lastStep: step,
        pendingSecret: null,
        pendingRecoveryCodeHashes: [],
      });
      await recordActivity(app, tx, {
        accountId: caller.account.id,
        actor: actorOfPerson(caller.person, address),
        action: "account.two_factor_on",
      });
      return true;
    }),
  );
  if (!isRight) throw new AppError("invalid_code");
}

export async function endTwoFactor(
  app: PeopleContext,
  { caller, address }: PanelRequest,
  password: string,
): Promise<void> {
  const hash = await verifyPassword(app, caller.person.id, password);
  await transact(app.db, async (tx) => {
    await assertSamePassword(tx, caller.person.id, hash);
    await turnOff(app, tx, {
      personId: caller.person.id,
      accountId: caller.account.id,
      actor: actorOfPerson(caller.person, address),
    });
  });
}

/**
 * Does as {@link endTwoFactor}, for an operator. Throws `not_found` for an account without a person, and
 * `insufficient_role` for a person with a role above the operator's own.
 */
export function endTwoFactorFor(
  app: PeopleContext,
  operator: OperatorActor,
  accountId: string,
): Promise<{ wasOn: boolean }> {
  return transact(app.db, async (tx) => {
    const person = await findPersonOfAccount(tx, accountId);
    if (person === undefined) throw new AppError("not_found");
    await assertMayEnter(tx, operator, person.id);
    return { wasOn: await turnOff(app, tx, { personId: person.id, accountId, actor: operator }) };
  });
}

/** Turns the second factor off; returns whether it was on. */
async function turnOff(
  app: PeopleContext,
  tx: Transaction,
  { personId, accountId, actor }: { personId: string; accountId: string; actor: Actor },
): Promise<boolean> {
  const before = await findTwoFactor(tx, personId);
  await deleteTwoFactor(tx, personId);
  if (before === undefined || before.secret === null) return false;
  await recordActivity(app, tx, { accountId, actor, action: "account.two_factor_off" });
  return true;
}

/** Makes new recovery codes; the earlier ones end. Throws `not_found` without a second factor. */
export async function renewRecoveryCodes(
  app: PeopleContext,
  { caller, address }: PanelRequest,
  password: string,
): Promise<string[]> {
  const hash = await verifyPassword(app, caller.person.id, password);
  const recoveryCodes = makeRecoveryCodes(app);
  await transact(app.db, async (tx) => {
    await assertSamePassword(tx, caller.person.id, hash);
    const twoFactor = await findTwoFactor(tx, caller.person.id);
    if (twoFactor === undefined || twoFactor.secret === null) throw new AppError("not_found");
    await saveTwoFactor(tx, caller.person.id, {
      ...twoFactor,
      recoveryCodeHashes: recoveryCodes.map(hashRecoveryCode),
    });
    await recordActivity(app, tx, {
      accountId: caller.account.id,
      actor: actorOfPerson(caller.person, address),
      action: "account.recovery_codes",
    });
  });
  return recoveryCodes;
}

/** True when the factor is right; if so, it is used up with the transaction. */
export async function useSecondFactor(
  app: PeopleContext,
  tx: Transaction,
  { personId, factor }: { personId: string; factor: SecondFactor },
): Promise<boolean> {
  const twoFactor = await findTwoFactor(tx, personId);
  if (twoFactor === undefined || twoFactor.secret === null) return false;
  if ("recoveryCode" in factor) {
    const hash = hashRecoveryCode(factor.recoveryCode);
    if (!twoFactor.recoveryCodeHashes.includes(hash)) return false;
    await saveTwoFactor(tx, personId, {
      ...twoFactor,
      recoveryCodeHashes: twoFactor.recoveryCodeHashes.filter((other) => other !== hash),
    });
    return true;
  }
  const secret = app.authenticators.open(personId, twoFactor.secret);
  const step = stepOfCode(factor.code, { secret, now: app.clock.now(), lastStep: twoFactor.lastStep });
  if (step === undefined) return false;
  await saveTwoFactor(tx, personId, { ...twoFactor, lastStep: step });
  return true;
}

function guessCode(
  app: PeopleContext,
  { person }: SessionCaller,
  isRight: () => Promise<boolean>,
): Promise<boolean> {
  return app.attempts.guess([{ key: `new code ${person.id}`, limit: app.limits.wrongAttempts }], isRight);
}

/** Makes codes like `ABCDE-12345-…`: hexadecimal digits in fives, easy to type. */
function makeRecoveryCodes({ random }: Pick<PeopleContext, "random">): string[] {
  return Array.from({ length: recoveryCodeCount }, () =>
    (Buffer.from(random(recoveryCodeBytes)).toString("hex").match(/.{5}/g) ?? []).join("-"),
  );
}

/** Hashes a code as it may be typed: capital letters, spaces and hyphens do not matter. */
function hashRecoveryCode(code: string): string {
  return hashSecret(code.toLowerCase().replace(/[^0-9a-f]/g, ""));
}
