/** Holds the SQL of what operators changed. */

import { auditSubjectKinds, changedFields, type AuditEntry, type AuditSubject } from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

const auditSubjectKind = z.enum(auditSubjectKinds);

export interface NewAudit {
  /** Time-ordered id: its time is `at`. */
  id: string;
  at: number;
  operator: { id: string; name: string; address: string };
  /** The name of the operation. */
  action: string;
  subject: AuditSubject;
  before: Record<string, unknown> | null;
  after: Record<string, unknown> | null;
}

export type AuditRow = Omit<NewAudit, "before" | "after"> & Pick<AuditEntry, "before" | "after">;

export async function insertAudit(tx: Transaction, entry: NewAudit): Promise<void> {
  await tx
    .insertInto("audit")
    .values({
      id: entry.id,
      at: entry.at,
      operator_id: entry.operator.id,
      operator_name: entry.operator.name,
      address: entry.operator.address,
      action: entry.action,
      subject_kind: entry.subject.kind,
      subject_id: entry.subject.id,
      subject_name: entry.subject.name,
      before_fields: entry.before === null ? null : JSON.stringify(entry.before),
      after_fields: entry.after === null ? null : JSON.stringify(entry.after),
    })
    .execute();
}

/** Returns the newest entries first; with `before`, only those older than the entry with this id. */
export async function listAudit(
  db: Reader,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<AuditRow[]> {
  let query = db.selectFrom("audit").selectAll();
  if (before !== undefined) query = query.where("id", "<", before);
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(auditOfRow);
}

/** Removes entries below the id, at most `limit`; returns how many. */
export async function deleteAuditBelow(tx: Transaction, below: string, limit: number): Promise<number> {
  const result = await tx
    .deleteFrom("audit")
    .where("id", "in", (select) =>
      select.selectFrom("audit").select("id").where("id", "<", below).orderBy("id").limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function auditOfRow(row: Schema["audit"]): AuditRow {
  return {
    id: row.id,
    at: row.at,
    operator: { id: row.operator_id, name: row.operator_name, address: row.address },
    action: row.action,
    subject: {
      kind: auditSubjectKind.parse(row.subject_kind),
      id: row.subject_id,
      name: row.subject_name,
    },
    before: fieldsOf(row.before_fields),
    after: fieldsOf(row.after_fields),
  };
}

function fieldsOf(text: string | null): AuditEntry["before"] {
  return text === null ? null : changedFields.parse(JSON.parse(text));
}
