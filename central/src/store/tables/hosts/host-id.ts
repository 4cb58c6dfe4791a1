import type { Reader } from "../../store.ts";

/** Returns the ids of the hosts that are not revoked. */
export async function listHostIds(db: Reader): Promise<string[]> {
  const rows = await db.selectFrom("host").select("id").where("revoked_at", "is", null).execute();
  return rows.map(({ id }) => id);
}
