/**
 * Who is on this host and what each may resolve: the table that the agent writes and the resolver answers
 * from.
 */

import { z } from "zod/mini";

const zoneProject = z.object({
  /** Decides who asks: the kernel lets no project send from another's. */
  address: z.string(),
  accountId: z.string(),
  /** `svc-` and 8 characters, lowercase. */
  name: z.string(),
  isRunning: z.boolean(),
});

const zone = z.object({
  /** Of the host, asked in this order for every other name. */
  upstreams: z.array(z.string()),
  projects: z.array(zoneProject),
});

export type Zone = z.infer<typeof zone>;

/** Throws on anything but the text of a zone. */
export function parseZone(text: string): Zone {
  return zone.parse(JSON.parse(text));
}

/** A zone made ready for questions. */
export class ZoneTable {
  readonly upstreams: readonly string[];
  readonly #accounts: ReadonlyMap<string, string>;
  /** By account and name. */
  readonly #addresses: ReadonlyMap<string, string>;

  constructor({ upstreams, projects }: Zone) {
    this.upstreams = upstreams;
    this.#accounts = new Map(projects.map(({ address, accountId }) => [address, accountId]));
    const running = projects.filter(({ isRunning }) => isRunning);
    this.#addresses = new Map(
      running.map(({ accountId, name, address }) => [keyOf(accountId, name), address]),
    );
  }

  /** Undefined: nobody who may ask anything. */
  accountOf(address: string): string | undefined {
    return this.#accounts.get(address);
  }

  /** The address of a running project of the account; names of others do not exist. */
  addressOf(accountId: string, name: string): string | undefined {
    return this.#addresses.get(keyOf(accountId, name.toLowerCase()));
  }
}

function keyOf(accountId: string, name: string): string {
  return `${accountId} ${name}`;
}
