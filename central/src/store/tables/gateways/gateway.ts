/** Holds the SQL of gateways: the machines where visitors arrive. */

import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface GatewayRow {
  id: string;
  name: string;
  publicKey: string;
  build: string | null;
  /** Where it runs, as it said when it was last connected; null before. */
  machine: string | null;
  lastSeenAt: number | null;
  createdAt: number;
  revokedAt: number | null;
}

export async function insertGateway(
  tx: Transaction,
  gateway: Pick<GatewayRow, "id" | "name" | "publicKey" | "createdAt">,
): Promise<void> {
  await tx
    .insertInto("gateway")
    .values({
      id: gateway.id,
      name: gateway.name,
      public_key: gateway.publicKey,
      build: null,
      machine: null,
      last_seen_at: null,
      created_at: gateway.createdAt,
      revoked_at: null,
    })
    .execute();
}

export async function findGateway(db: Reader, id: string): Promise<GatewayRow | undefined> {
  const row = await db.selectFrom("gateway").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : gatewayOfRow(row);
}

/** Finds a gateway by its key, also one that was removed. */
export async function findGatewayOfKey(db: Reader, publicKey: string): Promise<GatewayRow | undefined> {
  const row = await db
    .selectFrom("gateway")
    .selectAll()
    .where("public_key", "=", publicKey)
    .executeTakeFirst();
  return row === undefined ? undefined : gatewayOfRow(row);
}

/** Returns the gateways that were not removed, the first that joined first. */
export async function listGateways(db: Reader): Promise<GatewayRow[]> {
  const rows = await db
    .selectFrom("gateway")
    .selectAll()
    .where("revoked_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map(gatewayOfRow);
}

export async function saveGatewaySeen(
  tx: Transaction,
  id: string,
  seen: { build: string; machine: string; seenAt: number },
): Promise<void> {
  await tx
    .updateTable("gateway")
    .set({ build: seen.build, machine: seen.machine, last_seen_at: seen.seenAt })
    .where("id", "=", id)
    .execute();
  tx.wake("mesh");
}

/** Returns false when it was removed before. */
export async function revokeGateway(tx: Transaction, id: string, revokedAt: number): Promise<boolean> {
  const result = await tx
    .updateTable("gateway")
    .set({ revoked_at: revokedAt })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  tx.wake("mesh");
  return result.numUpdatedRows > 0n;
}

function gatewayOfRow(row: Schema["gateway"]): GatewayRow {
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    build: row.build,
    machine: row.machine,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
