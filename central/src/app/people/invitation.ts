/** Issues an operator's links: invitations to sign up, and links with which a person sets a password. */

import { AppError, type IssuedLink, type PasswordLink, type PlanName } from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { findAccount } from "../../store/tables/accounts/account.ts";
import { transact, type Transaction } from "../../store/store.ts";
import { findPersonByEmail, findPersonOfAccount } from "../../store/tables/people/person.ts";
import { recordActivity } from "../accounts/activity.ts";
import { issueToken } from "./auth-token.ts";
import type { OperatorActor } from "../identity/caller.ts";
import type { PeopleContext } from "./people-context.ts";
import { recordAudit } from "../operators/audit.ts";
import { assertMayEnter } from "../operators/operator-person.ts";
import { passwordLink } from "./password.ts";
import { createPerson } from "./person.ts";

/** Creates an invitation for one person with the plan. Throws `sign_up_closed` where nobody could use it. */
export async function createInvitation(
  app: PeopleContext,
  operator: OperatorActor,
  { plan }: { plan: PlanName },
): Promise<IssuedLink> {
  if (app.panel.signUp === "closed")
    throw new AppError("sign_up_closed", { detail: refusalDetails.invitesNobody });
  const { token, expiresAt } = await transact(app.db, async (tx) => {
    const issued = await issueToken(app, tx, { purpose: "invitation", subject: plan });
    const after = { plan, expiresAt: new Date(issued.expiresAt).toISOString() };
    await recordAudit(app, tx, operator, { subject: { kind: "account", id: null, name: null }, after });
    return issued;
  });
  return {
    token,
    url: `${app.panel.url()}/sign-up?invitation=${token}`,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

export interface PasswordLinkInput {
  accountId?: string | undefined;
  email?: string | undefined;
  name?: string | undefined;
}

/**
 * Creates a link for the person of the account, or else for the person with this e-mail. An account that has
 * only had keys gets its person, for whom `email` is needed. Throws `not_found`, `email_taken`, or
 * `invalid_request` for an account without a person when no `email` is given, and for one whose person has
 * another, and `insufficient_role` for a person with a role above the operator's own.
 */
export async function createPasswordLink(
  app: PeopleContext,
  operator: OperatorActor,
  input: PasswordLinkInput,
): Promise<PasswordLink> {
  const { token, expiresAt, email } = await transact(app.db, async (tx) => {
    const { id, accountId, email, made } = await personOf(app, tx, input);
    await assertMayEnter(tx, operator, id);
    await recordActivity(app, tx, {
      accountId,
      actor: operator,
      action: "account.password_reset_request",
      ...(made === undefined ? {} : { after: made }),
    });
    return { ...(await issueToken(app, tx, { purpose: "password", subject: id })), email };
  });
  return { token, url: passwordLink(app, token), expiresAt: new Date(expiresAt).toISOString(), email };
}

/** The person whom the link is for; `made` when the account gets its person by it. */
interface Recipient {
  id: string;
  accountId: string;
  email: string;
  made?: { email: string; name: string };
}

async function personOf(
  app: PeopleContext,
  tx: Transaction,
  { accountId, email, name }: PasswordLinkInput,
): Promise<Recipient> {
  if (accountId === undefined) {
    const person = email === undefined ? undefined : await findPersonByEmail(tx, email);
    if (person === undefined) throw new AppError("not_found");
    return person;
  }
  const account = await findAccount(tx, accountId);
  if (account === undefined) throw new AppError("not_found");
  const person = await findPersonOfAccount(tx, account.id);
  if (person !== undefined) {
    if (email !== undefined && email !== person.email)
      throw new AppError("invalid_request", {
        extra: { field: "email" },
        detail: refusalDetails.personIsAnother(person.email),
      });
    return person;
  }
  if (email === undefined) throw new AppError("invalid_request", { extra: { field: "email" } });
  if ((await findPersonByEmail(tx, email)) !== undefined) throw new AppError("email_taken");
  const made = { email, name: name ?? account.name };
  return { id: await createPerson(app, tx, { accountId, ...made }), accountId, email, made };
}
