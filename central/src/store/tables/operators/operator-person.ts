/** Holds the SQL of the people who are operators: a role beside the account that they sign in to. */

import { operatorRole, type OperatorRole } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";

export interface OperatorPersonRow {
  /** Id of the person. */
  id: string;
  accountId: string;
  name: string;
  email: string;
  role: OperatorRole;
  createdAt: number;
}

export async function findOperatorPerson(
  db: Reader,
  personId: string,
): Promise<OperatorPersonRow | undefined> {
  const row = await selectPeople(db).where("person_id", "=", personId).executeTakeFirst();
  return row === undefined ? undefined : { ...row, role: operatorRole.parse(row.role) };
}

/** Returns all people who are operators, the oldest first. */
export async function listOperatorPeople(db: Reader): Promise<OperatorPersonRow[]> {
  const rows = await selectPeople(db).orderBy("operator_person.created_at").orderBy("person_id").execute();
  return rows.map((row) => ({ ...row, role: operatorRole.parse(row.role) }));
}

/** Gives the person the role, in place of an earlier one. */
export async function saveOperatorPerson(
  tx: Transaction,
  { personId, role, now }: { personId: string; role: OperatorRole; now: number },
): Promise<void> {
  await tx
    .insertInto("operator_person")
    .values({ person_id: personId, role, created_at: now })
    .onConflict((conflict) => conflict.column("person_id").doUpdateSet({ role }))
    .execute();
}

export async function deleteOperatorPerson(tx: Transaction, personId: string): Promise<void> {
  await tx.deleteFrom("operator_person").where("person_id", "=", personId).execute();
}

function selectPeople(db: Reader) {
  return db
    .selectFrom("operator_person")
    .innerJoin("person", "person.id", "operator_person.person_id")
    .select([
      "person.id",
      "person.account_id as accountId",
      "person.name",
      "person.email",
      "operator_person.role",
      "operator_person.created_at as createdAt",
    ]);
}
