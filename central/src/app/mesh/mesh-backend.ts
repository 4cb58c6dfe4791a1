/** Connects the mesh to the link, which itself never touches the database. */

import { AppError, type MeshNews, type MeshRequest, type MeshUpdate } from "@tijolo/protocol";
import { findHost } from "../../store/tables/hosts/host.ts";
import { listMeshHosts, saveMeshOwn, type MeshHostRow } from "../../store/tables/hosts/mesh-host.ts";
import { transact } from "../../store/store.ts";
import { parseNetwork } from "./ipv4-network.ts";
import type { MeshContext } from "./mesh-context.ts";
import { giveRange, isOfCluster } from "./mesh-range.ts";

export interface MeshBackend {
  /**
   * Stores what a host says that it is, and the address from which central sees it; null: this machine.
   * Throws AppError `invalid_request` for a range that is no network, and for a key that another host has or
   * is going to have.
   */
  storeOwn(hostId: string, own: MeshRequest, address: string | null): Promise<void>;
  /** Stores which next keys of others a host lets in, for as long as it is connected by this connection. */
  setLetIn(hostId: string, connection: object, letIn: MeshNews["letIn"]): void;
  /** Must be called when a connection that may have called {@link setLetIn} reports no more. */
  leave(hostId: string, connection: object): void;
  /** Returns all that the host is to know now. */
  updateFor(hostId: string): MeshUpdate;
  /** Calls back when that may have changed. Returns the unsubscribe function. */
  onChange(hostId: string, listener: () => void): () => void;
  /** True when datagrams are carried between the two. */
  areNeighbours(hostId: string, otherId: string): boolean;
}

export function createMeshBackend(app: MeshContext): MeshBackend {
  const { mesh } = app;
  return {
    storeOwn: (hostId, own, address) => storeOwn(app, hostId, own, address),
    setLetIn: (hostId, connection, letIn) => mesh.keyChanges.setLetIn(hostId, connection, letIn),
    leave: (hostId, connection) => mesh.keyChanges.clearLetIn(hostId, connection),
    updateFor: (hostId) => mesh.updateFor(hostId),
    onChange: (hostId, listener) => mesh.onChange(hostId, listener),
    areNeighbours: (hostId, otherId) => mesh.areNeighbours(hostId, otherId),
  };
}

async function storeOwn(
  app: MeshContext,
  hostId: string,
  said: MeshRequest,
  address: string | null,
): Promise<void> {
  const { key, nextKey, port, range } = said;
  if (parseNetwork(range) === undefined || key === nextKey) throw new AppError("invalid_request");
  const nowMs = app.clock.now();
  const after = (before: MeshHostRow["own"]): NonNullable<MeshHostRow["own"]> => ({
    key,
    port,
    range,
    address,
    next: nextKey === undefined ? null : { key: nextKey, sinceMs: sinceOf(nextKey, before, nowMs) },
  });
  const known = app.mesh.findHost(hostId);
  const isKept = isOfCluster(known?.givenRange ?? null, app.mesh.network);
  if (known !== undefined && isKept && isSame(known.own, after(known.own))) return;
  await transact(app.db, async (tx) => {
    const host = await findHost(tx, hostId);
    if (host === undefined || host.revokedAt !== null) throw new AppError("not_found");
    await giveRange(app, tx, host);
    const hosts = await listMeshHosts(tx);
    const holder = hosts.find(({ id, own }) => id !== hostId && hasOneOf(own, [key, nextKey]));
    if (holder !== undefined) {
      app.logger.warn(
        { hostId, holder: holder.id },
        "mesh: a host says another host's key; it is not believed",
      );
      throw new AppError("invalid_request");
    }
    await saveMeshOwn(tx, hostId, after(hosts.find(({ id }) => id === hostId)?.own ?? null));
  });
  await app.mesh.settled();
}

/** Returns since when a next key is known; a clock that was set back since then does not count against it. */
function sinceOf(nextKey: string, before: MeshHostRow["own"], nowMs: number): number {
  return before?.next?.key === nextKey ? Math.min(before.next.sinceMs, nowMs) : nowMs;
}

function hasOneOf(own: MeshHostRow["own"], keys: readonly (string | undefined)[]): boolean {
  return own !== null && (keys.includes(own.key) || (own.next !== null && keys.includes(own.next.key)));
}

function isSame(one: MeshHostRow["own"], other: MeshHostRow["own"]): boolean {
  return (
    one?.key === other?.key &&
    one?.port === other?.port &&
    one?.range === other?.range &&
    one?.address === other?.address &&
    one?.next?.key === other?.next?.key &&
    one?.next?.sinceMs === other?.next?.sinceMs
  );
}
