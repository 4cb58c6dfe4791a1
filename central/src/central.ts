/**
 * Builds every part of central, hands each what it needs, and closes them in reverse order: the composition
 * root.
 */

import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { ReconcilerDriver, type Reconciler } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import { defaultApiBounds, type ApiBounds } from "./api/edge/api-bounds.ts";
import { createApi } from "./api/create-api.ts";
import { operationHandlers } from "./api/handlers/operation-handlers.ts";
import { PanelFiles } from "./api/panel/panel-files.ts";
import type { Clock, Random, SteadyClock } from "./app/clock.ts";
import type { AppContext } from "./app/context.ts";
import { Epoch } from "./app/cluster/epoch.ts";
import { writeGatewayToken } from "./app/gateways/gateway.ts";
import { LiveFeeds } from "./app/live/live-feeds.ts";
import { CertificateKeeper } from "./app/certificates/local/certificate-keeper.ts";
import { CertificateOrders } from "./app/certificates/orders/certificate-orders.ts";
import { ensureFirstOperator } from "./app/operators/operator.ts";
import { ensureStartLink } from "./app/people/first-person.ts";
import { writeMetrics } from "./app/metrics/metric-keeping.ts";
import { defaultMailBounds, type MailBounds } from "./app/people/mail.ts";
import type { DomainLookups } from "./app/domains/domains-context.ts";
import { NoticeSender } from "./app/notices/notice-sender.ts";
import { saveCounts } from "./app/upkeep/saved-counts.ts";
import { findSite, findSiteOfDomain } from "./app/projects/site.ts";
import { findOwnPage } from "./app/projects/site-page.ts";
import { findHostOfSite, sendAccessLines } from "./app/logs/send-access-lines.ts";
import { newId } from "./app/new-id.ts";
import { storeVisits } from "./app/visits/visit-keeping.ts";
import { ClosingParts } from "./closing-parts.ts";
import type { CentralConfig } from "./config.ts";
import { connectionBudget, descriptorLimit } from "./connection-budget.ts";
import { capConnections, type ConnectionCap } from "./connection-cap.ts";
import { PagesServer } from "./pages-server/pages-server.ts";
import type { Tunnels } from "./pages-server/tunnels.ts";
import { AccessQueue } from "./pages-server/access/access-queue.ts";
import { CountedVisits } from "./pages-server/visits/counted-visits.ts";
import type { Visit } from "./pages-server/visits/visit.ts";
import { HostEndpoints } from "./host-endpoints.ts";
import { FarVisits } from "./far-visits.ts";
import { closeServer, Connections, listen } from "./http-server.ts";
import { createContext, type AcmeLookups } from "./create-context.ts";
import { createLinkListener } from "./link-listener.ts";
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
  /** Where HTTP is asked before certificates are ordered, and how long the DNS hook may take. */
  acmeLookups?: AcmeLookups;
  /** Other servers than the world's to ask about domains. */
  domainLookups?: DomainLookups;
}

/**
 * Milliseconds between two marks; a database that is set back by less than this, within one run of central,
 * is not detected.
 */
const markEveryMs = 60_000;

/** Milliseconds until a notice that is due is sent. */
const sendNoticesEveryMs = 1_000;

/** Milliseconds until a visit stands in the log of its site. */
const sendAccessLogsEveryMs = 1_000;

/** Milliseconds until a new site has its certificate. */
const keepCertificatesEveryMs = 250;

export class Central implements AsyncDisposable {
  readonly url: string;
  readonly pagesUrl: string;
  readonly epoch: number;
  readonly app: AppContext;
  readonly #startLinkFile: string;
  readonly #resources: AsyncDisposableStack;

  private constructor(parts: {
    url: string;
    pagesUrl: string;
    epoch: number;
    app: AppContext;
    startLinkFile: string;
    resources: AsyncDisposableStack;
  }) {
    this.url = parts.url;
    this.pagesUrl = parts.pagesUrl;
    this.epoch = parts.epoch;
    this.app = parts.app;
    this.#startLinkFile = parts.startLinkFile;
    this.#resources = parts.resources;
  }

  /** Resolves once central serves. Throws, with nothing left open, when it cannot. */
  static async create(
    config: CentralConfig,
    { clock, random, logger, apiBounds, mailBounds, acmeLookups, domainLookups }: CentralDependencies,
  ): Promise<Central> {
    await using resources = new AsyncDisposableStack();
    let ownUrl = "";
    const app = await createContext(config, resources, {
      clock,
      random,
      logger,
      mailBounds: { ...defaultMailBounds, ...mailBounds },
      acmeLookups: acmeLookups ?? {},
      domainLookups: domainLookups ?? {},
      ownUrl: () => ownUrl,
    });
    const epoch = await Epoch.begin(app, join(config.dataDirectory, "epoch"));
    resources.defer(() => writeMetrics(app, { isLast: true }));
    const visits = new CountedVisits({
      salt: () => app.visitSalt.current,
      store: (counts) => storeVisits(app, counts),
      countriesDirectory: config.countriesDirectory,
      logger,
    });
    resources.defer(() => visits.store());
    const accessLogs = new AccessQueue({
      modeOf: (projectId) => app.siteRoutes.accessLogOf(projectId),
      findHost: (projectId) => findHostOfSite(app, projectId),
      send: (hostId, lines) => sendAccessLines(hosts, hostId, lines),
      createBatchId: () => newId(app),
      now: () => clock.now(),
      logger,
    });
    const countVisit = (visit: Visit) => {
      visits.count(visit);
      accessLogs.note(visit);
    };
    void visits.readCountries();

    const budget = connectionBudget(descriptorLimit());
    const caps: ConnectionCap[] = [];
    const hosts = new HostEndpoints(app, epoch, {
      vouch: (socket) => caps.forEach((cap) => cap.vouch(socket)),
      pagesServer: () => reachableAddress(pages),
      apiServer: () => reachableAddress(api.server),
      countVisit,
    });
    await ensureFirstOperator(app, config.bootstrapFile);

    const live = new LiveFeeds(app, epoch.current);
    const panel = new PanelFiles(config.panelDirectory, { clock, logger });
    // Read now if it is there: a later build may remove the folder before somebody asks for a page.
    void panel.find();
    const api = createApi(app, operationHandlers(app, { link: hosts, live, panel }), {
      bounds: { ...defaultApiBounds, ...apiBounds },
      panel,
    });
    hosts.serveOn(api);
    resources.defer(() => saveCounts(app));
    const closing = new ClosingParts(logger);
    const callersCap = capConnections(api.server, budget.api, app.proxies);
    caps.push(callersCap);
    const callers = new Connections(api.server);
    resources.defer(() => closing.close("api", () => api.close()));
    resources.defer(() => callers.end());
    resources.defer(() => closing.close("live streams", () => live[Symbol.asyncDispose]()));
    resources.defer(() => closing.close("link", () => hosts.link.close()));
    resources.defer(() => closing.close("access logs", () => accessLogs.flush()));
    resources.defer(() => hosts.tunnels.close());
    const certificates = resources.use(new CertificateKeeper(app));
    await certificates.run();
    const access = {
      name: "send-access-logs",
      everyMs: sendAccessLogsEveryMs,
      run: () => accessLogs.begin(),
    };
    const pages = createPagesServer(app, { tunnels: hosts.tunnels, countVisit }, config);
    const farVisits = new FarVisits(app.proxies, { pages, api: api.server });
    const linkListener = config.linkListen && (await createLinkListener(app, { hosts, visits: farVisits }));
    const others = [access, ...(linkListener === null ? [] : [linkListener.renewal])];
    startReconcilers(app, { epoch, certificates, visits, others }, { resources, closing });

    const visitors = capConnections(pages, budget.visitors, app.proxies);
    const visiting = new Connections(pages);
    resources.defer(() => closing.close("pages server", () => closeServer(pages, visiting)));
    await listen(visitors, config.gatewayListen);
    if (linkListener !== null && config.linkListen !== null) {
      const { server } = linkListener;
      const cap = capConnections(server, budget.api, app.proxies);
      caps.push(cap);
      const connections = new Connections(server);
      resources.defer(() => closing.close("link over TLS", () => closeServer(server, connections)));
      await listen(cap, config.linkListen);
    }
    await api.listen(config.listen);
    ownUrl = namedUrl(urlOf(api.server));
    if (config.gatewayTokenFile !== null) await writeGatewayToken(app, config.gatewayTokenFile);
    return new Central({
      url: urlOf(api.server),
      pagesUrl: urlOf(pages),
      epoch: epoch.current,
      app,
      startLinkFile: join(config.dataDirectory, "start-link"),
      resources: resources.move(),
    });
  }

  /** Address of the panel, as people open it. */
  get panelUrl(): string {
    return this.app.panel.url();
  }

  /** Leaves the link for the cluster's first person in its file, as long as there is none. */
  writeStartLink(): Promise<void> {
    return ensureStartLink(this.app, this.#startLinkFile);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#resources.disposeAsync();
  }
}

/** Calls the loopback by its name: browsers bind passkeys to names, and make none at an IP address. */
function namedUrl(url: string): string {
  return url.replace(/\/\/(?:127\.0\.0\.1|\[::1\])(?=[:/]|$)/, "//localhost");
}

/** Starts what central does periodically; it is closed with `resources`. */
function startReconcilers(
  app: AppContext,
  {
    epoch,
    certificates,
    visits,
    others,
  }: {
    epoch: Epoch;
    certificates: CertificateKeeper;
    visits: CountedVisits;
    others: readonly Reconciler[];
  },
  { resources, closing }: { resources: AsyncDisposableStack; closing: ClosingParts },
): void {
  const marks = { name: "mark-epoch", everyMs: markEveryMs, run: () => epoch.mark() };
  const notices = new NoticeSender(app);
  resources.defer(() => closing.close("notices", () => notices[Symbol.asyncDispose]()));
  const sending = { name: "send-notices", everyMs: sendNoticesEveryMs, run: () => notices.run() };
  const orders = new CertificateOrders(app);
  resources.defer(() => closing.close("orders of certificates", () => orders[Symbol.asyncDispose]()));
  const everyMs = keepCertificatesEveryMs;
  const keeping = [
    { name: "keep-certificates", everyMs, run: () => certificates.run() },
    { name: "order-certificates", everyMs, run: () => orders.run() },
  ];
  const own = [marks, sending, ...keeping, ...visits.reconcilers(), ...others];
  const driver = new ReconcilerDriver([...reconcilersOf(app), ...own], app.logger);
  resources.defer(() => closing.close("reconcilers", () => driver[Symbol.asyncDispose]()));
}

/** Creates the server for visitors of sites, which does not listen yet. */
function createPagesServer(
  app: AppContext,
  { tunnels, countVisit }: { tunnels: Tunnels; countVisit: (visit: Visit) => void },
  { siteDomain }: CentralConfig,
): Server {
  const server = new PagesServer({
    findSite: (subdomain) => findSite(app, subdomain),
    answerChallenge: (host, path) => app.acme.challenges.answer(host, path),
    findDomain: (hostname) => findSiteOfDomain(app, hostname, siteDomain),
    findOwnPage: (projectId, status) => findOwnPage(app, projectId, status),
    answerToToken: (token) => app.domains.proofs.answerTo(token),
    tunnels,
    siteDomain,
    proxies: app.proxies,
    logger: app.logger,
    countVisit,
    now: () => app.clock.now(),
  });
  return server.createServer();
}

/** Returns where a program of this machine reaches a server that may listen on every address. */
function reachableAddress(server: Server): { host: string; port: number } {
  const { hostname, port } = new URL(urlOf(server));
  const isOnAll = hostname === "0.0.0.0" || hostname === "[::]";
  return { host: isOnAll ? "127.0.0.1" : hostname.replace(/^\[|\]$/g, ""), port: Number(port) };
}

function urlOf(server: { address(): AddressInfo | string | null }): string {
  const address = server.address();
  if (address === null || typeof address === "string")
    throw new Error("the server does not listen on a port");
  const host = address.family === "IPv6" ? `[${address.address}]` : address.address;
  return `http://${host}:${address.port}`;
}
