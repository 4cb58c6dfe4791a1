/**
 * Changes a password: for a person who is signed in, or by a link from a mail or an operator; also handles a
 * reported sign-in or change that the person did not make.
 */

import { AppError } from "@tijolo/protocol";
import { transact, type Transaction } from "../../store/store.ts";
import {
  clearPassword,
  findPerson,
  findPersonByEmail,
  forgetSignInPlaces,
  type PersonRow,
} from "../../store/tables/people/person.ts";
import { deletePasskeys } from "../../store/tables/people/passkey.ts";
import { deleteSessions } from "../../store/tables/people/session.ts";
import { deleteVerifications } from "../../store/tables/people/verification.ts";
import { recordActivity } from "../accounts/activity.ts";
import { consumeToken, findToken, issueToken, valueOf, type TokenProof } from "./auth-token.ts";
import { actorOfPerson, type Actor } from "../identity/caller.ts";
import { networkOf } from "../identity/client-network.ts";
import type { PeopleContext } from "./people-context.ts";
import { revokeAllKeys } from "./key.ts";
import { passwordResetMail } from "./mail-texts.ts";
import type { Message } from "./mail.ts";
import { assertSamePassword, revokeTokens, setPassword, verifyPassword } from "./person.ts";
import type { PanelRequest } from "./two-factor.ts";

/** Changes the password and ends the person's other sessions. Throws `wrong_password`. */
export async function changePassword(
  app: PeopleContext,
  { caller, address }: PanelRequest,
  { currentPassword, newPassword }: { currentPassword: string; newPassword: string },
): Promise<void> {
  const personId = caller.person.id;
  const current = await verifyPassword(app, personId, currentPassword);
  const hash = await app.passwords.hash(newPassword);
  await transact(app.db, async (tx) => {
    await assertSamePassword(tx, personId, current);
    await setPassword(app, tx, { personId, hash });
    const endedSessions = await deleteSessions(tx, personId, caller.session.id);
    tx.wake(`account:${caller.account.id}`);
    const actor = actorOfPerson(caller.person, address);
    await recordActivity(app, tx, {
      accountId: caller.account.id,
      actor,
      action: "account.password_change",
      after: { endedSessions },
    });
  });
}

/**
 * Mails a link, if the e-mail belongs to a person. The caller does not wait for it: neither the answer nor
 * its time shows whether it does. Throws `too_many_attempts` for an address that asks too often.
 */
export async function requestPasswordReset(
  app: PeopleContext,
  email: string,
  address: string,
): Promise<void> {
  countAsking(app, `reset from ${networkOf(address)}`);
  app.mail.post(async () => {
    const person = await findPersonByEmail(app.db, email);
    if (person === undefined || !mayAsk(app, `reset of ${person.id}`)) return null;
    const actor = actorOfPerson(person, address);
    return resetMail(app, person, (tx) =>
      recordActivity(app, tx, {
        accountId: person.accountId,
        actor,
        action: "account.password_reset_request",
      }),
    );
  });
}

/**
 * Sets the password by a link; ends all sessions and revokes all keys. Throws `invalid_link` or
 * `too_many_attempts`.
 */
export async function resetPassword(
  app: PeopleContext,
  input: { token: string; password: string },
  address: string,
): Promise<void> {
  const proof = { purpose: "password", token: input.token } as const;
  await guessToken(app, proof, address);
  const hash = await app.passwords.hash(input.password, () => assertToken(app, proof));
  await transact(app.db, async (tx) => {
    const person = await personOfToken(app, tx, proof);
    const actor = actorOfPerson(person, address);
    await setPassword(app, tx, { personId: person.id, hash });
    await deleteVerifications(tx, [valueOf("not-me", person.id)]);
    const { accountId } = person;
    await recordActivity(app, tx, {
      accountId,
      actor,
      action: "account.password_reset",
      after: await shutOut(app, tx, person, actor),
    });
  });
}

/**
 * Handles a report that somebody else was signed in: ends everything that gives access, the present password
 * too; the way back is a link.
 */
export async function notMe(app: PeopleContext, { caller, address }: PanelRequest): Promise<void> {
  const person = await transact(app.db, async (tx) => {
    const person = await findPerson(tx, caller.person.id);
    if (person === undefined) throw new AppError("not_authenticated");
    await closeEverything(app, tx, person, actorOfPerson(caller.person, address));
    return person;
  });
  afterNotMe(app, person);
}

/** Does what {@link notMe} does, by the link of a mail. Throws `invalid_link` or `too_many_attempts`. */
export async function notMeByLink(app: PeopleContext, token: string, address: string): Promise<void> {
  const proof = { purpose: "not-me", token } as const;
  await guessToken(app, proof, address);
  const person = await transact(app.db, async (tx) => {
    const person = await personOfToken(app, tx, proof);
    await closeEverything(app, tx, person, actorOfPerson(person, address));
    return person;
  });
  afterNotMe(app, person);
}

async function closeEverything(
  app: PeopleContext,
  tx: Transaction,
  person: PersonRow,
  actor: Actor,
): Promise<void> {
  await clearPassword(tx, person.id);
  await revokeTokens(tx, person.id);
  await forgetSignInPlaces(tx, person.id);
  await deleteVerifications(tx, [valueOf("not-me", person.id)]);
  const { accountId } = person;
  await recordActivity(app, tx, {
    accountId,
    actor,
    action: "account.not_me",
    after: await shutOut(app, tx, person, actor),
  });
}

/** Ends all sessions, revokes all keys and removes all passkeys; returns how many. */
async function shutOut(
  app: PeopleContext,
  tx: Transaction,
  { id, accountId }: PersonRow,
  actor: Actor,
): Promise<{ endedSessions: number; revokedKeys: number; removedPasskeys: number }> {
  tx.wake(`account:${accountId}`);
  return {
    endedSessions: await deleteSessions(tx, id, null),
    revokedKeys: await revokeAllKeys(app, tx, accountId, actor),
    removedPasskeys: await deletePasskeys(tx, id),
  };
}

function afterNotMe(app: PeopleContext, person: PersonRow): void {
  app.mail.post(() => resetMail(app, person, async () => {}));
}

/** Returns the mail; null, with a line in the log, where no mail can be sent: an operator then issues it. */
async function resetMail(
  app: PeopleContext,
  person: PersonRow,
  record: (tx: Transaction) => Promise<void>,
): Promise<Message | null> {
  const token = await transact(app.db, async (tx) => {
    await record(tx);
    return app.mail.isConfigured
      ? (await issueToken(app, tx, { purpose: "password", subject: person.id })).token
      : null;
  });
  if (token !== null) return passwordResetMail({ to: person.email, link: passwordLink(app, token) });
  app.logger.warn(
    { accountId: person.accountId },
    "a person needs a link to set a password, and no mail server is configured; an operator can issue one",
  );
  return null;
}

export function passwordLink(app: PeopleContext, token: string): string {
  return `${app.panel.url()}/password/reset?token=${token}`;
}

/** Checks as {@link assertToken} does, and counts wrong tokens by address. */
export async function guessToken(app: PeopleContext, proof: TokenProof, address: string): Promise<void> {
  const counts = [{ key: `link ${networkOf(address)}`, limit: app.limits.wrongAttempts }];
  if (!(await app.attempts.guess(counts, () => isLiving(app, proof)))) throw new AppError("invalid_link");
}

/** Throws unless the token is valid. It runs before anything slow; the token is used up with the effect. */
async function assertToken(app: PeopleContext, proof: TokenProof): Promise<void> {
  if (!(await isLiving(app, proof))) throw new AppError("invalid_link");
}

async function isLiving(app: PeopleContext, proof: TokenProof): Promise<boolean> {
  return (await findToken(app, app.db, proof)) !== undefined;
}

async function personOfToken(app: PeopleContext, tx: Transaction, proof: TokenProof): Promise<PersonRow> {
  const personId = await consumeToken(app, tx, proof);
  const person = personId === undefined ? undefined : await findPerson(tx, personId);
  if (person === undefined) throw new AppError("invalid_link");
  return person;
}

/** Counts a request for a mail; each counts, as none is right or wrong. Throws `too_many_attempts`. */
function countAsking(app: PeopleContext, key: string): void {
  app.attempts.noteWrong({ key, limit: app.limits.wrongAttempts });
}

/** Counts a request too; returns false instead of throwing, because its caller is no longer waiting. */
export function mayAsk(app: PeopleContext, key: string): boolean {
  try {
    countAsking(app, key);
    return true;
  } catch (cause) {
    if (cause instanceof AppError && cause.code === "too_many_attempts") return false;
    throw cause;
  }
}
