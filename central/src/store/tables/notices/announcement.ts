/** Holds the SQL of operators' announcements and of the accounts that they have reached. */

import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface AnnouncementRow {
  /** Time-ordered id. */
  id: string;
  at: number;
  text: string;
  /** Machine that it is about; null: it goes to all accounts. */
  host: { id: string; name: string } | null;
  by: string;
  /** Id of the last account that was told; empty before the first. */
  toldAfter: string;
  /** Number of accounts that were told. */
  accounts: number;
  completedAt: number | null;
}

export async function insertAnnouncement(tx: Transaction, announcement: AnnouncementRow): Promise<void> {
  await tx
    .insertInto("announcement")
    .values({
      id: announcement.id,
      at: announcement.at,
      text: announcement.text,
      host_id: announcement.host?.id ?? null,
      host_name: announcement.host?.name ?? null,
      by_name: announcement.by,
      told_after: announcement.toldAfter,
      accounts: announcement.accounts,
      completed_at: announcement.completedAt,
    })
    .execute();
}

/** Returns the newest announcements first. */
export async function listAnnouncements(db: Reader, limit: number): Promise<AnnouncementRow[]> {
  const rows = await db.selectFrom("announcement").selectAll().orderBy("id", "desc").limit(limit).execute();
  return rows.map(announcementOfRow);
}

/** Returns the oldest announcement that has not reached all accounts. */
export async function findOpenAnnouncement(db: Reader): Promise<AnnouncementRow | undefined> {
  const row = await db
    .selectFrom("announcement")
    .selectAll()
    .where("completed_at", "is", null)
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
  return row === undefined ? undefined : announcementOfRow(row);
}

/** Records how far an announcement has come. */
export async function saveAnnouncementReach(
  tx: Transaction,
  { id, toldAfter, accounts, completedAt }: Omit<AnnouncementRow, "at" | "text" | "host" | "by">,
): Promise<void> {
  await tx
    .updateTable("announcement")
    .set({ told_after: toldAfter, accounts, completed_at: completedAt })
    .where("id", "=", id)
    .execute();
}

/** Returns the accounts after `after` that have projects on the host, in the order of their ids. */
export async function listAccountsOnHost(
  db: Reader,
  { hostId, after, limit }: { hostId: string; after: string; limit: number },
): Promise<{ accountId: string; projects: number }[]> {
  const rows = await db
    .selectFrom("placement")
    .innerJoin("project", "project.id", "placement.project_id")
    .select((select) => ["project.account_id", select.fn.countAll<number>().as("projects")])
    .where("placement.host_id", "=", hostId)
    .where("project.account_id", ">", after)
    .groupBy("project.account_id")
    .orderBy("project.account_id")
    .limit(limit)
    .execute();
  return rows.map((row) => ({ accountId: row.account_id, projects: Number(row.projects) }));
}

/** Removes announcements below the id, at most `limit`; returns how many. */
export async function deleteAnnouncementsBelow(
  tx: Transaction,
  below: string,
  limit: number,
): Promise<number> {
  const result = await tx
    .deleteFrom("announcement")
    .where("id", "in", (select) =>
      select.selectFrom("announcement").select("id").where("id", "<", below).orderBy("id").limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function announcementOfRow(row: Schema["announcement"]): AnnouncementRow {
  return {
    id: row.id,
    at: row.at,
    text: row.text,
    host: row.host_id === null ? null : { id: row.host_id, name: row.host_name ?? "" },
    by: row.by_name,
    toldAfter: row.told_after,
    accounts: row.accounts,
    completedAt: row.completed_at,
  };
}
