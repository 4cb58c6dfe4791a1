/** Asks DNS what orders of certificates need to know. */

import type { Dns } from "../../dns/dns.ts";
import type { CertificateDns } from "../certificates-context.ts";

/** Longest time of one question: name servers that are silent shall not hold the place of an order. */
const questionMs = 10_000;

export function certificateDns(dns: Dns): CertificateDns {
  const lookup = (signal: AbortSignal) =>
    dns.lookup(AbortSignal.any([signal, AbortSignal.timeout(questionMs)]));
  return {
    findAddresses: (name, signal) => lookup(signal).resolve(name),
    findCaa: (name, signal) => lookup(signal).find(name, "CAA"),
    findAlias: async (name, signal) => (await lookup(signal).find(name, "CNAME"))[0],
    findTextsAtEach: (name, signal) => lookup(signal).findTextsAtEach(name),
  };
}
