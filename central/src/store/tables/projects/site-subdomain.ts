/** Reads which subdomains belong to sites. */

import type { Reader } from "../../store.ts";

/** Returns the subdomains that sites have, or are still served under, in order. */
export async function listSubdomains(db: Reader): Promise<string[]> {
  const rows = await db
    .selectFrom("project")
    .select("subdomain as name")
    .union(db.selectFrom("project").select("served_subdomain as name"))
    .execute();
  return rows.flatMap(({ name }) => (name === null ? [] : [name])).sort();
}
