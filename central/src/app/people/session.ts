/** Manages panel sessions: a cookie with a secret of its own, of which only the hash is stored. */

import type { IncomingHttpHeaders } from "node:http";
import {
  AppError,
  type OperatorRole,
  type PanelSession,
  type Person,
  type SessionEndReason,
  type SignedIn,
} from "@tijolo/protocol";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import { findPerson, type PersonRow } from "../../store/tables/people/person.ts";
import {
  deleteOldestSessions,
  deleteSession,
  findSession,
  insertSession,
  listSessions as selectSessions,
  touchSession,
  type FoundSession,
  type SessionRow,
} from "../../store/tables/people/session.ts";
import { recordActivity } from "../accounts/activity.ts";
import { readCookie } from "./auth-cookie.ts";
import { actorOfPerson, type Caller } from "../identity/caller.ts";
import type { PeopleContext } from "./people-context.ts";
import { newId } from "../new-id.ts";
import { operatorRoleOf } from "../operators/operator-person.ts";
import { hashSecret, isSecret, makeSecret } from "../identity/secret.ts";

export type SessionCaller = Extract<Caller, { kind: "session" }>;

/** The address and program that a request comes from. */
export interface Client {
  address: string;
  userAgent: string;
}

const dayMs = 24 * 60 * 60 * 1000;
/** Milliseconds without use after which a session ends. */
const idleMs = 7 * dayMs;
/** Milliseconds after its begin at which a session ends in any case. */
export const maxSessionMs = 30 * dayMs;
/** Milliseconds between two writes of a session's use, so that reads stay reads. */
const touchEveryMs = 5 * 60 * 1000;
const maxSessionsPerPerson = 50;
const maxUserAgentLength = 300;

/** Returns the valid session of a request's cookie. */
export async function findSessionCaller(
  app: PeopleContext,
  headers: IncomingHttpHeaders,
  address: string | null = null,
): Promise<SessionCaller | undefined> {
  const token = readCookie(app.panel, "session", headers);
  if (token === undefined || !isSecret("tjs_", token)) return undefined;
  const found = await findSession(app.db, hashSecret(token));
  if (found === undefined || found.session.expiresAt <= app.clock.now()) return undefined;
  await noteUse(app, found, { address, userAgent: userAgentOf(headers) });
  const { session, person, account } = found;
  return {
    kind: "session",
    session: { id: session.id, confirmedAt: session.confirmedAt, hasPasskey: session.hasPasskey },
    person,
    account,
  };
}

/** Returns why the session of a request's cookie, which was valid, is not valid any more. */
export async function whySessionEnded(
  app: Pick<PeopleContext, "db" | "panel">,
  headers: IncomingHttpHeaders,
): Promise<SessionEndReason> {
  const token = readCookie(app.panel, "session", headers) ?? "";
  return (await findSession(app.db, hashSecret(token))) === undefined ? "ended" : "expired";
}

/** Starts a session in the transaction that found the person entitled; returns its token for the cookie. */
export async function startSession(
  app: PeopleContext,
  tx: Transaction,
  { personId, client, hasPasskey }: { personId: string; client: Client; hasPasskey: boolean },
): Promise<{ token: string; session: SessionRow }> {
  const token = makeSecret("tjs_", app.random);
  const now = app.clock.now();
  const session: SessionRow = {
    id: newId(app),
    personId,
    ...client,
    expiresAt: now + idleMs,
    createdAt: now,
    updatedAt: now,
    confirmedAt: now,
    hasPasskey,
  };
  await insertSession(tx, { ...session, tokenHash: hashSecret(token) });
  await deleteOldestSessions(tx, personId, maxSessionsPerPerson);
  return { token, session };
}

export async function getSession(app: PeopleContext, caller: SessionCaller): Promise<SignedIn> {
  const sessions = await selectSessions(app.db, caller.person.id, app.clock.now());
  const session = sessions.find(({ id }) => id === caller.session.id);
  const person = await findPerson(app.db, caller.person.id);
  if (session === undefined || person === undefined) throw new AppError("not_authenticated");
  return viewSignedIn(session, await withRole(app.db, person), caller.account);
}

/** Returns the person as {@link viewSignedIn} shows it, with the role of an operator. */
export async function withRole(
  db: Reader,
  person: PersonRow,
): Promise<PersonRow & { operatorRole: OperatorRole | null }> {
  return { ...person, operatorRole: await operatorRoleOf(db, person.id) };
}

export function viewSignedIn(
  session: SessionRow,
  { name, email, hasTwoFactor, operatorRole }: Person,
  account: { id: string; name: string },
): SignedIn {
  return {
    session: viewSession(session, session.id),
    person: { name, email, hasTwoFactor, operatorRole },
    account: { id: account.id, name: account.name },
  };
}

export async function listSessions(app: PeopleContext, caller: SessionCaller): Promise<PanelSession[]> {
  const sessions = await selectSessions(app.db, caller.person.id, app.clock.now());
  return sessions.map((session) => viewSession(session, caller.session.id));
}

/** Ends one of the person's sessions, also the one that asks. Throws `not_found`. */
export async function endSession(
  app: PeopleContext,
  caller: SessionCaller,
  { sessionId, address }: { sessionId: string; address: string },
): Promise<void> {
  await transact(app.db, async (tx) => {
    const ended = await deleteSession(tx, caller.person.id, sessionId);
    if (ended === undefined) throw new AppError("not_found");
    tx.wake(`account:${caller.account.id}`);
    await recordActivity(app, tx, {
      accountId: caller.account.id,
      actor: actorOfPerson(caller.person, address),
      action: sessionId === caller.session.id ? "account.sign_out" : "account.session_end",
      before: { address: ended.address, userAgent: ended.userAgent },
    });
  });
}

export function userAgentOf(headers: IncomingHttpHeaders): string {
  return (headers["user-agent"] ?? "").slice(0, maxUserAgentLength);
}

/** Records the session's use. A failed write, as on a full disk, does not keep the person out. */
async function noteUse(
  app: PeopleContext,
  { session }: Readonly<FoundSession>,
  use: { address: string | null; userAgent: string },
): Promise<void> {
  const now = app.clock.now();
  if (now - session.updatedAt < touchEveryMs) return;
  const touched = {
    address: use.address ?? session.address,
    userAgent: use.userAgent,
    expiresAt: Math.min(now + idleMs, session.createdAt + maxSessionMs),
    updatedAt: now,
  };
  try {
    await transact(app.db, (tx) => touchSession(tx, session.id, touched));
  } catch (error) {
    app.logger.warn({ err: error, sessionId: session.id }, "the last use of a session could not be written");
  }
}

function viewSession(session: SessionRow, currentId: string): PanelSession {
  return {
    id: session.id,
    isCurrent: session.id === currentId,
    hasPasskey: session.hasPasskey,
    address: session.address,
    userAgent: session.userAgent,
    createdAt: new Date(session.createdAt).toISOString(),
    expiresAt: new Date(session.expiresAt).toISOString(),
  };
}
