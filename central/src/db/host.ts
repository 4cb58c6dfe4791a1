/** SQL of hosts and the tokens with which machines join. */

import { hostResources, type HostResources } from "@tijolo/protocol";
import type { Reader, Schema, Transaction } from "./schema.ts";

export interface HostRow {
  id: string;
  name: string;
  publicKey: string;
  resources: HostResources | null;
  desiredRevision: number;
  takenSequence: number;
  lastSeenAt: number | null;
  createdAt: number;
  revokedAt: number | null;
}

export async function insertHost(tx: Transaction, host: { id: string; name: string; publicKey: string; createdAt: number }): Promise<void> {
  await tx
    .insertInto("host")
    .values({
      id: host.id,
      name: host.name,
      public_key: host.publicKey,
      resources: null,
      build: null,
      boot_id: null,
      desired_revision: 1,
      taken_sequence: 0,
      last_seen_at: null,
      created_at: host.createdAt,
      revoked_at: null,
    })
    .execute();
}

export async function findHost(db: Reader, id: string): Promise<HostRow | undefined> {
  const row = await db.selectFrom("host").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : hostOfRow(row);
}

export async function isHostNameTaken(db: Reader, name: string): Promise<boolean> {
  return (await db.selectFrom("host").select("id").where("name", "=", name).executeTakeFirst()) !== undefined;
}

export interface HostWithLoad extends HostRow {
  /** Sum of `memoryMb` of the projects placed on it. */
  reservedMemoryMb: number;
  projects: number;
}

/** Every host that is not revoked, with what is placed on it. */
export async function listHosts(db: Reader): Promise<HostWithLoad[]> {
  const rows = await db
    .selectFrom("host")
    .leftJoin("placement", "placement.host_id", "host.id")
    .leftJoin("project", "project.id", "placement.project_id")
    .selectAll("host")
    .select((select) => [
      select.fn.coalesce(select.fn.sum<number>("project.memory_mb"), select.lit(0)).as("reserved"),
      select.fn.count<number>("project.id").as("projects"),
    ])
    .where("host.revoked_at", "is", null)
    .groupBy("host.id")
    .orderBy("host.id")
    .execute();
  return rows.map((row) => ({ ...hostOfRow(row), reservedMemoryMb: Number(row.reserved), projects: Number(row.projects) }));
}

export async function saveHostSeen(
  tx: Transaction,
  id: string,
  seen: { bootId: string; build: string; resources: HostResources; seenAt: number },
): Promise<void> {
  await tx
    .updateTable("host")
    .set({ boot_id: seen.bootId, build: seen.build, resources: JSON.stringify(seen.resources), last_seen_at: seen.seenAt })
    .where("id", "=", id)
    .execute();
}

export async function revokeHost(tx: Transaction, id: string, revokedAt: number): Promise<boolean> {
  const result = await tx
    .updateTable("host")
    .set({ revoked_at: revokedAt })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

/** To be called in every transaction that changes what is wanted of the host. */
export async function raiseDesiredRevision(tx: Transaction, hostId: string): Promise<void> {
  await tx
    .updateTable("host")
    .set((update) => ({ desired_revision: update("desired_revision", "+", 1) }))
    .where("id", "=", hostId)
    .execute();
}

export async function saveTakenSequence(tx: Transaction, hostId: string, sequence: number): Promise<void> {
  await tx.updateTable("host").set({ taken_sequence: sequence }).where("id", "=", hostId).execute();
}

export async function insertJoinToken(tx: Transaction, token: { hash: string; expiresAt: number; createdAt: number }): Promise<void> {
  await tx
    .insertInto("join_token")
    .values({ hash: token.hash, expires_at: token.expiresAt, used_at: null, created_at: token.createdAt })
    .execute();
}

/** Marks a living token as used; false when there is none: wrong, used already, or expired. */
export async function useJoinToken(tx: Transaction, hash: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable("join_token")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}

function hostOfRow(row: Schema["host"]): HostRow {
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    resources: row.resources === null ? null : hostResources.parse(JSON.parse(row.resources)),
    desiredRevision: row.desired_revision,
    takenSequence: row.taken_sequence,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
  };
}
