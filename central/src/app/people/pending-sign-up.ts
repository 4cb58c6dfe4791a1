/** Has people confirm the e-mail that they sign up with, before there is an account. */

import { transact } from "../../store/store.ts";
import { countPendingSignUps, insertPendingSignUp } from "../../store/tables/people/pending-sign-up.ts";
import { findPersonByEmail } from "../../store/tables/people/person.ts";
import { newId } from "../new-id.ts";
import { issueToken, tokenLifeMs } from "./auth-token.ts";
import { alreadySignedUpMail, confirmSignUpMail } from "./mail-texts.ts";
import type { Message } from "./mail.ts";
import { mayAsk } from "./password.ts";
import type { PeopleContext } from "./people-context.ts";

interface NewPerson {
  name: string;
  email: string;
  password: string;
}

/** Most sign-ups that wait: what a flood from many networks can store within a day. */
const maxPending = 10_000;

/**
 * Mails a link that confirms the sign-up; to the e-mail of somebody who has an account, a note that says so.
 * The caller does not wait for it: neither the answer nor its time shows which.
 */
export async function askToConfirm(app: PeopleContext, { name, email, password }: NewPerson): Promise<void> {
  const hash = await app.passwords.hash(password);
  app.mail.post(async () => {
    if (!mayAsk(app, `sign-up of ${email}`)) return null;
    if ((await findPersonByEmail(app.db, email)) !== undefined)
      return alreadySignedUpMail({ to: email, link: `${app.panel.url()}/password/forgot` });
    return confirmationMail(app, { name, email, hash });
  });
}

/** Stores the sign-up and returns the mail; null, with a line in the log, when too many wait. */
async function confirmationMail(
  app: PeopleContext,
  { name, email, hash }: { name: string; email: string; hash: string },
): Promise<Message | null> {
  const token = await transact(app.db, async (tx) => {
    if ((await countPendingSignUps(tx)) >= maxPending) return null;
    const id = newId(app);
    const createdAt = app.clock.now();
    const expiresAt = createdAt + tokenLifeMs["sign-up"];
    await insertPendingSignUp(tx, { id, email, name, passwordHash: hash, createdAt, expiresAt });
    return (await issueToken(app, tx, { purpose: "sign-up", subject: id })).token;
  });
  if (token !== null)
    return confirmSignUpMail({ to: email, link: `${app.panel.url()}/sign-up/confirm?token=${token}` });
  app.logger.warn({ maxPending }, "too many sign-ups wait for their confirmation; one was dropped");
  return null;
}
