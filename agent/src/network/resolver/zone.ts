/**
 * Defines who is on this host and what each may resolve: the table that the agent writes and the resolver
 * answers from.
 */

import { z } from "zod/mini";

const zoneProject = z.object({
  /** Address by which a project is identified: the kernel lets no project send from another's. */
  address: z.string(),
  accountId: z.string(),
  /** Name of the project, `svc-` and 8 characters, lowercase. */
  name: z.string(),
  isRunning: z.boolean(),
});

const zone = z.object({
  /** Resolvers of the host, asked in this order for every other name. */
  upstreams: z.array(z.string()),
  projects: z.array(zoneProject),
});

export type Zone = z.infer<typeof zone>;

/** Parses a zone; throws on anything else. */
export function parseZone(text: string): Zone {
  return zone.parse(JSON.parse(text));
}

/** Indexes a zone for lookups. */
export class ZoneTable {
  readonly upstreams: readonly string[];
  readonly #accounts: ReadonlyMap<string, string>;
  /** Addresses by account and name. */
  readonly #addresses: ReadonlyMap<string, string>;

  constructor({ upstreams, projects }: Zone) {
    this.upstreams = upstreams;
    this.#accounts = new Map(projects.map(({ address, accountId }) => [address, accountId]));
    const running = projects.filter(({ isRunning }) => isRunning);
    this.#addresses = new Map(
      running.map(({ accountId, name, address }) => [keyOf(accountId, name), address]),
    );
  }

  /** Returns the account of an address; undefined when no query from it may be answered. */
  accountOf(address: string): string | undefined {
    return this.#accounts.get(address);
  }

  /** Returns the address of a running project of the account; names of other accounts do not exist. */
  addressOf(accountId: string, name: string): string | undefined {
    return this.#addresses.get(keyOf(accountId, name.toLowerCase()));
  }
}

function keyOf(accountId: string, name: string): string {
  return `${accountId} ${name}`;
}
