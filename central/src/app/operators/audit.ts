/** Records what operators change, in the transaction of the change. */

import { AppError, id as idSchema, type AuditEntry, type AuditSubject } from "@tijolo/protocol";
import { insertAudit, listAudit as selectAudit, type AuditRow } from "../../store/tables/operators/audit.ts";
import type { Transaction } from "../../store/store.ts";
import type { BaseContext } from "../base-context.ts";
import type { OperatorActor } from "../identity/caller.ts";
import { newId } from "../new-id.ts";

/** A change for the record; its fields never hold a secret. */
export interface AuditedChange {
  subject: AuditSubject;
  before?: Record<string, unknown>;
  after?: Record<string, unknown>;
}

export async function recordAudit(
  app: Pick<BaseContext, "clock" | "random">,
  tx: Transaction,
  { id, name, address, operation }: OperatorActor,
  { subject, before, after }: AuditedChange,
): Promise<void> {
  await insertAudit(tx, {
    id: newId(app),
    at: app.clock.now(),
    operator: { id, name, address },
    action: operation,
    subject,
    before: before ?? null,
    after: after ?? null,
  });
}

/** Lists the record, newest first; the cursor is the id of the last entry that was seen. */
export async function listAudit(
  app: Pick<BaseContext, "db">,
  { cursor, limit }: { cursor?: string | undefined; limit: number },
): Promise<{ entries: AuditEntry[]; nextCursor: string | null }> {
  if (cursor !== undefined && !idSchema.safeParse(cursor).success)
    throw new AppError("invalid_request", { extra: { field: "cursor" } });
  const rows = await selectAudit(app.db, { before: cursor, limit: limit + 1 });
  const page = rows.slice(0, limit);
  return { entries: page.map(viewEntry), nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null };
}

function viewEntry({ at, operator: { id, name, address }, ...entry }: AuditRow): AuditEntry {
  return { ...entry, at: new Date(at).toISOString(), operator: { id, name }, address };
}
