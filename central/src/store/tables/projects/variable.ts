/** Holds the SQL of projects' environment variables, which are stored sealed. */

import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";
import type { Sealed } from "../sealed.ts";

export interface VariablesRow {
  projectId: string;
  /** Revision of the variables: another text whenever one of them changes. */
  revision: string;
  sealed: Sealed;
}

export async function findVariables(db: Reader, projectId: string): Promise<VariablesRow | undefined> {
  const row = await db
    .selectFrom("project_variables")
    .selectAll()
    .where("project_id", "=", projectId)
    .executeTakeFirst();
  return row === undefined ? undefined : variablesOfRow(row);
}

export async function hasVariables(db: Reader): Promise<boolean> {
  return (
    (await db.selectFrom("project_variables").select("project_id").limit(1).executeTakeFirst()) !== undefined
  );
}

export async function listVariables(db: Reader, projectIds: readonly string[]): Promise<VariablesRow[]> {
  if (projectIds.length === 0) return [];
  return (
    await db.selectFrom("project_variables").selectAll().where("project_id", "in", projectIds).execute()
  ).map(variablesOfRow);
}

/** Inserts the variables, or replaces those that were stored. */
export async function saveVariables(
  tx: Transaction,
  { projectId, revision, sealed }: VariablesRow,
): Promise<void> {
  const columns = { revision, key_id: sealed.keyId, ciphertext: sealed.ciphertext };
  await tx
    .insertInto("project_variables")
    .values({ project_id: projectId, ...columns })
    .onConflict((conflict) => conflict.column("project_id").doUpdateSet(columns))
    .execute();
  tx.wake(`project:${projectId}`);
}

export async function deleteVariables(tx: Transaction, projectId: string): Promise<void> {
  await tx.deleteFrom("project_variables").where("project_id", "=", projectId).execute();
  tx.wake(`project:${projectId}`);
}

/**
 * Returns, in the order of their projects, after the project `after`, what another master key than `keyId`
 * has sealed.
 */
export async function listVariablesOfOtherKeys(
  db: Reader,
  { keyId, after, limit }: { keyId: string; after: string; limit: number },
): Promise<VariablesRow[]> {
  const rows = await db
    .selectFrom("project_variables")
    .selectAll()
    .where("key_id", "!=", keyId)
    .where("project_id", ">", after)
    .orderBy("project_id")
    .limit(limit)
    .execute();
  return rows.map(variablesOfRow);
}

/** Returns how many documents each master key has sealed. */
export async function countVariablesByKey(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("project_variables")
    .select((select) => ["key_id", select.fn.countAll<number>().as("count")])
    .groupBy("key_id")
    .execute();
  return new Map(rows.map((row) => [row.key_id, Number(row.count)]));
}

function variablesOfRow(row: Schema["project_variables"]): VariablesRow {
  return {
    projectId: row.project_id,
    revision: row.revision,
    sealed: { keyId: row.key_id, ciphertext: row.ciphertext },
  };
}
