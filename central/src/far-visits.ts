/**
 * Hands visits that gateways on other machines do not carry themselves to the server they are for. They come at
 * the address of the link, over TLS, as there is no other that leads to central from everywhere.
 */

import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import { serverHeader, visitorServers, type VisitorServer } from "@tijolo/protocol";
import type { TrustedProxies } from "./app/identity/trusted-proxies.ts";

export type VisitorServers = Readonly<Record<VisitorServer, Server>>;

export class FarVisits {
  readonly #proxies: Pick<TrustedProxies, "isOfGateway">;
  readonly #servers: VisitorServers;

  constructor(proxies: Pick<TrustedProxies, "isOfGateway">, servers: VisitorServers) {
    this.#proxies = proxies;
    this.#servers = servers;
  }

  /** Takes a request of a gateway; false for anybody else's. `isWaiting`: its body comes once it is asked for. */
  handleRequest(request: IncomingMessage, response: ServerResponse, isWaiting: boolean): boolean {
    const server = this.#serverOf(request);
    if (server === undefined) return false;
    if (isWaiting && server.emit("checkContinue", request, response)) return true;
    if (isWaiting) response.writeContinue();
    server.emit("request", request, response);
    return true;
  }

  /** Takes an upgrade that a gateway passes on; false for anybody else's. */
  handleUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): boolean {
    return this.#serverOf(request)?.emit("upgrade", request, socket, head) === true;
  }

  #serverOf(request: IncomingMessage): Server | undefined {
    const name = visitorServers.find((each) => each === request.headers[serverHeader]);
    return name !== undefined && this.#proxies.isOfGateway(request) ? this.#servers[name] : undefined;
  }
}
