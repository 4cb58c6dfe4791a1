/** Holds the SQL of which projects there are, and where. */

import type { Reader } from "../../store.ts";

/** Returns the ids of the projects placed on the host. */
export async function listPlacedProjects(db: Reader, hostId: string): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom("placement").select("project_id").where("host_id", "=", hostId).execute();
  return new Set(rows.map((row) => row.project_id));
}

/** Returns the ids of an account's projects, oldest first. */
export async function listProjectIds(db: Reader, accountId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("project")
    .select("id")
    .where("account_id", "=", accountId)
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns which of these projects exist. */
export async function listExistingProjects(db: Reader, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom("project").select("id").where("id", "in", ids).execute();
  return new Set(rows.map(({ id }) => id));
}
