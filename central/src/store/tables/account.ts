/** SQL of accounts and operators. */

import { planName, type PlanName } from "@tijolo/protocol";
import type { Reader, Transaction } from "../store.ts";
import type { Schema } from "../schema.ts";

export interface AccountRow {
  id: string;
  name: string;
  plan: PlanName;
  suspendedAt: number | null;
  /** When running projects of a suspended account stop. */
  stopsAt: number | null;
  /** When the account returns to Free: its beta is ending. */
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

export async function listAccounts(db: Reader): Promise<AccountRow[]> {
  const rows = await db.selectFrom("account").selectAll().orderBy("id").execute();
  return rows.map(accountOfRow);
}

/** What an operator, or time, changes of an account; what is left out stays. */
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

/** Accounts whose beta is over by `now`. */
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

export async function insertOperator(
  tx: Transaction,
  operator: { id: string; name: string; tokenHash: string; createdAt: number },
): Promise<void> {
  const { tokenHash, createdAt, ...same } = operator;
  await tx
    .insertInto("operator")
    .values({ ...same, token_hash: tokenHash, created_at: createdAt })
    .execute();
}

export async function findOperatorByHash(
  db: Reader,
  hash: string,
): Promise<{ id: string; name: string } | undefined> {
  return db.selectFrom("operator").select(["id", "name"]).where("token_hash", "=", hash).executeTakeFirst();
}

export async function hasOperator(db: Reader): Promise<boolean> {
  return (await db.selectFrom("operator").select("id").limit(1).executeTakeFirst()) !== undefined;
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
