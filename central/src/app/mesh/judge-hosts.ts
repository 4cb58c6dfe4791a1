/** Decides which hosts are members of the mesh: no two of them have an address in common. */

import type { MeshMember } from "@tijolo/protocol";
import type { MeshHostRow } from "../../store/tables/hosts/mesh-host.ts";
import { contains, overlaps, parseNetwork, type Ipv4Network } from "./ipv4-network.ts";

/** A host, and what it is in the mesh. */
export type JudgedHost = MeshHostRow & Judgement;

type Judgement =
  /** `network` is the range that it says. */
  | { state: "member"; network: Ipv4Network; clashesWith: null }
  /** A host that has its range, or a part of it, already is named. */
  | { state: "clash"; clashesWith: string }
  /** It says nothing of the mesh, or a range outside of the cluster's. */
  | { state: "none"; clashesWith: null };

/**
 * Judges all hosts. Of two that say ranges with an address in common, the one that says what central gave it
 * is the member: given ranges differ, so nobody takes an address from such a host by claiming it. Of two that
 * both say another range, as agents do until their next start, it is the one that joined first. A range outside
 * of the cluster's would lead other hosts' own traffic astray.
 */
export function judgeHosts(rows: readonly MeshHostRow[], cluster: Ipv4Network): Map<string, JudgedHost> {
  const members: { network: Ipv4Network; name: string }[] = [];
  const judged = rows.toSorted(byPrecedence).map((row): JudgedHost => {
    const network = row.own === null ? undefined : parseNetwork(row.own.range);
    if (network === undefined || !contains(cluster, network))
      return { ...row, state: "none", clashesWith: null };
    const place = placeOf(network, members);
    const holder = [members[place - 1], members[place]].find(
      (member) => member !== undefined && overlaps(member.network, network),
    );
    if (holder !== undefined) return { ...row, state: "clash", clashesWith: holder.name };
    members.splice(place, 0, { network, name: row.name });
    return { ...row, state: "member", network, clashesWith: null };
  });
  return new Map(judged.map((host) => [host.id, host]));
}

/** Returns a host as it stands in the updates of others; none for one that says nothing of the mesh. */
export function memberOf({ id, own }: MeshHostRow): MeshMember[] {
  if (own === null) return [];
  const { key, port, range, address, next } = own;
  return [{ hostId: id, key, port, range, address, ...(next === null ? {} : { nextKey: next.key }) }];
}

function byPrecedence(one: MeshHostRow, other: MeshHostRow): number {
  const [isOneGiven, isOtherGiven] = [one, other].map((row) => row.own?.range === row.givenRange);
  if (isOneGiven !== isOtherGiven) return isOneGiven === true ? -1 : 1;
  return one.createdAt - other.createdAt || (one.id < other.id ? -1 : 1);
}

/** Returns the index of the first member whose range begins behind the network's beginning. */
function placeOf({ start }: Ipv4Network, members: readonly { network: Ipv4Network }[]): number {
  let [low, high] = [0, members.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((members[middle]?.network.start ?? 0) <= start) low = middle + 1;
    else high = middle;
  }
  return low;
}
