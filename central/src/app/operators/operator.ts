/** Manages operators: adding, listing and revoking them, and the first one, whom nobody could add. */

import { AppError, type OperatorRole, type OperatorSummary } from "@tijolo/protocol";
import { findOperatorPerson, listOperatorPeople } from "../../store/tables/operators/operator-person.ts";
import {
  deleteOperator,
  findOperator,
  insertOperator,
  listOperators as selectOperators,
  type OperatorRow,
} from "../../store/tables/operators/operator.ts";
import { transact } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { hashSecret, makeSecret } from "../identity/secret.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { newId } from "../new-id.ts";
import { writePrivateFile } from "../secrets/private-file.ts";
import { recordAudit } from "./audit.ts";
import { revokeOperatorPerson, viewOperatorPerson } from "./operator-person.ts";
import { assertOwnerStays, assertRole, assertRoom } from "./operator-rules.ts";

const prefixLength = 12;

export interface NewOperator {
  name: string;
  role: OperatorRole;
  expiresInMs?: number | undefined;
}

/** Lists the tokens, then the people; of each the oldest first. */
export async function listOperators({ db }: Pick<BaseContext, "db">): Promise<OperatorSummary[]> {
  const tokens = (await selectOperators(db)).map(viewOperator);
  const people = (await listOperatorPeople(db)).map((row) => viewOperatorPerson(db, row));
  return [...tokens, ...(await Promise.all(people))];
}

/**
 * Adds an operator. Returns the whole token, for the only time. Throws `insufficient_role` for a role above
 * the caller's own, `operator_limit_reached`.
 */
export async function addOperator(
  app: BaseContext,
  actor: OperatorActor,
  { name, role, expiresInMs }: NewOperator,
): Promise<{ operator: OperatorSummary; token: string }> {
  assertRole(actor.role, role);
  const token = makeSecret("tjo_", app.random);
  const expiresAt = expiresInMs === undefined ? null : app.clock.now() + expiresInMs;
  const row = operatorRow(app, token, { name, role, expiresAt });
  await transact(app.db, async (tx) => {
    await assertRoom(tx);
    await insertOperator(tx, { ...row, tokenHash: hashSecret(token) });
    await recordAudit(app, tx, actor, { subject: subjectOf(row), after: fieldsOf(row) });
  });
  return { operator: viewOperator(row), token };
}

/**
 * Revokes an operator: from the next request on the token is unknown, or the person has no role; what is held
 * open ends. Throws `not_found`, `insufficient_role` for a role above the caller's own, and `last_owner`: an
 * owner without an expiry must stay.
 */
export async function revokeOperator(app: BaseContext, actor: OperatorActor, id: string): Promise<void> {
  await transact(app.db, async (tx) => {
    const person = await findOperatorPerson(tx, id);
    if (person !== undefined) return revokeOperatorPerson(app, tx, actor, person);
    const row = await findOperator(tx, id);
    if (row === undefined) throw new AppError("not_found");
    assertRole(actor.role, row.role);
    await assertOwnerStays(tx, id);
    await deleteOperator(tx, id);
    tx.wake(`operator:${id}`);
    await recordAudit(app, tx, actor, { subject: subjectOf(row), before: fieldsOf(row) });
  });
}

/**
 * Makes the first operator, an owner, and leaves the token in a file that only root can read, for the person
 * who started central. So the first owner is the person who owns the machine, not the first caller.
 */
export async function ensureFirstOperator(app: BaseContext, bootstrapFile: string): Promise<void> {
  if ((await selectOperators(app.db)).length > 0) return;
  const token = makeSecret("tjo_", app.random);
  await writePrivateFile(bootstrapFile, `${token}\n`);
  const row = operatorRow(app, token, { name: "first operator", role: "owner", expiresAt: null });
  await transact(app.db, (tx) => insertOperator(tx, { ...row, tokenHash: hashSecret(token) }));
  app.logger.info({ bootstrapFile }, "made the first operator; the token is in the bootstrap file");
}

function operatorRow(
  app: BaseContext,
  token: string,
  fields: Pick<OperatorRow, "name" | "role" | "expiresAt">,
): OperatorRow {
  return { id: newId(app), prefix: token.slice(0, prefixLength), createdAt: app.clock.now(), ...fields };
}

function subjectOf({ id, name }: OperatorRow) {
  return { kind: "operator" as const, id, name };
}

function fieldsOf({ role, prefix, expiresAt }: OperatorRow): Record<string, unknown> {
  return { role, prefix, expiresAt: isoOrNull(expiresAt) };
}

function viewOperator({ id, name, role, prefix, expiresAt, createdAt }: OperatorRow): OperatorSummary {
  return {
    id,
    kind: "token",
    name,
    email: null,
    role,
    hasTwoFactor: null,
    prefix,
    expiresAt: isoOrNull(expiresAt),
    createdAt: new Date(createdAt).toISOString(),
  };
}
