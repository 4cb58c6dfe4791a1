/** Holds the SQL of what hosts are in the mesh. */

import { meshKey, meshMember } from "@tijolo/protocol";
import { z } from "zod";
import type { Reader, Transaction } from "../../store.ts";

/** What a host says of itself beside its key, and the address from which central sees it. */
const meshOwn = meshMember.pick({ port: true, range: true, address: true }).extend({
  /** Key that the host is going to use, and since when central knows it; null: none. */
  next: z.object({ key: meshKey, sinceMs: z.int() }).nullable().default(null),
});
export type MeshOwn = z.infer<typeof meshOwn>;

export interface MeshHostRow {
  id: string;
  name: string;
  createdAt: number;
  /** Range that central gives it; null: none. */
  givenRange: string | null;
  /** Null as long as it said nothing of the mesh. */
  own: (MeshOwn & { key: string }) | null;
  /** Where it runs, as it said when it was last connected; null before. */
  machine: string | null;
  /** True when a gateway runs on the same machine. */
  hasGateway: boolean;
}

/** Returns the hosts that are not revoked. */
export async function listMeshHosts(db: Reader): Promise<MeshHostRow[]> {
  const rows = await db
    .selectFrom("host")
    .select(["id", "name", "created_at", "machine", "mesh_range", "mesh_key", "mesh_own"])
    .select((select) =>
      select
        .exists(
          select
            .selectFrom("gateway")
            .select("gateway.id")
            .whereRef("gateway.machine", "=", "host.machine")
            .where("gateway.revoked_at", "is", null),
        )
        .as("has_gateway"),
    )
    .where("revoked_at", "is", null)
    .orderBy("id")
    .execute();
  return rows.map((row) => {
    const own = row.mesh_own === null ? undefined : meshOwn.safeParse(JSON.parse(row.mesh_own)).data;
    return {
      id: row.id,
      name: row.name,
      createdAt: row.created_at,
      givenRange: row.mesh_range,
      own: own === undefined || row.mesh_key === null ? null : { ...own, key: row.mesh_key },
      machine: row.machine,
      hasGateway: Boolean(row.has_gateway),
    };
  });
}

export async function saveMeshRange(tx: Transaction, id: string, range: string): Promise<void> {
  await tx.updateTable("host").set({ mesh_range: range }).where("id", "=", id).execute();
  tx.wake("mesh");
}

/** Saves what a host says that it is; a key that another host has violates a unique index. */
export async function saveMeshOwn(
  tx: Transaction,
  id: string,
  { key, ...own }: MeshOwn & { key: string },
): Promise<void> {
  await tx
    .updateTable("host")
    .set({ mesh_key: key, mesh_own: JSON.stringify(own) })
    .where("id", "=", id)
    .execute();
  tx.wake("mesh");
}
