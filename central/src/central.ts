/**
 * Builds every part of central, hands each what it needs, and closes them in reverse order: the composition
 * root.
 */

import type { IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import type { Duplex } from "node:stream";
import { ReconcilerDriver, refuseUpgrade } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { defaultApiBounds, type ApiBounds } from "./api/edge/api-bounds.ts";
import { createApi } from "./api/create-api.ts";
import { operationHandlers } from "./api/handlers/operation-handlers.ts";
import type { Clock, Random, SteadyClock } from "./app/clock.ts";
import type { AppContext } from "./app/context.ts";
import { Epoch } from "./app/cluster/epoch.ts";
import type { HostLink } from "./app/hosts/host-link.ts";
import { createLinkBackend } from "./app/host-projects/link-backend.ts";
import { ensureFirstOperator } from "./app/operators/operator.ts";
import { writeMetrics } from "./app/metrics/metric-keeping.ts";
import { defaultMailBounds, type MailBounds } from "./app/people/mail.ts";
import { NoticeSender } from "./app/notices/notice-sender.ts";
import { saveCounts } from "./app/upkeep/saved-counts.ts";
import { findSite } from "./app/projects/site.ts";
import { ClosingParts } from "./closing-parts.ts";
import type { CentralConfig } from "./config.ts";
import { connectionBudget, descriptorLimit } from "./connection-budget.ts";
import { capConnections } from "./connection-cap.ts";
import { Gateway } from "./gateway/gateway.ts";
import { Tunnels } from "./gateway/tunnels.ts";
import { closeServer, Connections, listen } from "./http-server.ts";
import { LinkServer } from "./link/link-server.ts";
import { createContext } from "./create-context.ts";
import { reconcilersOf } from "./reconcilers.ts";

/** The dependencies that a test replaces: time, randomness, the log, and timeouts. */
export interface CentralDependencies {
  clock: Clock & SteadyClock;
  random: Random;
  logger: Logger;
  /** Changes of {@link defaultApiBounds}. */
  apiBounds?: Partial<ApiBounds>;
  /** Changes of {@link defaultMailBounds}. */
  mailBounds?: Partial<MailBounds>;
}

/**
 * Milliseconds between two marks; a database that is set back by less than this, within one run of central,
 * is not detected.
 */
const markEveryMs = 60_000;

/** Milliseconds until a notice that is due is sent. */
const sendNoticesEveryMs = 1_000;

export class Central implements AsyncDisposable {
  readonly url: string;
  readonly gatewayUrl: string;
  readonly epoch: number;
  readonly app: AppContext;
  readonly #resources: AsyncDisposableStack;

  private constructor(parts: {
    url: string;
    gatewayUrl: string;
    epoch: number;
    app: AppContext;
    resources: AsyncDisposableStack;
  }) {
    this.url = parts.url;
    this.gatewayUrl = parts.gatewayUrl;
    this.epoch = parts.epoch;
    this.app = parts.app;
    this.#resources = parts.resources;
  }

  /** Resolves once central serves. Throws, with nothing left open, when it cannot. */
  static async create(
    config: CentralConfig,
    { clock, random, logger, apiBounds, mailBounds }: CentralDependencies,
  ): Promise<Central> {
    await using resources = new AsyncDisposableStack();
    let ownUrl = "";
    const bounds = { ...defaultMailBounds, ...mailBounds };
    const app = await createContext(config, resources, {
      clock,
      random,
      logger,
      mailBounds: bounds,
      ownUrl: () => ownUrl,
    });
    const epoch = await Epoch.begin(app, join(config.dataDirectory, "epoch"));
    resources.defer(() => writeMetrics(app, { isLast: true }));

    const budget = connectionBudget(descriptorLimit());
    const vouch = (socket: Duplex) => callersCap.vouch(socket);
    const addressOf = (request: IncomingMessage) => app.proxies.addressOf(request);
    const link = new LinkServer({
      backend: createLinkBackend(app, epoch),
      random,
      logger,
      addressOf,
      vouch,
    });
    const tunnels = new Tunnels({
      hostOfBearer: (bearer) => link.hostOfBearer(bearer),
      logger,
      clock,
      vouch,
    });
    const hostLink: HostLink = {
      ask: (hostId, request, signal) => link.ask(hostId, request, signal),
      disconnect(hostId) {
        link.disconnect(hostId);
        tunnels.disconnect(hostId);
      },
    };
    await ensureFirstOperator(app, config.bootstrapFile);

    const api = createApi(app, operationHandlers(app, hostLink), { ...defaultApiBounds, ...apiBounds });
    api.all("/link/*", ({ raw: request }, reply) => {
      const { raw: response } = reply.hijack();
      if (link.handleRequest(request, response)) return;
      response.writeHead(404);
      response.end();
    });
    api.server.on("upgrade", (request, socket, head) => {
      if (tunnels.handleUpgrade(request, socket, head) || link.handleUpgrade(request, socket, head)) return;
      refuseUpgrade(socket, "404 Not Found");
    });
    resources.defer(() => saveCounts(app));
    const closing = new ClosingParts(logger);
    const callersCap = capConnections(api.server, budget.api, app.proxies);
    const callers = new Connections(api.server);
    resources.defer(() => closing.close("api", () => api.close()));
    resources.defer(() => callers.end());
    resources.defer(() => closing.close("link", () => link.close()));
    resources.defer(() => tunnels.close());
    const marks = { name: "mark-epoch", everyMs: markEveryMs, run: () => epoch.mark() };
    const notices = new NoticeSender(app);
    resources.defer(() => closing.close("notices", () => notices[Symbol.asyncDispose]()));
    const sending = { name: "send-notices", everyMs: sendNoticesEveryMs, run: () => notices.run() };
    const driver = new ReconcilerDriver([...reconcilersOf(app), marks, sending], logger);
    resources.defer(() => closing.close("reconcilers", () => driver[Symbol.asyncDispose]()));

    const gateway = new Gateway({
      findSite: (subdomain) => findSite(app, subdomain),
      tunnels,
      siteDomain: config.siteDomain,
      proxies: app.proxies,
      logger,
    });
    const gatewayServer = gateway.createServer();
    const visitorsCap = capConnections(gatewayServer, budget.gateway, app.proxies);
    const visits = new Connections(gatewayServer);
    resources.defer(() => closing.close("gateway", () => closeServer(gatewayServer, visits)));
    await listen(visitorsCap, config.gatewayListen);
    await api.listen(config.listen);
    ownUrl = urlOf(api.server);
    return new Central({
      url: urlOf(api.server),
      gatewayUrl: urlOf(gatewayServer),
      epoch: epoch.current,
      app,
      resources: resources.move(),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

function urlOf(server: { address(): AddressInfo | string | null }): string {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen on a port");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
