/**
 * Signs people in: the password, a second factor where there is one, and a notice when it happens from
 * somewhere new.
 */

import { AppError, type SignedIn } from "@tijolo/protocol";
import { findAccount } from "../../store/tables/accounts/account.ts";
import { transact, type Transaction } from "../../store/store.ts";
import {
  findPasswordHash,
  findPerson,
  findPersonByEmail,
  listSignInPlaces,
  saveSignInPlace,
  type PersonRow,
} from "../../store/tables/people/person.ts";
import type { SessionRow } from "../../store/tables/people/session.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { AttemptCount } from "../limits/attempts.ts";
import { consumeToken, findToken, issueToken } from "./auth-token.ts";
import { actorOfPerson } from "../identity/caller.ts";
import { networkOf } from "../identity/client-network.ts";
import type { PeopleContext } from "./people-context.ts";
import { newSignInMail } from "./mail-texts.ts";
import { isSamePassword } from "./person.ts";
import { startSession, viewSignedIn, withRole, type Client } from "./session.ts";
import { useSecondFactor, type SecondFactor } from "./two-factor.ts";

/** A session that has begun: its secret for the cookie, and its person. */
export interface Entered {
  token: string;
  answer: SignedIn;
}

export type SignInResult = ({ kind: "entered" } & Entered) | { kind: "challenge"; token: string };

const keptPlaces = 20;
/**
 * Factor by which the limit over all addresses together exceeds that of one: an attack from many addresses is
 * stopped all the same.
 */
const passwordFactor = 10;
const codeFactor = 2;

/**
 * Signs in. Throws `invalid_credentials`, the same for an unknown e-mail and a wrong password and after as
 * much work, or `too_many_attempts`.
 */
export async function signIn(
  app: PeopleContext,
  { email, password }: { email: string; password: string },
  client: Client,
): Promise<SignInResult> {
  const person = await findPersonByEmail(app.db, email);
  const hash = person === undefined ? null : await findPasswordHash(app.db, person.id);
  const counts = await countsOf(app, client, { key: `password ${email}`, factor: passwordFactor, person });
  const isRight = await app.attempts.guess(counts, () => app.passwords.verify(hash, password));
  if (!isRight || person === undefined || hash === null) throw new AppError("invalid_credentials");
  const result = await transact(app.db, async (tx): Promise<() => SignInResult> => {
    // Hashing is slow: the password may be another by now, and a second factor may be on.
    const current = await findPerson(tx, person.id);
    if (current === undefined || !(await isSamePassword(tx, person.id, hash)))
      throw new AppError("invalid_credentials");
    if (current.hasTwoFactor) {
      const { token } = await issueToken(app, tx, { purpose: "challenge", subject: person.id });
      return () => ({ kind: "challenge", token });
    }
    const entered = await completeSignIn(app, tx, { personId: person.id, client });
    return () => ({ kind: "entered", ...entered() });
  });
  return result();
}

/**
 * Completes a sign-in that owes a second factor. Throws `not_authenticated` without one, `invalid_code` or
 * `too_many_attempts`.
 */
export async function signInTwoFactor(
  app: PeopleContext,
  { challenge, factor }: { challenge: string | undefined; factor: SecondFactor },
  client: Client,
): Promise<Entered> {
  const proof = { purpose: "challenge", token: challenge ?? "" } as const;
  const personId = await findToken(app, app.db, proof);
  const person = personId === undefined ? undefined : await findPerson(app.db, personId);
  if (person === undefined) throw new AppError("not_authenticated");
  const counts = await countsOf(app, client, { key: `code ${person.id}`, factor: codeFactor, person });
  let entered: (() => Entered) | undefined;
  await app.attempts.guess(counts, async () => {
    entered = await transact(app.db, async (tx) => {
      if (!(await useSecondFactor(app, tx, { personId: person.id, factor }))) return undefined;
      if ((await consumeToken(app, tx, proof)) === undefined) throw new AppError("not_authenticated");
      return completeSignIn(app, tx, { personId: person.id, client });
    });
    return entered !== undefined;
  });
  if (entered === undefined) throw new AppError("invalid_code");
  return entered();
}

/** Begins a session and records the place of the sign-in. */
export async function enterPanel(
  app: PeopleContext,
  tx: Transaction,
  { personId, client, hasPasskey = false }: { personId: string; client: Client; hasPasskey?: boolean },
): Promise<{ token: string; session: SessionRow }> {
  await saveSignInPlace(tx, { personId, ...client, seenAt: app.clock.now(), kept: keptPlaces });
  return startSession(app, tx, { personId, client, hasPasskey });
}

/** Completes the sign-in, by the passkey of this name if one is given. The returned function must be called after the commit, when a notice may go out. */
export async function completeSignIn(
  app: PeopleContext,
  tx: Transaction,
  { personId, client, passkey }: { personId: string; client: Client; passkey?: string },
): Promise<() => Entered> {
  const person = await findPerson(tx, personId);
  const account = person === undefined ? undefined : await findAccount(tx, person.accountId);
  if (person === undefined || account === undefined) throw new AppError("invalid_credentials");
  const places = await listSignInPlaces(tx, personId);
  const isNew =
    places.length > 0 &&
    !places.some((place) => place.address === client.address && place.userAgent === client.userAgent);
  const { token, session } = await enterPanel(app, tx, {
    personId,
    client,
    hasPasskey: passkey !== undefined,
  });
  const shown = await withRole(tx, person);
  const actor = actorOfPerson(person, client.address);
  await recordActivity(app, tx, {
    accountId: account.id,
    actor,
    action: "account.sign_in",
    after: { userAgent: client.userAgent, ...(passkey === undefined ? {} : { passkey }) },
  });
  return () => {
    if (isNew) sendNotice(app, person, client);
    return { token, answer: viewSignedIn(session, shown, account) };
  };
}

function sendNotice(app: PeopleContext, person: PersonRow, client: Client): void {
  if (!app.mail.isConfigured) return;
  const at = app.clock.now();
  app.mail.post(async () => {
    const { token } = await transact(app.db, (tx) =>
      issueToken(app, tx, { purpose: "not-me", subject: person.id }),
    );
    return newSignInMail({ to: person.email, client, at, link: `${app.panel.url()}/not-me?token=${token}` });
  });
}

/**
 * Returns the counts of wrong answers: by address, and by person over all addresses except those that the
 * person has signed in from.
 */
async function countsOf(
  app: PeopleContext,
  client: Client,
  { key, factor, person }: { key: string; factor: number; person: PersonRow | undefined },
): Promise<AttemptCount[]> {
  const limit = app.limits.wrongAttempts;
  const ofAddress = { key: `sign-in ${networkOf(client.address)}`, limit };
  const places = person === undefined ? [] : await listSignInPlaces(app.db, person.id);
  if (places.some(({ address }) => networkOf(address) === networkOf(client.address))) return [ofAddress];
  return [ofAddress, { key, limit: limit * factor }];
}
