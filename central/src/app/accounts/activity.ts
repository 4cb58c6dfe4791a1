/** Records what is done in an account, in the transaction that does it. */

import { AppError, id, makeId, type ActivityAction, type ActivityEntry } from "@tijolo/protocol";
import type { AccountRow } from "../../store/tables/accounts/account.ts";
import {
  insertActivity,
  listActivity as selectActivity,
  type ActivityRow,
} from "../../store/tables/accounts/activity.ts";
import type { Transaction } from "../../store/store.ts";
import type { Actor } from "../identity/caller.ts";
import type { AccountsContext } from "./accounts-context.ts";
import { recordAudit, type AuditedChange } from "../operators/audit.ts";

/** Values of fields before or after; never a secret. */
export type FieldValues = Record<string, unknown>;

interface NewActivity {
  accountId: string;
  actor: Actor;
  action: ActivityAction;
  project?: { id: string; name: string };
  before?: FieldValues;
  after?: FieldValues;
}

export async function recordActivity(
  app: Pick<AccountsContext, "clock" | "random">,
  tx: Transaction,
  entry: NewActivity,
): Promise<void> {
  const at = app.clock.now();
  await insertActivity(tx, {
    id: makeId(at, app.random(10)),
    accountId: entry.accountId,
    at,
    actor: entry.actor,
    action: entry.action,
    project: entry.project ?? null,
    before: entry.before ?? null,
    after: entry.after ?? null,
  });
  if (entry.actor.kind === "operator") await recordAudit(app, tx, entry.actor, auditedChangeOf(entry));
}

/**
 * Returns what an operator changes of an account for the record of operators' changes, which needs it too.
 */
function auditedChangeOf({ accountId, project, before, after }: NewActivity): AuditedChange {
  return {
    subject:
      project === undefined
        ? { kind: "account", id: accountId, name: null }
        : { kind: "project", id: project.id, name: project.name },
    ...(before === undefined ? {} : { before }),
    ...(after === undefined ? {} : { after }),
  };
}

/** Returns the fields of `after` that `before` has otherwise, on both sides; null when nothing differs. */
export function changesBetween(
  before: FieldValues,
  after: FieldValues,
): { before: FieldValues; after: FieldValues } | null {
  const names = Object.keys(after).filter(
    (name) => after[name] !== before[name] && JSON.stringify(after[name]) !== JSON.stringify(before[name]),
  );
  if (names.length === 0) return null;
  const pick = (fields: FieldValues) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { before: pick(before), after: pick(after) };
}

/** Lists the activity, newest first; the cursor is the id of the last entry that was seen. */
export async function listActivity(
  app: Pick<AccountsContext, "db">,
  account: AccountRow,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ activity: ActivityEntry[]; nextCursor: string | null }> {
  if (cursor !== undefined && !id.safeParse(cursor).success)
    throw new AppError("invalid_request", { extra: { field: "cursor" } });
  const rows = await selectActivity(app.db, account.id, { before: cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return {
    activity: page.map(viewEntry),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}

function viewEntry({ id, at, actor, action, project, before, after }: ActivityRow): ActivityEntry {
  return {
    id,
    at: new Date(at).toISOString(),
    actor: { kind: actor.kind, name: actor.name },
    action,
    project,
    address: actor.address,
    before,
    after,
  };
}
