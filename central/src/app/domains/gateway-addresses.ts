/** Knows the addresses that visitors of sites come to: those that an operator set, or those that DNS has. */

import type { Dns } from "../dns/dns.ts";
import { targetsLabel } from "./wanted-records.ts";

/** Milliseconds for which addresses from DNS are not asked for again. */
const keptMs = 60_000;
const askMs = 3_000;

export class GatewayAddresses {
  readonly #set: readonly string[];
  readonly #siteDomain: string;
  readonly #dns: Dns;
  readonly #clock: { steadyNow(): number };
  #known: { addresses: readonly string[]; until: number } | null = null;

  constructor({
    set,
    siteDomain,
    dns,
    clock,
  }: {
    /** Addresses that an operator set; none: those of DNS. */
    set: readonly string[];
    siteDomain: string;
    dns: Dns;
    clock: { steadyNow(): number };
  }) {
    this.#set = set;
    this.#siteDomain = siteDomain.toLowerCase();
    this.#dns = dns;
    this.#clock = clock;
  }

  /**
   * Returns the addresses; none when they are not known. A name below the targets of CNAMEs has them, as domains
   * with a CNAME reach sites by such a name.
   */
  async list(): Promise<readonly string[]> {
    if (this.#set.length > 0) return this.#set;
    if (this.#siteDomain === "localhost") return ["127.0.0.1", "::1"];
    const now = this.#clock.steadyNow();
    if (this.#known !== null && this.#known.until > now) return this.#known.addresses;
    const name = `gateway.${targetsLabel}.${this.#siteDomain}`;
    const addresses = await this.#dns
      .lookup(AbortSignal.timeout(askMs))
      .resolve(name)
      .catch(() => this.#known?.addresses ?? []);
    this.#known = { addresses, until: now + keptMs };
    return addresses;
  }
}
