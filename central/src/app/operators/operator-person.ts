/** Manages the people who are operators: giving and taking a role, and finding who calls in a session. */

import { AppError, type OperatorRole, type OperatorSummary } from "@tijolo/protocol";
import {
  deleteOperatorPerson,
  findOperatorPerson,
  saveOperatorPerson,
  type OperatorPersonRow,
} from "../../store/tables/operators/operator-person.ts";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import { findPersonByEmail } from "../../store/tables/people/person.ts";
import type { BaseContext } from "../base-context.ts";
import type { Caller, OperatorActor } from "../identity/caller.ts";
import { hasTwoFactor } from "../identity/has-two-factor.ts";
import { recordAudit } from "./audit.ts";
import { assertOwnerStays, assertRole, assertRoom } from "./operator-rules.ts";

/**
 * Gives a person the role, in place of an earlier one. Throws `not_found` for an e-mail that nobody has,
 * `insufficient_role` for a role above the caller's own, `operator_limit_reached` and `last_owner`.
 */
export async function addOperatorPerson(
  app: BaseContext,
  actor: OperatorActor,
  { email, role }: { email: string; role: OperatorRole },
): Promise<{ operator: OperatorSummary }> {
  assertRole(actor.role, role);
  return transact(app.db, async (tx) => {
    const person = await findPersonByEmail(tx, email);
    if (person === undefined) throw new AppError("not_found");
    const before = await findOperatorPerson(tx, person.id);
    if (before === undefined) await assertRoom(tx);
    else await assertMayChange(tx, actor, before, role);
    const row = await grantRole(app, tx, { personId: person.id, role });
    await recordAudit(app, tx, actor, {
      subject: subjectOf(row),
      ...(before === undefined ? {} : { before: fieldsOf(before) }),
      after: fieldsOf(row),
    });
    return { operator: await viewOperatorPerson(tx, row) };
  });
}

/** Gives a person the role; what an earlier role holds open is looked at again. */
export async function grantRole(
  app: Pick<BaseContext, "clock">,
  tx: Transaction,
  { personId, role }: { personId: string; role: OperatorRole },
): Promise<OperatorPersonRow> {
  await saveOperatorPerson(tx, { personId, role, now: app.clock.now() });
  const row = await findOperatorPerson(tx, personId);
  if (row === undefined) throw new AppError("not_found");
  tx.wake(`account:${row.accountId}`);
  return row;
}

/** Takes the role from a person, in the transaction of the caller; what the session holds open ends. */
export async function revokeOperatorPerson(
  app: BaseContext,
  tx: Transaction,
  actor: OperatorActor,
  row: OperatorPersonRow,
): Promise<void> {
  assertRole(actor.role, row.role);
  await assertOwnerStays(tx, row.id);
  await deleteOperatorPerson(tx, row.id);
  tx.wake(`account:${row.accountId}`);
  await recordAudit(app, tx, actor, { subject: subjectOf(row), before: fieldsOf(row) });
}

/** Returns the person of a session as an operator; undefined for one who is none. */
export async function findOperatorOfSession(
  { db }: Pick<BaseContext, "db">,
  session: Extract<Caller, { kind: "session" }>,
): Promise<Extract<Caller, { kind: "operator" }> | undefined> {
  const row = await findOperatorPerson(db, session.person.id);
  if (row === undefined) return undefined;
  return { kind: "operator", operator: { id: row.id, name: row.name, role: row.role }, session };
}

/**
 * Throws `insufficient_role` for a person whose role is above the caller's own: who can sign in as that person
 * would have it.
 */
export async function assertMayEnter(tx: Transaction, actor: OperatorActor, personId: string): Promise<void> {
  const role = await operatorRoleOf(tx, personId);
  if (role !== null) assertRole(actor.role, role);
}

/** Returns the role of a person; null for one who runs nothing. */
export async function operatorRoleOf(db: Reader, personId: string): Promise<OperatorRole | null> {
  return (await findOperatorPerson(db, personId))?.role ?? null;
}

export async function viewOperatorPerson(db: Reader, row: OperatorPersonRow): Promise<OperatorSummary> {
  const { id, name, email, role, createdAt } = row;
  return {
    id,
    kind: "person",
    name,
    email,
    role,
    hasTwoFactor: await hasTwoFactor(db, row),
    prefix: "",
    expiresAt: null,
    createdAt: new Date(createdAt).toISOString(),
  };
}

async function assertMayChange(
  tx: Transaction,
  actor: OperatorActor,
  before: OperatorPersonRow,
  role: OperatorRole,
): Promise<void> {
  assertRole(actor.role, before.role);
  if (role !== "owner") await assertOwnerStays(tx, before.id);
}

function subjectOf({ id, name }: OperatorPersonRow) {
  return { kind: "operator" as const, id, name };
}

function fieldsOf({ role, email }: OperatorPersonRow): Record<string, unknown> {
  return { role, email };
}
