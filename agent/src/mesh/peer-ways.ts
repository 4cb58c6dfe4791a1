/**
 * Decides how each peer is reached: by UDP while it is heard, otherwise over central. A peer that was heard by
 * neither stays with central, whose way needs no luck.
 */

import type { MeshMember } from "@tijolo/protocol";
import type { PeerState } from "./wireguard-device.ts";

/** Milliseconds in which the first handshake comes by UDP, or not at all. */
const defaultFirstMs = 15_000;
/** Milliseconds of silence after which UDP is given up: a peer sends at least every 25 s. */
const silentMs = 40_000;

interface Way {
  /** Address and port of the peer: another one is tried by UDP first. */
  place: string;
  key: string;
  isCarried: boolean;
  sinceMs: number;
  receivedBytes: number;
  heardAtMs: number | null;
}

export class PeerWays {
  readonly #ways = new Map<string, Way>();
  readonly #firstMs: number;

  constructor(firstMs = defaultFirstMs) {
    this.#firstMs = firstMs;
  }

  /**
   * Takes what WireGuard says of the members now. Returns the ids of those that are reached over central from
   * now on and were not before.
   */
  look(
    members: readonly MeshMember[],
    states: ReadonlyMap<string, PeerState>,
    nowMs: number,
  ): { carry: string[] } {
    const carry: string[] = [];
    this.#forgetOthers(members);
    for (const member of members) {
      const state = states.get(member.key);
      if (state === undefined) continue;
      const way = this.#wayOf(member, state, nowMs);
      if (state.receivedBytes !== way.receivedBytes) {
        way.receivedBytes = state.receivedBytes;
        way.heardAtMs = nowMs;
      }
      const isSilent =
        way.heardAtMs === null ? nowMs - way.sinceMs >= this.#firstMs : nowMs - way.heardAtMs >= silentMs;
      if (way.isCarried || !isSilent) continue;
      way.isCarried = true;
      carry.push(member.hostId);
    }
    return { carry };
  }

  /** Ids of the members that are reached over central. */
  get carried(): ReadonlySet<string> {
    return new Set([...this.#ways].filter(([, { isCarried }]) => isCarried).map(([hostId]) => hostId));
  }

  #wayOf(member: MeshMember, { receivedBytes }: PeerState, nowMs: number): Way {
    const { hostId, key, address, port } = member;
    const place = `${address} ${port}`;
    const known = this.#ways.get(hostId);
    if (known?.place === place && known.key === key) return known;
    // A peer that has changed its key has not moved: what is carried is carried on.
    const isCarried = known?.place === place && known.isCarried;
    const way = { place, key, isCarried, sinceMs: nowMs, receivedBytes, heardAtMs: null };
    this.#ways.set(hostId, way);
    return way;
  }

  #forgetOthers(members: readonly MeshMember[]): void {
    const hostIds = new Set(members.map(({ hostId }) => hostId));
    for (const hostId of this.#ways.keys()) if (!hostIds.has(hostId)) this.#ways.delete(hostId);
  }
}
