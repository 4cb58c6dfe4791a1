/** Holds the SQL of what was done in an account. */

import {
  activityActions,
  actorKinds,
  changedFields,
  type ActivityAction,
  type ActivityEntry,
  type ActorKind,
} from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

const actorKind = z.enum(actorKinds);
const activityAction = z.enum(activityActions);

interface ActivityBase {
  /** Time-ordered id: its time is `at`. */
  id: string;
  accountId: string;
  at: number;
  actor: { kind: ActorKind; id: string | null; name: string; address: string | null };
  action: ActivityAction;
  project: { id: string; name: string } | null;
}

export interface NewActivity extends ActivityBase {
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export interface ActivityRow extends ActivityBase {
  before: ActivityEntry["before"];
  after: ActivityEntry["after"];
}

export async function insertActivity(tx: Transaction, entry: NewActivity): Promise<void> {
  await tx
    .insertInto("activity")
    .values({
      id: entry.id,
      account_id: entry.accountId,
      at: entry.at,
      actor_kind: entry.actor.kind,
      actor_id: entry.actor.id,
      actor_name: entry.actor.name,
      action: entry.action,
      project_id: entry.project?.id ?? null,
      project_name: entry.project?.name ?? null,
      address: entry.actor.address,
      before_fields: entry.before === null ? null : JSON.stringify(entry.before),
      after_fields: entry.after === null ? null : JSON.stringify(entry.after),
    })
    .execute();
}

interface Page {
  /** Id of an entry, which need not exist; the page has only what is older. Undefined: from the newest on. */
  before: string | undefined;
  limit: number;
}

/** Returns the activity, newest first. */
export async function listActivity(
  db: Reader,
  accountId: string,
  { before, limit }: Page,
): Promise<ActivityRow[]> {
  let query = db.selectFrom("activity").selectAll().where("account_id", "=", accountId);
  if (before !== undefined) query = query.where("id", "<", before);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(activityOfRow);
}

/** Returns what was done to one project, of these kinds; newest first. */
export async function listProjectActivity(
  db: Reader,
  projectId: string,
  { actions, before, limit }: Page & { actions: readonly ActivityAction[] },
): Promise<ActivityRow[]> {
  let query = db
    .selectFrom("activity")
    .selectAll()
    .where("project_id", "=", projectId)
    .where("action", "in", actions);
  if (before !== undefined) query = query.where("id", "<", before);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(activityOfRow);
}

/** Returns the restored projects of all accounts, from the id on; newest first. */
export async function listRestored(db: Reader, from: string, limit: number): Promise<ActivityRow[]> {
  const restored = db
    .selectFrom("activity")
    .selectAll()
    .where("id", ">=", from)
    .where("action", "=", "project.restore");
  return (await restored.orderBy("id", "desc").limit(limit).execute()).map(activityOfRow);
}

/** Returns the projects that the service itself stopped since then. */
export async function listServiceStops(
  db: Reader,
  accountId: string,
  since: number,
): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom("activity")
    .select("project_id")
    .distinct()
    .where("account_id", "=", accountId)
    .where("actor_kind", "=", "service")
    .where("action", "=", "project.stop")
    .where("at", ">=", since)
    .where("project_id", "is not", null)
    .execute();
  return new Set(rows.flatMap(({ project_id }) => project_id ?? []));
}

/** Removes entries below the id, at most `limit`; returns how many. */
export async function deleteActivityBelow(tx: Transaction, below: string, limit: number): Promise<number> {
  const result = await tx
    .deleteFrom("activity")
    .where("id", "in", (select) =>
      select.selectFrom("activity").select("id").where("id", "<", below).orderBy("id").limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function activityOfRow(row: Schema["activity"]): ActivityRow {
  return {
    id: row.id,
    accountId: row.account_id,
    at: row.at,
    actor: {
      kind: actorKind.parse(row.actor_kind),
      id: row.actor_id,
      name: row.actor_name,
      address: row.address,
    },
    action: activityAction.parse(row.action),
    project: row.project_id === null ? null : { id: row.project_id, name: row.project_name ?? "" },
    before: fieldsOf(row.before_fields),
    after: fieldsOf(row.after_fields),
  };
}

function fieldsOf(text: string | null): ActivityEntry["before"] {
  return text === null ? null : changedFields.parse(JSON.parse(text));
}
