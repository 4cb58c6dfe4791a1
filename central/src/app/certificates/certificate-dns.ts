/** Asks DNS what orders of certificates need to know: by the host's resolvers, or each server of a zone. */

import { Resolver } from "node:dns/promises";
import { isIPv6 } from "node:net";
import { AcmeError } from "./acme/acme-error.ts";
import type { CertificateDns } from "./certificates-context.ts";

export interface DnsLookups {
  /** Resolvers as `address:port`; default: the host's. */
  resolvers?: readonly string[];
  /** Port of a zone's own servers. Default: 53. */
  nameServerPort?: number;
}

const askMs = 2_000;
const tries = 2;
const maxNameServers = 13;
/** Answers that say that there is none: an error of any other kind is one. */
const absent = new Set(["ENODATA", "ENOTFOUND"]);

export function createCertificateDns({ resolvers, nameServerPort = 53 }: DnsLookups = {}): CertificateDns {
  const ask = <Found>(
    signal: AbortSignal,
    work: (resolver: Resolver) => Promise<Found[]>,
    servers = resolvers,
  ) => askOnce(signal, work, servers);
  const addressesOf = async (name: string, signal: AbortSignal) => {
    const families = await Promise.all([
      ask(signal, (resolver) => resolver.resolve4(name)),
      ask(signal, (resolver) => resolver.resolve6(name)),
    ]);
    return families.flat();
  };
  return {
    findAddresses: addressesOf,
    async findCaa(name, signal) {
      const records = await ask(signal, (resolver) => resolver.resolveCaa(name));
      return records.flatMap(({ critical, ...tags }) =>
        Object.entries(tags)
          .filter(([tag]) => tag !== "type")
          .map(([tag, value]) => `${critical} ${tag} ${String(value)}`),
      );
    },
    async findAlias(name, signal) {
      const [alias] = await ask(signal, (resolver) => resolver.resolveCname(name));
      return alias?.toLowerCase();
    },
    async findTextsAtEach(name, signal) {
      const addresses = await nameServersOf(name, {
        names: (zone) => ask(signal, (resolver) => resolver.resolveNs(zone)),
        addresses: (server) => addressesOf(server, signal),
      });
      const servers = addresses.map((address) =>
        isIPv6(address) ? `[${address}]:${nameServerPort}` : `${address}:${nameServerPort}`,
      );
      return Promise.all(
        servers.map(async (server) =>
          (await ask(signal, (resolver) => resolver.resolveTxt(name), [server])).map((parts) =>
            parts.join(""),
          ),
        ),
      );
    },
  };
}

async function askOnce<Found>(
  signal: AbortSignal,
  work: (resolver: Resolver) => Promise<Found[]>,
  servers: readonly string[] | undefined,
): Promise<Found[]> {
  signal.throwIfAborted();
  const resolver = new Resolver({ timeout: askMs, tries });
  if (servers !== undefined) resolver.setServers([...servers]);
  const cancel = () => resolver.cancel();
  signal.addEventListener("abort", cancel, { once: true });
  try {
    return await work(resolver);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof Error && "code" in error && absent.has(String(error.code))) return [];
    throw error;
  } finally {
    signal.removeEventListener("abort", cancel);
  }
}

/** Finds the zone that a name is in, from the name upwards. Returns the addresses of all its servers. */
async function nameServersOf(
  name: string,
  find: { names(zone: string): Promise<string[]>; addresses(server: string): Promise<string[]> },
): Promise<string[]> {
  for (let zone = name; zone !== ""; zone = zone.includes(".") ? zone.slice(zone.indexOf(".") + 1) : "") {
    const names = await find.names(zone);
    if (names.length === 0) continue;
    const found = await Promise.all(names.slice(0, maxNameServers).map((each) => find.addresses(each)));
    if (found.flat().length > 0) return found.flat();
  }
  throw new AcmeError("dns_not_seen", `the name servers of ${name} are not known`);
}
