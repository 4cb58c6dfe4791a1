/** Gives each host a range of addresses for its projects. */

import { listMeshHosts, saveMeshRange } from "../../store/tables/hosts/mesh-host.ts";
import type { Transaction } from "../../store/store.ts";
import { contains, overlaps, parseNetwork, textOfNetwork, type Ipv4Network } from "./ipv4-network.ts";
import type { MeshContext } from "./mesh-context.ts";

/** Addresses of one host: a /21. */
const rangeSize = 2 ** 11;

/**
 * Returns the range of a host, in the transaction in which it joins or first says what it is in the mesh. One
 * that has none, or one outside of the cluster's network, which an operator has changed, gets the first that
 * nobody was given, if possible one that nobody uses either. Null when none is free.
 */
export async function giveRange(
  { mesh: { network }, logger }: Pick<MeshContext, "mesh" | "logger">,
  tx: Transaction,
  host: { id: string; meshRange: string | null },
): Promise<string | null> {
  if (isOfCluster(host.meshRange, network)) return host.meshRange;
  const others = (await listMeshHosts(tx)).filter(({ id }) => id !== host.id);
  const given = others.flatMap(({ givenRange }) => networksOf(givenRange));
  const used = others.flatMap(({ own }) => networksOf(own?.range ?? null));
  const range = firstFree(network, [...given, ...used]) ?? firstFree(network, given);
  if (range === undefined) {
    const hint = "set TIJOLO_CLUSTER_CIDR to a larger network, or revoke hosts that are gone";
    logger.error({ hostId: host.id }, `mesh: no range is free for a host; ${hint}`);
    return null;
  }
  await saveMeshRange(tx, host.id, textOfNetwork(range));
  return textOfNetwork(range);
}

/** True for a range that a host keeps. */
export function isOfCluster(range: string | null, network: Ipv4Network): boolean {
  return networksOf(range).some((own) => contains(network, own));
}

/** Returns the first range of the network that overlaps none of the others. */
export function firstFree(network: Ipv4Network, taken: readonly Ipv4Network[]): Ipv4Network | undefined {
  const blocked = new Set<number>();
  for (const other of taken.filter((each) => overlaps(each, network)))
    for (
      let start = other.start - (other.start % rangeSize);
      start < other.start + other.size;
      start += rangeSize
    )
      blocked.add(start);
  for (let { start } = network; start < network.start + network.size; start += rangeSize)
    if (!blocked.has(start)) return { start, size: rangeSize };
  return undefined;
}

function networksOf(range: string | null): Ipv4Network[] {
  const network = range === null ? undefined : parseNetwork(range);
  return network === undefined ? [] : [network];
}
