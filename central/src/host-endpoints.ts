/**
 * Builds what agents dial, both on the server of the API: the link, and the tunnels through which the gateway
 * reaches sites.
 */

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
import type { HostItem, HostQuestionOf, HostRequestKind } from "@tijolo/protocol";
import { endEmpty, refuseUpgrade } from "@tijolo/protocol/kit";
import type { FastifyInstance } from "fastify";
import type { AppContext } from "./app/context.ts";
import type { Epoch } from "./app/cluster/epoch.ts";
import { createGatewayBackend, type GatewayBackendOptions } from "./app/gateways/gateway-backend.ts";
import { createLinkBackend } from "./app/host-projects/create-link-backend.ts";
import type { GatewayLink } from "./app/gateways/gateway.ts";
import { createMeshBackend } from "./app/mesh/mesh-backend.ts";
import type { HostLink } from "./app/hosts/host-link.ts";
import { Tunnels } from "./pages-server/tunnels.ts";
import { InstallFiles } from "./link/install-files.ts";
import { LinkServer } from "./link/link-server.ts";

export interface HostEndpointsOptions extends Omit<GatewayBackendOptions, "epoch"> {
  /** Called with each socket whose other side has proved to be an agent or a gateway. */
  vouch: (socket: Duplex) => void;
}

export class HostEndpoints implements HostLink, GatewayLink {
  readonly link: LinkServer;
  readonly tunnels: Tunnels;
  readonly #installFiles: InstallFiles;

  constructor(app: AppContext, epoch: Epoch, { vouch, ...gateways }: HostEndpointsOptions) {
    const { clock, random, logger, proxies } = app;
    this.link = new LinkServer({
      backend: createLinkBackend(app, epoch),
      gateways: createGatewayBackend(app, { epoch: epoch.current, ...gateways }),
      mesh: createMeshBackend(app),
      random,
      logger,
      addressOf: (request) => proxies.addressOf(request),
      vouch,
    });
    this.#installFiles = new InstallFiles({ find: (sha256) => app.installer.find(app, sha256), logger });
    this.tunnels = new Tunnels({
      hostOfBearer: (bearer) => this.link.hostOfBearer(bearer),
      logger,
      clock,
      vouch,
    });
  }

  /** Has the server of the API take the requests and upgrades of agents. */
  serveOn(api: FastifyInstance): void {
    for (const path of ["/link/*", "/install/*"])
      api.all(path, ({ raw: request }, reply) => this.serve(request, reply.hijack().raw));
    api.server.on("upgrade", (request, socket, head) => this.takeUpgrade(request, socket, head));
  }

  /** Answers a request of an agent, or of an installation. */
  serve(request: IncomingMessage, response: ServerResponse): void {
    if (this.link.handleRequest(request, response) || this.#installFiles.handle(request, response)) return;
    endEmpty(response, 404);
  }

  /** Answers an upgrade of an agent or a gateway; any other is refused. */
  takeUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const isTaken =
      this.tunnels.handleUpgrade(request, socket, head) || this.link.handleUpgrade(request, socket, head);
    if (!isTaken) refuseUpgrade(socket, "404 Not Found");
  }

  ask<Kind extends HostRequestKind>(
    hostId: string,
    request: HostQuestionOf<Kind>,
    signal: AbortSignal,
  ): AsyncIterable<HostItem<Kind>[]> {
    return this.link.ask(hostId, request, signal);
  }

  disconnectGateway(gatewayId: string): void {
    this.link.disconnectGateway(gatewayId);
  }

  disconnect(hostId: string): void {
    this.link.disconnect(hostId);
    this.tunnels.disconnect(hostId);
  }
}
