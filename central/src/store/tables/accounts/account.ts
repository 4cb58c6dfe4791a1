/** Holds the SQL of accounts. */

import { planName, type PlanName } from "@tijolo/protocol";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface AccountRow {
  id: string;
  name: string;
  plan: PlanName;
  suspendedAt: number | null;
  /** Time when running projects of a suspended account stop. */
  stopsAt: number | null;
  /** Time when the account returns to Free: its beta is ending. */
  betaEndsAt: number | null;
  createdAt: number;
}

export async function insertAccount(tx: Transaction, account: AccountRow): Promise<void> {
  const { suspendedAt, stopsAt, betaEndsAt, createdAt, ...same } = account;
  await tx
    .insertInto("account")
    .values({
      ...same,
      suspended_at: suspendedAt,
      stops_at: stopsAt,
      beta_ends_at: betaEndsAt,
      created_at: createdAt,
    })
    .execute();
}

export async function findAccount(db: Reader, id: string): Promise<AccountRow | undefined> {
  const row = await db.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : accountOfRow(row);
}

/** Returns the oldest accounts first; with `after`, only those that came after the account with this id. */
export async function listAccounts(
  db: Reader,
  { after, limit }: { after: string | undefined; limit: number },
): Promise<AccountRow[]> {
  let query = db.selectFrom("account").selectAll();
  if (after !== undefined) query = query.where("id", ">", after);
  return (await query.orderBy("id").limit(limit).execute()).map(accountOfRow);
}

/** Fields of an account that an operator, or time, changes; those left out stay. */
export type AccountChange = Partial<Pick<AccountRow, "plan" | "suspendedAt" | "stopsAt" | "betaEndsAt">>;

export async function updateAccount(
  tx: Transaction,
  id: string,
  { plan, suspendedAt, stopsAt, betaEndsAt }: AccountChange,
): Promise<void> {
  await tx
    .updateTable("account")
    .set({
      ...(plan === undefined ? {} : { plan }),
      ...(suspendedAt === undefined ? {} : { suspended_at: suspendedAt }),
      ...(stopsAt === undefined ? {} : { stops_at: stopsAt }),
      ...(betaEndsAt === undefined ? {} : { beta_ends_at: betaEndsAt }),
    })
    .where("id", "=", id)
    .execute();
  tx.wake(`account:${id}`);
}

export async function listAccountsNamed(db: Reader, name: string, limit: number): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom("account")
    .selectAll()
    .where("name", "=", name)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(accountOfRow);
}

/** Returns the accounts whose beta is over by `now`. */
export async function listEndedBetas(db: Reader, now: number, limit: number): Promise<AccountRow[]> {
  const rows = await db
    .selectFrom("account")
    .selectAll()
    .where("beta_ends_at", "<=", now)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(accountOfRow);
}

export function accountOfRow(row: Schema["account"]): AccountRow {
  return {
    id: row.id,
    name: row.name,
    plan: planName.parse(row.plan),
    suspendedAt: row.suspended_at,
    stopsAt: row.stops_at,
    betaEndsAt: row.beta_ends_at,
    createdAt: row.created_at,
  };
}
