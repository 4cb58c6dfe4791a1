/**
 * Makes the first person of a cluster, an owner among its operators, by a single-use link: who gets it owns
 * the machine or is an owner already, so it is never whoever comes first.
 */

import { rm } from "node:fs/promises";
import { AppError, firstPlan, type IssuedLink } from "@tijolo/protocol";
import { insertAccount, listAccounts, type AccountRow } from "../../store/tables/accounts/account.ts";
import { listOperatorPeople } from "../../store/tables/operators/operator-person.ts";
import { findPersonByEmail, findPersonOfAccount } from "../../store/tables/people/person.ts";
import { deleteVerifications } from "../../store/tables/people/verification.ts";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import { newAccount } from "../accounts/account.ts";
import { recordActivity } from "../accounts/activity.ts";
import { actorOfPerson, type OperatorActor } from "../identity/caller.ts";
import { networkOf } from "../identity/client-network.ts";
import { recordAudit } from "../operators/audit.ts";
import { grantRole } from "../operators/operator-person.ts";
import { assertRoom } from "../operators/operator-rules.ts";
import { writePrivateFile } from "../secrets/private-file.ts";
import { consumeToken, findToken, issueToken, valueOf, type TokenProof } from "./auth-token.ts";
import type { PeopleContext } from "./people-context.ts";
import { createPerson, setPassword } from "./person.ts";
import { viewSignedIn, type Client } from "./session.ts";
import { enterPanel, type Entered } from "./sign-in.ts";

/** What a link makes of a person; there is but one kind of link, and the newest is the only one that works. */
const subject = "owner";

export interface NewFirstPerson {
  token: string;
  name?: string | undefined;
  email: string;
  password: string;
}

/**
 * Leaves a new link in the file, which only the user of central can read, as long as no person is an
 * operator; otherwise removes the file. A failure, as on a full disk, keeps central from nothing.
 */
export async function ensureStartLink(app: PeopleContext, startLinkFile: string): Promise<void> {
  try {
    if ((await listOperatorPeople(app.db)).length > 0) {
      await rm(startLinkFile, { force: true });
      return;
    }
    const { url } = await transact(app.db, (tx) => issueStartLink(app, tx));
    await writePrivateFile(startLinkFile, `${url}\n`);
    app.logger.info({ startLinkFile }, "nobody runs this cluster in the panel yet; the link is in the file");
  } catch (error) {
    app.logger.warn({ err: error, startLinkFile }, "the start link could not be written");
  }
}

/** Creates a link for an owner; the one before ends. */
export function createStartLink(app: PeopleContext, operator: OperatorActor): Promise<IssuedLink> {
  return transact(app.db, async (tx) => {
    const link = await issueStartLink(app, tx);
    const { expiresAt } = link;
    const none = { kind: "operator", id: null, name: null } as const;
    await recordAudit(app, tx, operator, { subject: none, after: { role: subject, expiresAt } });
    return link;
  });
}

/**
 * Makes the person, an owner, with the first account if that has nobody yet, otherwise with a new one; and
 * signs the person in. Throws `invalid_start_link`, `email_taken`, `operator_limit_reached` or
 * `too_many_attempts`.
 */
export async function createFirstPerson(
  app: PeopleContext,
  input: NewFirstPerson,
  client: Client,
): Promise<Entered> {
  const proof = { purpose: "start", token: input.token } as const;
  const counts = [{ key: `start ${networkOf(client.address)}`, limit: app.limits.wrongAttempts }];
  if (!(await app.attempts.guess(counts, () => isLiving(app, proof))))
    throw new AppError("invalid_start_link");
  await assertFree(app.db, input);
  const hash = await app.passwords.hash(input.password, () => assertFree(app.db, input));
  return transact(app.db, async (tx) => {
    await assertFree(tx, input);
    if ((await consumeToken(app, tx, proof)) === undefined) throw new AppError("invalid_start_link");
    await assertRoom(tx);
    const { email, name = nameOf(email) } = input;
    const account = (await findFirstAccount(tx)) ?? (await makeAccount(app, tx, name));
    const personId = await createPerson(app, tx, { accountId: account.id, name, email });
    await setPassword(app, tx, { personId, hash });
    const { role } = await grantRole(app, tx, { personId, role: "owner" });
    await record(app, tx, { person: { id: personId, name, email }, account, address: client.address });
    const { token, session } = await enterPanel(app, tx, { personId, client });
    const shown = { name, email, hasTwoFactor: false, operatorRole: role };
    return { token, answer: viewSignedIn(session, shown, account) };
  });
}

async function issueStartLink(app: PeopleContext, tx: Transaction): Promise<IssuedLink> {
  await deleteVerifications(tx, [valueOf("start", subject)]);
  const { token, expiresAt } = await issueToken(app, tx, { purpose: "start", subject });
  // After the #, so that no server and no proxy on the way has it in its log.
  return {
    token,
    url: `${app.panel.url()}/start#token=${token}`,
    expiresAt: new Date(expiresAt).toISOString(),
  };
}

async function isLiving(app: PeopleContext, proof: TokenProof): Promise<boolean> {
  return (await findToken(app, app.db, proof)) !== undefined;
}

async function assertFree(db: Reader, { email }: NewFirstPerson): Promise<void> {
  if ((await findPersonByEmail(db, email)) !== undefined) throw new AppError("email_taken");
}

/** Returns the only account there is, if it has no person: the one that the first start made. */
async function findFirstAccount(tx: Transaction): Promise<AccountRow | undefined> {
  const [first, ...others] = await listAccounts(tx, { after: undefined, limit: 2 });
  if (first === undefined || others.length > 0) return undefined;
  return (await findPersonOfAccount(tx, first.id)) === undefined ? first : undefined;
}

async function makeAccount(app: PeopleContext, tx: Transaction, name: string): Promise<AccountRow> {
  const account = newAccount(app, { name, plan: firstPlan });
  await insertAccount(tx, account);
  return account;
}

/** Records the sign-up for the account, and for the operators that there is one more of them. */
async function record(
  app: PeopleContext,
  tx: Transaction,
  made: { person: { id: string; name: string; email: string }; account: AccountRow; address: string },
): Promise<void> {
  const { person, account, address } = made;
  const { id, name, email } = person;
  await recordActivity(app, tx, {
    accountId: account.id,
    actor: actorOfPerson(person, address),
    action: "account.sign_up",
    after: { name, email, plan: account.plan },
  });
  const operator = {
    kind: "operator",
    id,
    name,
    address,
    role: "owner",
    operation: "createFirstPerson",
  } as const;
  await recordAudit(app, tx, operator, {
    subject: { kind: "operator", id, name },
    after: { role: "owner", email },
  });
}

/** Returns what a person is called who gave no name: what stands before the @. */
function nameOf(email: string): string {
  return email.slice(0, email.lastIndexOf("@"));
}
