/** Holds the SQL of projects that hosts must give up, and why. */

import { departureReason, type Departure, type DepartureReason } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";

export interface DepartureRow extends Departure {
  createdAt: number;
}

/** Returns the departures that were written after the revision `since` of the host; null stands for all. */
export async function listDepartures(
  db: Reader,
  hostId: string,
  since: number | null = null,
): Promise<DepartureRow[]> {
  let query = db.selectFrom("departure").selectAll().where("host_id", "=", hostId);
  if (since !== null) query = query.where("revision", ">", since);
  const rows = await query.orderBy("project_id").execute();
  return rows.map((row) => ({
    projectId: row.project_id,
    reason: departureReason.parse(row.reason),
    createdAt: row.created_at,
  }));
}

/** Inserts the reason, or replaces an earlier one. The host is notified by `wantedChanged`. */
export async function saveDeparture(
  tx: Transaction,
  {
    hostId,
    projectId,
    reason,
    createdAt,
  }: { hostId: string; projectId: string; reason: DepartureReason; createdAt: number },
): Promise<void> {
  await tx
    .insertInto("departure")
    .values({ host_id: hostId, project_id: projectId, reason, created_at: createdAt, revision: 0 })
    .onConflict((conflict) =>
      conflict.columns(["host_id", "project_id"]).doUpdateSet({ reason, created_at: createdAt }),
    )
    .execute();
}

export async function deleteDeparture(tx: Transaction, hostId: string, projectId: string): Promise<void> {
  await tx
    .deleteFrom("departure")
    .where("host_id", "=", hostId)
    .where("project_id", "=", projectId)
    .execute();
}
