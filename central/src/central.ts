/** Central's composition root: builds every part, hands each what it needs, and closes them in reverse order. */

import { mkdir } from "node:fs/promises";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { plans } from "@tijolo/protocol";
import { Slots } from "@tijolo/protocol/node";
import type { Logger } from "pino";
import { defaultApiBounds, type ApiBounds } from "./api/api-bounds.ts";
import { createAdmin } from "./api/create-admin.ts";
import { createApi } from "./api/create-api.ts";
import { projectHandlers } from "./api/project.ts";
import { createAdministration, ensureFirstOperator } from "./app/administration.ts";
import { collectArchives } from "./app/collect-archives.ts";
import type { Clock, Random } from "./app/clock.ts";
import type { AppContext } from "./app/context.ts";
import { raiseEpoch } from "./app/epoch.ts";
import { HostStates } from "./app/host-states.ts";
import { createLinkBackend } from "./app/link-backend.ts";
import { newId } from "./app/new-id.ts";
import { ProjectActors } from "./app/project-actors.ts";
import { findSite } from "./app/site.ts";
import { UsageBoard } from "./app/usage-board.ts";
import { Wakes } from "./app/wakes.ts";
import type { Address, CentralConfig } from "./config.ts";
import { openDatabase } from "./db/open-database.ts";
import { createGateway } from "./gateway/gateway.ts";
import { createTunnels } from "./gateway/tunnels.ts";
import { createLinkServer } from "./link/link-server.ts";
import { FolderObjects } from "./objects/folder-objects.ts";
import { ReconcilerDriver } from "./reconcile/reconciler.ts";

/** What a test replaces: time, randomness, the log, and how long is waited. */
export interface CentralDependencies {
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Changes of {@link defaultApiBounds}. */
  apiBounds?: Partial<ApiBounds>;
}

const archiveChecksAtOnce = 2;
const collectEveryMs = 10 * 60 * 1000;

export class Central implements AsyncDisposable {
  readonly url: string;
  readonly gatewayUrl: string;
  readonly epoch: number;
  readonly app: AppContext;
  readonly #resources: AsyncDisposableStack;

  private constructor(parts: { url: string; gatewayUrl: string; epoch: number; app: AppContext; resources: AsyncDisposableStack }) {
    this.url = parts.url;
    this.gatewayUrl = parts.gatewayUrl;
    this.epoch = parts.epoch;
    this.app = parts.app;
    this.#resources = parts.resources;
  }

  /** Resolves once central serves. Throws, with nothing left open, when it cannot. */
  static async create(config: CentralConfig, { clock, random, logger, apiBounds }: CentralDependencies): Promise<Central> {
    await using resources = new AsyncDisposableStack();
    await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 });
    const { db } = resources.use(await openDatabase(join(config.dataDirectory, "central.sqlite")));
    const epoch = await raiseEpoch(db, join(config.dataDirectory, "epoch"));
    const objects = await FolderObjects.open(join(config.dataDirectory, "objects"), () => newId({ clock, random }));
    const app: AppContext = {
      db,
      objects,
      clock,
      random,
      logger,
      plans,
      siteUrl: (subdomain) => config.siteUrlPattern.replace("*", subdomain),
      archiveSlots: new Slots(archiveChecksAtOnce),
      actors: new ProjectActors(),
      hostStates: new HostStates(clock),
      usage: new UsageBoard(),
      wakes: new Wakes(),
    };

    const link = createLinkServer({ backend: createLinkBackend(app, epoch), random, logger });
    const tunnels = createTunnels({ hostOfBearer: (bearer) => link.hostOfBearer(bearer), logger, clock });
    const administration = createAdministration(app, {
      disconnect(hostId) {
        link.disconnect(hostId);
        tunnels.disconnect(hostId);
      },
    });
    await ensureFirstOperator(app, config.bootstrapFile);

    const api = createApi(app, projectHandlers(app, link), { ...defaultApiBounds, ...apiBounds });
    createAdmin(api, app, administration);
    api.all("/link/*", (request, reply) => {
      reply.hijack();
      if (!link.handleRequest(request.raw, reply.raw)) reply.raw.writeHead(404).end();
    });
    api.server.on("upgrade", (request, socket, head) => {
      if (tunnels.handleUpgrade(request, socket, head) || link.handleUpgrade(request, socket, head)) return;
      socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    });
    resources.defer(() => api.close());
    resources.defer(() => link.close());
    resources.defer(() => tunnels.close());
    resources.use(new ReconcilerDriver([{ name: "collect-archives", everyMs: collectEveryMs, run: () => collectArchives(app) }], logger));

    const gateway = createGateway({ findSite: (subdomain) => findSite(app, subdomain), tunnels, siteDomain: config.siteDomain, logger });
    const gatewayServer = gateway.createServer();
    resources.defer(() => closeServer(gatewayServer));
    await listen(gatewayServer, config.gatewayListen);
    await api.listen(config.listen);
    return new Central({
      url: urlOf(api.server),
      gatewayUrl: urlOf(gatewayServer),
      epoch,
      app,
      resources: resources.move(),
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

function listen(server: Server, { host, port }: Address): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}

function urlOf(server: { address(): AddressInfo | string | null }): string {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("the server does not listen on a port");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
