/** Looks at what DNS has of a domain now, and judges it. */

import { isIPv4 } from "node:net";
import type { DomainRecord } from "@tijolo/protocol";
import type { DomainFault, SeenRecords } from "../../store/tables/projects/domain.ts";
import type { Dns, DnsLookup } from "../dns/dns.ts";
import { isBelow, type Hostname } from "./hostname.ts";
import type { WantedRecords } from "./wanted-records.ts";
import type { AnswerThroughOthers } from "./well-known.ts";

/** Milliseconds that all questions of one check may take together. */
const checkMs = 5_000;

/** Defines the records that a check looks for. */
export interface Wanted {
  hostname: Hostname;
  records: WantedRecords;
  /** Addresses of the gateways. */
  gateways: readonly string[];
}

/** Returns what the domain's own name servers have; null when they do not answer in time. */
export async function seeRecords(
  { dns, answersThroughOthers }: { dns: Dns; answersThroughOthers: AnswerThroughOthers },
  wanted: Wanted,
): Promise<SeenRecords | null> {
  const signal = AbortSignal.timeout(checkMs);
  const lookup = dns.lookup(signal);
  const { records, gateways } = wanted;
  const at = visitedName(wanted);
  try {
    const [txt, [cname = null], [challenge = null]] = await Promise.all([
      lookup.follow(records.txtName, "TXT"),
      lookup.find(at, "CNAME"),
      records.challenge === null ? [] : lookup.find(records.challenge.name, "CNAME"),
    ]);
    const addresses = leadsHere(wanted, cname) ? [] : await addressesOf(lookup, at);
    const seen = { txt, cname, addresses, challenge, isReachedThroughOthers: false };
    // A stranger's server is asked only where its owner has asked for it.
    const isElsewhere = addresses.some((address) => !gateways.includes(address));
    if (!isElsewhere || !isProven(wanted, seen)) return seen;
    return {
      ...seen,
      isReachedThroughOthers: await answersThroughOthers({ hostname: at, addresses, token: records.token }),
    };
  } catch {
    return null;
  }
}

/** True when DNS proves that the domain is the account's. Of a wildcard, only the TXT record does. */
export function isProven({ hostname, records }: Wanted, seen: SeenRecords): boolean {
  return seen.txt.includes(records.txtValue) || (!hostname.isWildcard && seen.cname === records.cnameTarget);
}

/** Returns what is missing; null when the domain is proven and leads here. */
export function faultOf(wanted: Wanted, seen: SeenRecords | null): DomainFault | null {
  if (seen === null) return { code: "dns_unreachable", addresses: [] };
  if (!isProven(wanted, seen)) return { code: "proof_missing", addresses: [] };
  const { records, gateways } = wanted;
  if (records.challenge !== null && seen.challenge !== records.challenge.target)
    return { code: "challenge_missing", addresses: [] };
  if (leadsHere(wanted, seen.cname) || seen.isReachedThroughOthers) return null;
  if (seen.addresses.length === 0) return { code: "not_pointing", addresses: [] };
  const wrong = seen.addresses.filter((address) => !gateways.includes(address));
  return wrong.length === 0 ? null : { code: "wrong_address", addresses: wrong };
}

type FoundRecord = Omit<DomainRecord, "way">;

/** Returns the records that the domain needs, each beside what was found. */
export function recordsOf(wanted: Wanted, seen: SeenRecords | null): DomainRecord[] {
  const { hostname, records } = wanted;
  const txt = besideFound({ type: "TXT", name: records.txtName, value: records.txtValue }, seen?.txt);
  const challenge =
    records.challenge === null
      ? []
      : [cnameRecord(records.challenge.name, records.challenge.target, seen?.challenge)];
  const cname = cnameRecord(hostname.hostname, records.cnameTarget, seen?.cname);
  const byCname = hostname.isWildcard
    ? [cname, txt, ...challenge]
    : hostname.isApex
      ? []
      : [cname, ...challenge];
  const byAddresses = [txt, ...addressRecords(wanted, seen), ...challenge];
  return [
    ...byCname.map((each) => ({ way: "cname" as const, ...each })),
    ...byAddresses.map((each) => ({ way: "addresses" as const, ...each })),
  ];
}

function cnameRecord(name: string, value: string, found: string | null | undefined): FoundRecord {
  return besideFound({ type: "CNAME", name, value }, [found ?? []].flat());
}

function addressRecords({ hostname, gateways }: Wanted, seen: SeenRecords | null): FoundRecord[] {
  return gateways.map((address) => {
    const type = isIPv4(address) ? "A" : "AAAA";
    const found = seen?.addresses.filter((each) => isIPv4(each) === (type === "A"));
    return besideFound({ type, name: hostname.hostname, value: address }, found);
  });
}

function besideFound(record: Omit<FoundRecord, "found" | "isRight">, found: string[] = []): FoundRecord {
  return { ...record, found, isRight: found.includes(record.value) };
}

function leadsHere({ records }: Wanted, cname: string | null): boolean {
  return cname !== null && isBelow(cname, records.targetsDomain);
}

/** Returns a name that visits may come by; of a wildcard one that has no records of its own. */
function visitedName({ hostname, records }: Wanted): string {
  return hostname.isWildcard ? `${records.token}.${hostname.base}` : hostname.hostname;
}

async function addressesOf(lookup: DnsLookup, name: string): Promise<string[]> {
  const families = await Promise.allSettled([lookup.follow(name, "A"), lookup.follow(name, "AAAA")]);
  return families.flatMap((family) => (family.status === "fulfilled" ? family.value : []));
}
