/** Holds the SQL of sites' own domains. */

import { domainErrorCode, domainStatus, type DomainStatus } from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

/** What DNS answered about a domain; null: the name servers did not answer. */
export const seenRecords = z.object({
  txt: z.array(z.string()),
  cname: z.string().nullable(),
  addresses: z.array(z.string()),
  challenge: z.string().nullable(),
  isReachedThroughOthers: z.boolean(),
});
export type SeenRecords = z.infer<typeof seenRecords>;

const domainFault = z.object({ code: domainErrorCode, addresses: z.array(z.string()) });
/** What is missing of a domain; `addresses` are wrong ones. */
export type DomainFault = z.infer<typeof domainFault>;

export interface DomainRow {
  id: string;
  projectId: string;
  accountId: string;
  hostname: string;
  status: DomainStatus;
  redirectTo: string | null;
  seen: SeenRecords | null;
  error: DomainFault | null;
  createdAt: number;
  checkedAt: number | null;
  /** Time of the next check; null: it is not checked any more. */
  nextCheckAt: number | null;
  /** Time of the first check without the proof, of a domain that is active. */
  proofMissingSince: number | null;
  /** Time when its owner was told so. */
  missingNotedAt: number | null;
}

/** A hostname that visits reach a project by. */
export interface ActiveHostname {
  hostname: string;
  projectId: string;
  redirectTo: string | null;
}

export async function listDomainsOfProject(db: Reader, projectId: string): Promise<DomainRow[]> {
  const rows = await db
    .selectFrom("domain")
    .selectAll()
    .where("project_id", "=", projectId)
    .orderBy("id")
    .execute();
  return rows.map(domainOfRow);
}

export async function findDomain(db: Reader, id: string): Promise<DomainRow | undefined> {
  const row = await db.selectFrom("domain").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : domainOfRow(row);
}

export async function findDomainOfAccount(
  db: Reader,
  accountId: string,
  hostname: string,
): Promise<DomainRow | undefined> {
  const row = await db
    .selectFrom("domain")
    .selectAll()
    .where("account_id", "=", accountId)
    .where("hostname", "=", hostname)
    .executeTakeFirst();
  return row === undefined ? undefined : domainOfRow(row);
}

/** Returns the one active domain of this name. */
export async function findActiveDomain(db: Reader, hostname: string): Promise<DomainRow | undefined> {
  const row = await db
    .selectFrom("domain")
    .selectAll()
    .where("hostname", "=", hostname)
    .where("status", "=", "active")
    .executeTakeFirst();
  return row === undefined ? undefined : domainOfRow(row);
}

/** Returns a cached row, for the gateway. */
export function findActiveHostname(
  db: Reader,
  hostname: string,
): Promise<Readonly<ActiveHostname> | undefined> {
  return db.cached(`domain ${hostname}`, async () => {
    const row = await selectActive(db).where("hostname", "=", hostname).executeTakeFirst();
    return row === undefined ? undefined : hostnameOfRow(row);
  });
}

export async function listActiveHostnames(db: Reader): Promise<ActiveHostname[]> {
  return (await selectActive(db).orderBy("hostname").execute()).map(hostnameOfRow);
}

/** Returns the account whose active domain has this name. */
export async function findAccountOfDomain(db: Reader, hostname: string): Promise<string | undefined> {
  const row = await db
    .selectFrom("domain")
    .select("account_id")
    .where("hostname", "=", hostname)
    .where("status", "=", "active")
    .executeTakeFirst();
  return row?.account_id;
}

/** Returns the names of active domains, and since when the proof of each is gone; null: it is there. */
export async function listProvenHostnames(
  db: Reader,
): Promise<{ hostname: string; proofMissingSince: number | null }[]> {
  const rows = await db
    .selectFrom("domain")
    .select(["hostname", "proof_missing_since"])
    .where("status", "=", "active")
    .orderBy("hostname")
    .execute();
  return rows.map((row) => ({ hostname: row.hostname, proofMissingSince: row.proof_missing_since }));
}

const selectActive = (db: Reader) =>
  db.selectFrom("domain").select(["hostname", "project_id", "redirect_to"]).where("status", "=", "active");

function hostnameOfRow(
  row: Pick<Schema["domain"], "hostname" | "project_id" | "redirect_to">,
): ActiveHostname {
  return { hostname: row.hostname, projectId: row.project_id, redirectTo: row.redirect_to };
}

/** Returns the ids of domains whose check is due, the longest due first. */
export async function listDueDomains(db: Reader, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("domain")
    .select("id")
    .where("next_check_at", "<=", now)
    .orderBy("next_check_at")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function countDomains(db: Reader, accountId: string): Promise<number> {
  const { count } = await db
    .selectFrom("domain")
    .select((select) => select.fn.countAll<number>().as("count"))
    .where("account_id", "=", accountId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Counts the domains of every account that has one. */
export async function countDomainsByAccount(db: Reader): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom("domain")
    .select((select) => ["account_id", select.fn.countAll<number>().as("count")])
    .groupBy("account_id")
    .execute();
  return new Map(rows.map((row) => [row.account_id, Number(row.count)]));
}

export async function insertDomain(tx: Transaction, row: DomainRow): Promise<void> {
  await tx
    .insertInto("domain")
    .values({
      id: row.id,
      project_id: row.projectId,
      account_id: row.accountId,
      hostname: row.hostname,
      redirect_to: row.redirectTo,
      created_at: row.createdAt,
      ...changingColumns(row),
    })
    .execute();
  tx.wake(`account:${row.accountId}`);
}

/** Stores what a check changed; the domains that visits can use may be others now. */
export async function saveDomainCheck(tx: Transaction, row: DomainRow): Promise<void> {
  await tx.updateTable("domain").set(changingColumns(row)).where("id", "=", row.id).execute();
  tx.wake("domains");
}

export async function deleteDomain(
  tx: Transaction,
  { id, accountId }: Pick<DomainRow, "id" | "accountId">,
): Promise<void> {
  await tx.deleteFrom("domain").where("id", "=", id).execute();
  tx.wake("domains");
  tx.wake(`account:${accountId}`);
}

function changingColumns(row: DomainRow) {
  return {
    status: row.status,
    seen: row.seen === null ? null : JSON.stringify(row.seen),
    error: row.error === null ? null : JSON.stringify(row.error),
    checked_at: row.checkedAt,
    next_check_at: row.nextCheckAt,
    proof_missing_since: row.proofMissingSince,
    missing_noted_at: row.missingNotedAt,
  };
}

function domainOfRow(row: Schema["domain"]): DomainRow {
  return {
    id: row.id,
    projectId: row.project_id,
    accountId: row.account_id,
    hostname: row.hostname,
    status: domainStatus.parse(row.status),
    redirectTo: row.redirect_to,
    seen: row.seen === null ? null : seenRecords.parse(JSON.parse(row.seen)),
    error: row.error === null ? null : domainFault.parse(JSON.parse(row.error)),
    createdAt: row.created_at,
    checkedAt: row.checked_at,
    nextCheckAt: row.next_check_at,
    proofMissingSince: row.proof_missing_since,
    missingNotedAt: row.missing_noted_at,
  };
}
