/** Holds the SQL of hosts and the tokens with which machines join. */

import { hostResources, type HostResources } from "@tijolo/protocol";
import type { ExpressionBuilder } from "kysely";
import type { Reader, Transaction } from "../../store.ts";
import type { Schema } from "../../schema.ts";

export interface HostRow {
  id: string;
  name: string;
  publicKey: string;
  resources: HostResources | null;
  /** Version of the agent, as reported when it was last connected. */
  build: string | null;
  desiredRevision: number;
  takenSequence: number;
  lastSeenAt: number | null;
  createdAt: number;
  revokedAt: number | null;
  /** Most memory that is counted of it: an operator's value, or its own at its first hello; null before. */
  memoryCapMb: number | null;
  /** Where it runs, as it said when it was last connected; null before. */
  machine: string | null;
  /** Addresses that central gives its projects in the mesh; null: none yet. */
  meshRange: string | null;
}

export async function insertHost(
  tx: Transaction,
  host: { id: string; name: string; publicKey: string; createdAt: number; memoryCapMb?: number | null },
): Promise<void> {
  await tx
    .insertInto("host")
    .values({
      id: host.id,
      name: host.name,
      public_key: host.publicKey,
      resources: null,
      build: null,
      desired_revision: 1,
      taken_sequence: 0,
      last_seen_at: null,
      created_at: host.createdAt,
      revoked_at: null,
      memory_cap_mb: host.memoryCapMb ?? null,
      epoch_ahead: null,
      machine: null,
      mesh_range: null,
      mesh_key: null,
      mesh_own: null,
    })
    .execute();
}

/** Returns how far above central's own epoch the host is led; null when it was not led since a restore. */
export async function findEpochAhead(db: Reader, id: string): Promise<number | null> {
  const row = await db.selectFrom("host").select("epoch_ahead").where("id", "=", id).executeTakeFirst();
  return row?.epoch_ahead ?? null;
}

export async function saveEpochAhead(tx: Transaction, id: string, ahead: number): Promise<void> {
  await tx.updateTable("host").set({ epoch_ahead: ahead }).where("id", "=", id).execute();
}

/** Clears the distances, because no host was led since this restore. */
export async function clearEpochsAhead(tx: Transaction): Promise<void> {
  await tx.updateTable("host").set({ epoch_ahead: null }).execute();
}

export async function findHost(db: Reader, id: string): Promise<HostRow | undefined> {
  const row = await db.selectFrom("host").selectAll().where("id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : hostOfRow(row);
}

/** Finds a host by its key, also one that is revoked. */
export async function findHostOfKey(db: Reader, publicKey: string): Promise<HostRow | undefined> {
  const row = await db.selectFrom("host").selectAll().where("public_key", "=", publicKey).executeTakeFirst();
  return row === undefined ? undefined : hostOfRow(row);
}

export async function isHostNameTaken(db: Reader, name: string): Promise<boolean> {
  return (await db.selectFrom("host").select("id").where("name", "=", name).executeTakeFirst()) !== undefined;
}

export interface HostWithLoad extends HostRow {
  /** Memory in MiB that the projects placed on it hold, together. */
  reservedMemoryMb: number;
  projects: number;
}

/** Returns every host that is not revoked, with the load placed on it. */
export async function listHosts(db: Reader): Promise<HostWithLoad[]> {
  const rows = await selectHosts(db).where("host.revoked_at", "is", null).execute();
  return rows.map(hostWithLoadOfRow);
}

export async function findHostWithLoad(db: Reader, id: string): Promise<HostWithLoad | undefined> {
  const row = await selectHosts(db).where("host.id", "=", id).executeTakeFirst();
  return row === undefined ? undefined : hostWithLoadOfRow(row);
}

const selectHosts = (db: Reader) =>
  db
    .selectFrom("host")
    .leftJoin("placement", "placement.host_id", "host.id")
    .selectAll("host")
    .select((select) => [
      select.fn.coalesce(select.fn.sum<number>("placement.reserved_memory_mb"), select.lit(0)).as("reserved"),
      select.fn.count<number>("placement.host_id").as("projects"),
    ])
    .groupBy("host.id")
    .orderBy("host.id");

function hostWithLoadOfRow(row: Schema["host"] & { reserved: number; projects: number }): HostWithLoad {
  return { ...hostOfRow(row), reservedMemoryMb: Number(row.reserved), projects: Number(row.projects) };
}

export async function saveHostSeen(
  tx: Transaction,
  id: string,
  seen: { build: string; resources: HostResources; machine?: string | undefined; seenAt: number },
): Promise<void> {
  await tx
    .updateTable("host")
    .set({
      build: seen.build,
      resources: JSON.stringify(seen.resources),
      machine: seen.machine ?? null,
      last_seen_at: seen.seenAt,
    })
    .where("id", "=", id)
    .execute();
}

export async function saveMemoryCap(tx: Transaction, id: string, memoryCapMb: number): Promise<void> {
  await tx.updateTable("host").set({ memory_cap_mb: memoryCapMb }).where("id", "=", id).execute();
}

/** Saves the time of each host's last contact. */
export async function saveHostsHeard(
  tx: Transaction,
  heard: readonly (readonly [id: string, heardAt: number])[],
): Promise<void> {
  for (const [id, heardAt] of heard) {
    const isLater = (where: ExpressionBuilder<Schema, "host">) =>
      where.or([where("last_seen_at", "is", null), where("last_seen_at", "<", heardAt)]);
    await tx.updateTable("host").set({ last_seen_at: heardAt }).where("id", "=", id).where(isLater).execute();
  }
}

/** Marks a host as revoked, and ends its part in the mesh: its range is free for others. */
export async function revokeHost(tx: Transaction, id: string, revokedAt: number): Promise<boolean> {
  const result = await tx
    .updateTable("host")
    .set({ revoked_at: revokedAt, mesh_range: null, mesh_key: null, mesh_own: null })
    .where("id", "=", id)
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  tx.wake("mesh");
  return result.numUpdatedRows > 0n;
}

/**
 * Must be called in every transaction that changes the desired state of a host, after the change: raises the
 * host's revision, marks the placements and departures of the changed projects with it, and wakes the host's
 * link and the watchers of the projects when the transaction is committed.
 */
export async function wantedChanged(
  tx: Transaction,
  hostId: string,
  projectIds: readonly string[],
): Promise<void> {
  const { desired_revision: revision } = await tx
    .updateTable("host")
    .set((update) => ({ desired_revision: update("desired_revision", "+", 1) }))
    .where("id", "=", hostId)
    .returning("desired_revision")
    .executeTakeFirstOrThrow();
  tx.wake(`host:${hostId}`);
  if (projectIds.length === 0) return;
  await tx
    .updateTable("placement")
    .set({ wanted_revision: revision })
    .where("host_id", "=", hostId)
    .where("project_id", "in", projectIds)
    .execute();
  await tx
    .updateTable("departure")
    .set({ revision })
    .where("host_id", "=", hostId)
    .where("project_id", "in", projectIds)
    .execute();
  for (const projectId of projectIds) tx.wake(`project:${projectId}`);
}

/** Calls {@link wantedChanged} for each host that has some of these projects. */
export async function wantedChangedOf(
  tx: Transaction,
  projects: readonly { id: string; hostId: string }[],
): Promise<void> {
  for (const [hostId, placed] of Map.groupBy(projects, (project) => project.hostId))
    await wantedChanged(
      tx,
      hostId,
      placed.map(({ id }) => id),
    );
}

export async function saveTakenSequence(tx: Transaction, hostId: string, sequence: number): Promise<void> {
  await tx.updateTable("host").set({ taken_sequence: sequence }).where("id", "=", hostId).execute();
}

export async function insertJoinToken(
  tx: Transaction,
  token: { hash: string; expiresAt: number; createdAt: number; memoryCapMb?: number | null },
): Promise<void> {
  await tx
    .insertInto("join_token")
    .values({
      hash: token.hash,
      expires_at: token.expiresAt,
      used_at: null,
      created_at: token.createdAt,
      memory_cap_mb: token.memoryCapMb ?? null,
    })
    .execute();
}

/** True when the token is valid: neither wrong, nor used, nor expired. */
export async function hasJoinToken(db: Reader, hash: string, now: number): Promise<boolean> {
  const found = await db
    .selectFrom("join_token")
    .select("hash")
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .executeTakeFirst();
  return found !== undefined;
}

/** Marks a valid token as used and returns it; undefined when it is wrong, used or expired. */
export async function useJoinToken(
  tx: Transaction,
  hash: string,
  now: number,
): Promise<{ memoryCapMb: number | null } | undefined> {
  const row = await tx
    .updateTable("join_token")
    .set({ used_at: now })
    .where("hash", "=", hash)
    .where("used_at", "is", null)
    .where("expires_at", ">", now)
    .returning("memory_cap_mb")
    .executeTakeFirst();
  return row === undefined ? undefined : { memoryCapMb: row.memory_cap_mb };
}

/** Removes tokens that are expired by then, at most `limit`; returns how many. */
export async function deleteExpiredJoinTokens(tx: Transaction, now: number, limit: number): Promise<number> {
  const result = await tx
    .deleteFrom("join_token")
    .where("hash", "in", (select) =>
      select.selectFrom("join_token").select("hash").where("expires_at", "<=", now).limit(limit),
    )
    .executeTakeFirst();
  return Number(result.numDeletedRows);
}

function hostOfRow(row: Schema["host"]): HostRow {
  return {
    id: row.id,
    name: row.name,
    publicKey: row.public_key,
    resources: row.resources === null ? null : parseResources(row.resources),
    build: row.build,
    desiredRevision: row.desired_revision,
    takenSequence: row.taken_sequence,
    lastSeenAt: row.last_seen_at,
    createdAt: row.created_at,
    revokedAt: row.revoked_at,
    memoryCapMb: row.memory_cap_mb,
    machine: row.machine,
    meshRange: row.mesh_range,
  };
}

/**
 * Parses as `parseObserved` of projects does: a host whose stored resources break the rules counts as one
 * that reported none until its next hello.
 */
function parseResources(text: string): HostResources | null {
  return hostResources.safeParse(JSON.parse(text)).data ?? null;
}
