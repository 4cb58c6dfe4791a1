/**
 * Determines the client of a request, also behind proxies: one rule for the interface and for the visitors of
 * sites.
 */

import type { IncomingHttpHeaders } from "node:http";
import { BlockList, isIP } from "node:net";
import { gatewayHeader } from "@tijolo/protocol";

/** The parts of Node's request that are read. */
export interface ForwardedRequest {
  headers: IncomingHttpHeaders;
  socket: { remoteAddress?: string | undefined };
}

export class TrustedProxies {
  readonly #networks = new BlockList();
  readonly #trustsSome: boolean;
  readonly #isGatewayKey: (said: string) => boolean;

  /**
   * `networks` are addresses and networks (`10.0.0.0/8`); with none, no proxy is trusted. `isGatewayKey` knows
   * what the cluster's own gateways prove themselves with, wherever they are.
   */
  constructor(
    networks: readonly string[],
    { isGatewayKey = () => false }: { isGatewayKey?: (said: string) => boolean } = {},
  ) {
    this.#isGatewayKey = isGatewayKey;
    this.#trustsSome = networks.length > 0;
    for (const network of networks) {
      const [address = "", length] = network.split("/");
      if (length === undefined) this.#networks.addAddress(address, familyOf(address));
      else this.#networks.addSubnet(address, Number(length), familyOf(address));
    }
  }

  /**
   * Returns the client's address: from the connection's other end backwards through `X-Forwarded-For`, each
   * trusted proxy is believed about the one before it. A connection that is gone has the address `unknown`.
   * `@fastify/proxy-addr` returns whatever text a trusted proxy forwards, and takes `203.0.113.7:5321` for
   * the name of a client.
   */
  addressOf(request: ForwardedRequest): string {
    const { headers, socket } = request;
    if (this.isOfGateway(request)) return String(headers["x-forwarded-for"]);
    let address = plainAddress(socket.remoteAddress);
    if (!this.#isTrusted(address)) return address;
    for (const named of listOf(headers["x-forwarded-for"]).map(withoutPort).toReversed()) {
      if (isIP(named) === 0) return address;
      address = plainAddress(named);
      if (!this.#isTrusted(address)) return address;
    }
    return address;
  }

  /** Returns the protocol that the proxy of a request reports; null if it reports none, or is not trusted. */
  protocolOf(request: ForwardedRequest): "http" | "https" | null {
    const { headers, socket } = request;
    if (!this.isOfGateway(request) && !this.trusts(socket.remoteAddress)) return null;
    const said = listOf(headers["x-forwarded-proto"]).at(-1)?.toLowerCase();
    if (said === "https" || said === "wss") return "https";
    return said === "http" || said === "ws" ? "http" : null;
  }

  /** True for a request that a gateway of the cluster sends on; it says of the visitor what it knows itself. */
  isOfGateway({ headers }: Pick<ForwardedRequest, "headers">): boolean {
    const said = headers[gatewayHeader];
    return typeof said === "string" && this.#isGatewayKey(said);
  }

  /** True when the other end of a connection, as Node names it, is one of the proxies. */
  trusts(address: string | undefined): boolean {
    return this.#isTrusted(plainAddress(address));
  }

  #isTrusted(address: string): boolean {
    return this.#trustsSome && isIP(address) !== 0 && this.#networks.check(address, familyOf(address));
  }
}

/** Splits a header that may have come several times; the nearest proxy's entry is the last. */
function listOf(header: string | string[] | undefined): string[] {
  return String(header ?? "")
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
}

/** Removes the port that some proxies add: `192.0.2.1:5321`, `[2001:db8::1]:443`. */
function withoutPort(entry: string): string {
  return /^\[([^\]]+)\](?::\d+)?$/.exec(entry)?.[1] ?? /^(\d+\.\d+\.\d+\.\d+):\d+$/.exec(entry)?.[1] ?? entry;
}

/** Returns IPv4 within IPv6 as IPv4. */
function plainAddress(address: string | undefined): string {
  if (address === undefined) return "unknown";
  return /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}
