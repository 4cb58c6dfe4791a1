/**
 * Decides by which keys WireGuard knows a member whose key is changing. Both are let in, and its addresses belong
 * to the one that it uses: to the next one from its first handshake on, which nobody else can make.
 */

import type { MeshMember } from "@tijolo/protocol";
import type { PeerState } from "./wireguard-device.ts";

export interface PeerKeys {
  /** Key that has the addresses. */
  used: string;
  /** Key that is let in, without addresses; undefined: none. */
  awaited: string | undefined;
}

export function peerKeysOf(
  { key, nextKey }: Pick<MeshMember, "key" | "nextKey">,
  states: ReadonlyMap<string, Pick<PeerState, "hasHandshake">>,
): PeerKeys {
  if (nextKey === undefined) return { used: key, awaited: undefined };
  const isUsed = states.get(nextKey)?.hasHandshake === true;
  return isUsed ? { used: nextKey, awaited: undefined } : { used: key, awaited: nextKey };
}

/**
 * Returns the members without next keys that are another's key too: central is believed as little as possible.
 */
export function withOwnKeys(members: readonly MeshMember[]): MeshMember[] {
  const counts = new Map<string, number>();
  for (const { key, nextKey } of members)
    for (const each of [key, nextKey ?? ""]) counts.set(each, (counts.get(each) ?? 0) + 1);
  return members.map(({ nextKey, ...member }) =>
    nextKey === undefined || counts.get(nextKey) !== 1 ? member : { ...member, nextKey },
  );
}
