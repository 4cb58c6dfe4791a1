/** Asks DNS what orders of certificates need to know. */

import type { Dns } from "../../dns/dns.ts";
import type { CertificateDns } from "../certificates-context.ts";

export function certificateDns(dns: Dns): CertificateDns {
  return {
    findAddresses: (name, signal) => dns.lookup(signal).resolve(name),
    findCaa: (name, signal) => dns.lookup(signal).find(name, "CAA"),
    findAlias: async (name, signal) => (await dns.lookup(signal).find(name, "CNAME"))[0],
    findTextsAtEach: (name, signal) => dns.lookup(signal).findTextsAtEach(name),
  };
}
