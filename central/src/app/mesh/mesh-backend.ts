/** Connects the mesh to the link, which itself never touches the database. */

import { AppError, type MeshRequest, type MeshUpdate } from "@tijolo/protocol";
import { findHost } from "../../store/tables/hosts/host.ts";
import { listMeshHosts, saveMeshOwn, type MeshHostRow } from "../../store/tables/hosts/mesh-host.ts";
import { transact } from "../../store/store.ts";
import { parseNetwork } from "./ipv4-network.ts";
import type { MeshContext } from "./mesh-context.ts";
import { giveRange, isOfCluster } from "./mesh-range.ts";

export interface MeshBackend {
  /**
   * Stores what a host says that it is, and the address from which central sees it; null: this machine.
   * Throws AppError `invalid_request` for a range that is no network, and for a key that another host has.
   */
  takeOwn(hostId: string, own: MeshRequest, address: string | null): Promise<void>;
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
    takeOwn: (hostId, own, address) => takeOwn(app, hostId, { ...own, address }),
    updateFor: (hostId) => mesh.updateFor(hostId),
    onChange: (hostId, listener) => mesh.onChange(hostId, listener),
    areNeighbours: (hostId, otherId) => mesh.areNeighbours(hostId, otherId),
  };
}

async function takeOwn(
  app: MeshContext,
  hostId: string,
  own: NonNullable<MeshHostRow["own"]>,
): Promise<void> {
  if (parseNetwork(own.range) === undefined) throw new AppError("invalid_request");
  const known = app.mesh.findHost(hostId);
  const isKept = isOfCluster(known?.givenRange ?? null, app.mesh.network);
  if (isKept && isSame(known?.own ?? null, own)) return;
  await transact(app.db, async (tx) => {
    const host = await findHost(tx, hostId);
    if (host === undefined || host.revokedAt !== null) throw new AppError("not_found");
    await giveRange(app, tx, host);
    const holder = (await listMeshHosts(tx)).find(
      ({ id, own: said }) => id !== hostId && said?.key === own.key,
    );
    if (holder !== undefined) {
      app.logger.warn(
        { hostId, holder: holder.id },
        "mesh: a host says another host's key; it is not believed",
      );
      throw new AppError("invalid_request");
    }
    await saveMeshOwn(tx, hostId, own);
  });
  await app.mesh.settled();
}

function isSame(one: MeshHostRow["own"], other: MeshHostRow["own"]): boolean {
  return (
    one?.key === other?.key &&
    one?.port === other?.port &&
    one?.range === other?.range &&
    one?.address === other?.address
  );
}
