/**
 * Knows the keys with which gateways prove themselves to central's servers for visitors. A key is the same over
 * restarts, and ends with the gateway's removal.
 */

import { createHash } from "node:crypto";
import { listGateways } from "../../store/tables/gateways/gateway.ts";
import type { Database } from "../../store/store.ts";
import type { ClusterKey } from "../cluster/cluster-key.ts";

export class GatewayKeys {
  readonly #clusterKey: ClusterKey;
  /** Hashes of the keys, so that the time of a look-up says nothing of how much of a key was right. */
  readonly #hashes = new Set<string>();

  private constructor(clusterKey: ClusterKey) {
    this.#clusterKey = clusterKey;
  }

  static async open(db: Database, clusterKey: ClusterKey): Promise<GatewayKeys> {
    const keys = new GatewayKeys(clusterKey);
    for (const { id } of await listGateways(db)) keys.admit(id);
    return keys;
  }

  /** Returns the gateway's key: 43 characters of base64url. */
  keyOf(gatewayId: string): string {
    return this.#clusterKey.sign(`gateway ${gatewayId} before central's servers`);
  }

  /** Must be called when a gateway has joined. */
  admit(gatewayId: string): void {
    this.#hashes.add(hashOf(this.keyOf(gatewayId)));
  }

  /** Must be called when a gateway was removed. */
  refuse(gatewayId: string): void {
    this.#hashes.delete(hashOf(this.keyOf(gatewayId)));
  }

  /** True for the key of a gateway that was not removed. */
  has(key: string): boolean {
    return this.#hashes.has(hashOf(key));
  }
}

function hashOf(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}
