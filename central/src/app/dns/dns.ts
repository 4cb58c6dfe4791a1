/**
 * Asks the world's DNS for what is there now: the name servers of the domain itself are asked, as a resolver may
 * answer for hours what it once heard, also that a record does not exist.
 */

import { Resolver } from "node:dns";
import { isIP } from "node:net";
import { isAllowedAddress } from "../outbound/private-address.ts";
import { askServer, DnsServerError, type DnsAnswer, type DnsQuestion, type DnsServer } from "./ask-server.ts";
import { parentOf } from "./parent-name.ts";

export interface DnsOptions {
  /** Resolvers that find the name servers. Default: the host's, as they are when a lookup is opened. */
  resolvers?: readonly DnsServer[];
  /** Port of the name servers. Default: 53. */
  port?: number;
  /** True when name servers may be in private networks, as at home. */
  mayReachPrivate?: boolean;
}

/** Types of records that are asked for, each as a list of texts. */
export type DnsType = "A" | "AAAA" | "CNAME" | "TXT" | "CAA" | "NS";

const serverTimeoutMs = 1_500;
const maxNameServers = 6;
/** Addresses of each family by which one name server is asked. */
const maxAddresses = 2;
const maxAliases = 8;

export class Dns {
  readonly #options: DnsOptions;

  constructor(options: DnsOptions = {}) {
    this.#options = options;
  }

  /**
   * Opens a lookup, which remembers the name servers it found; it is for the questions of one check, all of which
   * end when `signal` is aborted.
   */
  lookup(signal: AbortSignal): DnsLookup {
    const { resolvers = hostResolvers(), port = 53, mayReachPrivate = false } = this.#options;
    return new DnsLookup({ resolvers, port, mayReachPrivate }, signal);
  }
}

export class DnsLookup {
  readonly #options: Required<DnsOptions>;
  readonly #signal: AbortSignal;
  /** For each zone its name servers, each with its addresses. */
  readonly #zones = new Map<string, Promise<string[][]>>();

  constructor(options: Required<DnsOptions>, signal: AbortSignal) {
    this.#options = options;
    this.#signal = signal;
  }

  /**
   * Returns the values of a name's own records of this type; none when the name or the type does not exist. Names
   * are in lower case without a dot at the end. Throws when no name server answers.
   */
  async find(name: string, type: DnsType): Promise<string[]> {
    const { answers } = await this.#askAuthority(name, type);
    return valuesOf(answers, name, type);
  }

  /** Does the same as {@link find}, through the aliases (CNAME) that the name has. */
  async follow(name: string, type: "A" | "AAAA" | "TXT"): Promise<string[]> {
    let at = name;
    for (let step = 0; step <= maxAliases; step++) {
      const { answers } = await this.#askAuthority(at, type);
      const values = valuesOf(answers, at, type);
      const [alias] = valuesOf(answers, at, "CNAME");
      if (values.length > 0 || alias === undefined) return values;
      at = alias;
    }
    return [];
  }

  /**
   * Returns the addresses of a name by the resolvers, as a visitor would find them. Throws when they do not answer.
   */
  async resolve(name: string): Promise<string[]> {
    const families = await Promise.all(
      (["A", "AAAA"] as const).map((type) => this.#askResolvers({ name, type, isRecursive: true })),
    );
    return families.flatMap(({ answers }) =>
      answers.flatMap((answer) => (answer.type === "A" || answer.type === "AAAA" ? [answer.data] : [])),
    );
  }

  /**
   * Returns the TXT records of a name that each of its name servers has: a new record reaches them one after the
   * other. Each is asked by its addresses in turn, as a machine without IPv6 reaches only some. Throws when one of
   * them does not answer.
   */
  async findTextsAtEach(name: string): Promise<string[][]> {
    const question = { name, type: "TXT", isRecursive: false } as const;
    const servers = await this.#nameServersOf(name);
    const all = await Promise.all(servers.map((addresses) => this.#askAddresses(addresses, question)));
    return all.map(({ answers }) => valuesOf(answers, name, "TXT"));
  }

  async #askAuthority(name: string, type: DnsType): Promise<DnsAnswer> {
    const servers = await this.#nameServersOf(name);
    return this.#askAddresses(servers.flat(), { name, type, isRecursive: false });
  }

  #askAddresses(addresses: readonly string[], question: DnsQuestion): Promise<DnsAnswer> {
    const servers = addresses.map((address) => ({ address, port: this.#options.port }));
    return this.#askInTurn(servers, question, ({ isAuthoritative }) => isAuthoritative);
  }

  #askResolvers(question: DnsQuestion): Promise<DnsAnswer> {
    return this.#askInTurn(this.#options.resolvers, question, () => true);
  }

  /** Returns the first good answer. Throws when no server gives one in time. */
  async #askInTurn(
    servers: readonly DnsServer[],
    question: DnsQuestion,
    isGood: (answer: DnsAnswer) => boolean,
  ): Promise<DnsAnswer> {
    for (const server of servers) {
      const deadline = AbortSignal.any([this.#signal, AbortSignal.timeout(serverTimeoutMs)]);
      try {
        const answer = await askServer(server, question, deadline);
        if (isGood(answer)) return answer;
      } catch {
        this.#signal.throwIfAborted();
      }
    }
    throw new DnsServerError(`no server answers for ${question.name}`);
  }

  /** Finds the zone that a name is in, from the name upwards, and returns its name servers, each by its addresses. */
  async #nameServersOf(name: string): Promise<string[][]> {
    for (let zone = name; zone !== ""; zone = parentOf(zone)) {
      const known = this.#zones.get(zone) ?? this.#serversOfZone(zone);
      this.#zones.set(zone, known);
      const servers = await known;
      if (servers.length > 0) return servers;
    }
    throw new DnsServerError(`${name} has no name servers`);
  }

  async #serversOfZone(zone: string): Promise<string[][]> {
    const { answers } = await this.#askResolvers({ name: zone, type: "NS", isRecursive: true });
    const names = valuesOf(answers, zone, "NS").slice(0, maxNameServers);
    const found = await Promise.allSettled(names.map((each) => this.resolve(each)));
    return found
      .map((each) => (each.status === "fulfilled" ? each.value : []))
      .map((addresses) => fewOfEach(addresses.filter((address) => isAllowedAddress(address, this.#options))))
      .filter((addresses) => addresses.length > 0);
  }
}

/** Returns the first addresses of each family: whoever owns the zone chooses how many there are. */
function fewOfEach(addresses: readonly string[]): string[] {
  return [4, 6].flatMap((family) =>
    addresses.filter((address) => isIP(address) === family).slice(0, maxAddresses),
  );
}

/** Returns the values of the records with this name; what else an answer has is another name's. */
function valuesOf(answers: DnsAnswer["answers"], name: string, type: DnsType): string[] {
  return answers.flatMap((answer) => {
    if (answer.type !== type || plain(answer.name) !== plain(name)) return [];
    switch (answer.type) {
      case "A":
      case "AAAA":
        return [answer.data];
      case "CNAME":
      case "NS":
        return [plain(answer.data)];
      case "TXT":
        return [[answer.data].flat().map(String).join("")];
      case "CAA":
        return [`${answer.data.flags ?? 0} ${answer.data.tag} ${answer.data.value}`];
      default:
        return [];
    }
  });
}

function plain(name: string): string {
  return name.toLowerCase().replace(/\.$/, "");
}

/** Reads the host's settings, which change with its network: `getServers()` of the module has those of the start. */
function hostResolvers(): DnsServer[] {
  return new Resolver().getServers().map((text) => {
    const [, bracketed, plainAddress, port] = /^(?:\[(.+)\]|([^:]+))(?::(\d+))?$/.exec(text) ?? [];
    const address = isIP(text) === 0 ? (bracketed ?? plainAddress ?? text) : text;
    return { address, port: isIP(text) === 0 && port !== undefined ? Number(port) : 53 };
  });
}
