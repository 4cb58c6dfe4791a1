/** Checks the answers of browsers that used a passkey, and counts those that are wrong. */

import { AppError, type UsedCredential } from "@tijolo/protocol";
import { transact, type Transaction } from "../../../store/store.ts";
import {
  findPasskey,
  findPasskeyByCredential,
  notePasskeyUse,
  type PasskeyRow,
} from "../../../store/tables/people/passkey.ts";
import type { AttemptCount } from "../../limits/attempts.ts";
import type { PeopleContext } from "../people-context.ts";
import { checkUsedCredential, isOwner, type Ceremony } from "./passkey-ceremony.ts";

export interface PasskeyAnswer {
  credential: UsedCredential;
  ceremony: Ceremony;
  /** The only person whose passkey counts; null for whoever it belongs to. */
  personId: string | null;
}

/**
 * Calls `then` with the passkey of a right answer, in the transaction that notes its use. Throws
 * `too_many_attempts`, or `invalid_passkey`, the same for an unknown passkey and a wrong answer.
 */
export async function withUsedPasskey<Result>(
  app: PeopleContext,
  answer: PasskeyAnswer,
  counts: readonly AttemptCount[],
  then: (tx: Transaction, passkey: PasskeyRow) => Promise<Result>,
): Promise<Result> {
  let used: { result: Result } | undefined;
  let refusal: AppError | undefined;
  await app.attempts.guess(counts, async () => {
    try {
      used = { result: await use(app, answer, then) };
    } catch (cause) {
      if (!(cause instanceof AppError) || cause.code !== "invalid_passkey") throw cause;
      refusal = cause;
    }
    return used !== undefined;
  });
  if (used === undefined) throw refusal ?? new AppError("invalid_passkey");
  return used.result;
}

async function use<Result>(
  app: PeopleContext,
  { credential, ceremony, personId }: PasskeyAnswer,
  then: (tx: Transaction, passkey: PasskeyRow) => Promise<Result>,
): Promise<Result> {
  const passkey = await findPasskeyByCredential(app.db, credential.id);
  if (passkey === undefined || passkey.rpId !== ceremony.party.id || !isOwner(credential, passkey))
    throw new AppError("invalid_passkey");
  if (personId !== null && passkey.personId !== personId) throw new AppError("invalid_passkey");
  const checked = await checkUsedCredential(app, { credential, passkey }, ceremony);
  return transact(app.db, async (tx) => {
    const current = await findPasskey(tx, passkey.personId, passkey.id);
    // It may have been removed meanwhile, or a copy of it may have been used.
    if (current === undefined || current.counter !== passkey.counter) throw new AppError("invalid_passkey");
    await notePasskeyUse(tx, passkey.id, { ...checked, usedAt: app.clock.now() });
    return then(tx, current);
  });
}
