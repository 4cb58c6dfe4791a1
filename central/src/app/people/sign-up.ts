/** Signs people up: a person and an account in one transaction, by the way that the operator allows. */

import { AppError, planName, type PlanName } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { insertAccount } from "../../store/tables/accounts/account.ts";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import { deletePendingSignUps, findPendingSignUp } from "../../store/tables/people/pending-sign-up.ts";
import { findPersonByEmail } from "../../store/tables/people/person.ts";
import { newAccount } from "../accounts/account.ts";
import { recordActivity } from "../accounts/activity.ts";
import { consumeToken, findToken } from "./auth-token.ts";
import { actorOfPerson } from "../identity/caller.ts";
import { networkOf } from "../identity/client-network.ts";
import type { PeopleContext } from "./people-context.ts";
import { guessToken } from "./password.ts";
import { askToConfirm } from "./pending-sign-up.ts";
import { createPerson, setPassword } from "./person.ts";
import { viewSignedIn, type Client } from "./session.ts";
import { enterPanel, type Entered } from "./sign-in.ts";

export interface NewPerson {
  name: string;
  email: string;
  password: string;
  invitation?: string | undefined;
}

export type SignUpResult = ({ kind: "entered" } & Entered) | { kind: "confirmation" };

/**
 * Signs up. Where anybody may sign up and mail can be sent, the account is made once the mail's link is
 * followed; an invitation needs none, as its operator knows whom it was given to. Throws `sign_up_closed`,
 * `invalid_link` (invitation), `email_taken` or `too_many_attempts`.
 */
export async function signUp(app: PeopleContext, input: NewPerson, client: Client): Promise<SignUpResult> {
  assertMayTry(app.panel.signUp, input.invitation);
  if (input.invitation !== undefined || !app.mail.isConfigured)
    return { kind: "entered", ...(await signUpAtOnce(app, input, client)) };
  countOpenSignUp(app, client);
  await askToConfirm(app, input);
  return { kind: "confirmation" };
}

async function signUpAtOnce(app: PeopleContext, input: NewPerson, client: Client): Promise<Entered> {
  const counts = [{ key: `sign-up ${networkOf(client.address)}`, limit: app.limits.wrongAttempts }];
  let refusal: AppError | undefined;
  await app.attempts.guess(counts, async () => {
    refusal = await refusalOf(app, app.db, input);
    return refusal === undefined;
  });
  if (refusal !== undefined) throw refusal;
  if (input.invitation === undefined) countOpenSignUp(app, client);
  // Somebody else may be faster, while this waits to be hashed and while it is.
  const hash = await app.passwords.hash(input.password, () => assertFree(app, app.db, input));
  return transact(app.db, async (tx) => {
    await assertFree(app, tx, input);
    const plan = await takeInvitation(app, tx, input.invitation);
    return createAccount(app, tx, { ...input, hash, plan, client });
  });
}

/**
 * Makes the account of a sign-up whose link was followed, and signs in. Throws `sign_up_closed` when the
 * operator has closed it meanwhile, `invalid_link`, `email_taken` or `too_many_attempts`.
 */
export async function confirmSignUp(app: PeopleContext, token: string, client: Client): Promise<Entered> {
  if (app.panel.signUp !== "open") throw new AppError("sign_up_closed");
  const proof = { purpose: "sign-up", token } as const;
  await guessToken(app, proof, client.address);
  return transact(app.db, async (tx) => {
    const id = await consumeToken(app, tx, proof);
    const pending = id === undefined ? undefined : await findPendingSignUp(tx, id);
    if (pending === undefined) throw new AppError("invalid_link");
    const { email, name, passwordHash: hash } = pending;
    if ((await findPersonByEmail(tx, email)) !== undefined) throw new AppError("email_taken");
    await deletePendingSignUps(tx, email);
    return createAccount(app, tx, { email, name, hash, plan: "Free", isEmailVerified: true, client });
  });
}

interface NewAccount {
  name: string;
  email: string;
  hash: string;
  plan: PlanName;
  isEmailVerified?: boolean;
  client: Client;
}

async function createAccount(
  app: PeopleContext,
  tx: Transaction,
  { name, email, hash, plan, isEmailVerified = false, client }: NewAccount,
): Promise<Entered> {
  const account = newAccount(app, { name, plan });
  await insertAccount(tx, account);
  const personId = await createPerson(app, tx, { accountId: account.id, name, email, isEmailVerified });
  await setPassword(app, tx, { personId, hash });
  const actor = actorOfPerson({ id: personId, name }, client.address);
  await recordActivity(app, tx, {
    accountId: account.id,
    actor,
    action: "account.sign_up",
    after: { name, email, plan },
  });
  const { token, session } = await enterPanel(app, tx, { personId, client });
  const person = { name, email, hasTwoFactor: false, operatorRole: null };
  return { token, answer: viewSignedIn(session, person, account) };
}

function assertMayTry(signUp: PeopleContext["panel"]["signUp"], invitation: string | undefined): void {
  if (signUp === "closed") throw new AppError("sign_up_closed");
  if (signUp === "open" || invitation !== undefined) return;
  throw new AppError("sign_up_closed", {
    detail: refusalDetails.invitationNeeded,
  });
}

/**
 * Counts an open sign-up. An invitation is good for one account; without it, this alone limits how many a
 * network makes. Throws `too_many_attempts`.
 */
function countOpenSignUp(app: PeopleContext, { address }: Client): void {
  app.attempts.noteWrong({
    key: `new account ${networkOf(address)}`,
    limit: app.limits.wrongAttempts,
    detail: refusalDetails.manyNewAccounts,
  });
}

async function assertFree(app: PeopleContext, db: Reader, input: NewPerson): Promise<void> {
  const refusal = await refusalOf(app, db, input);
  if (refusal !== undefined) throw refusal;
}

async function refusalOf(
  app: PeopleContext,
  db: Reader,
  { email, invitation }: NewPerson,
): Promise<AppError | undefined> {
  if (
    invitation !== undefined &&
    (await findToken(app, db, { purpose: "invitation", token: invitation })) === undefined
  ) {
    return new AppError("invalid_link");
  }
  return (await findPersonByEmail(db, email)) === undefined ? undefined : new AppError("email_taken");
}

/** Uses up the invitation and returns its plan. */
async function takeInvitation(
  app: PeopleContext,
  tx: Transaction,
  invitation: string | undefined,
): Promise<PlanName> {
  if (invitation === undefined) return "Free";
  const plan = await consumeToken(app, tx, { purpose: "invitation", token: invitation });
  if (plan === undefined) throw new AppError("invalid_link");
  return planName.parse(plan);
}
