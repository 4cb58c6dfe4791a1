/**
 * Runs the pages server: finds the site that a visitor asks for and carries the visit to its host, or answers why
 * it cannot.
 */

import { createServer, ServerResponse, type IncomingMessage, type Server } from "node:http";
import type { Duplex } from "node:stream";
import { failureHeader } from "@tijolo/protocol";
import { createGuard, endSocket, type Guard } from "@tijolo/protocol/kit";
import type { Logger } from "pino";
import type { TrustedProxies } from "../app/identity/trusted-proxies.ts";
import { tokenOfPath } from "../app/domains/well-known.ts";
import type { DomainTarget, Site } from "../app/projects/site.ts";
import { forwardRequest } from "./forward-request.ts";
import { forwardUpgrade } from "./forward-upgrade.ts";
import { pageOfStatus, sendPage, sendRedirect, sendText, type PageCode } from "./pages.ts";
import { createShowPage, type FindOwnPage } from "./show-page.ts";
import { parseSiteHost, type SiteHost } from "./site-host.ts";
import type { Tunnels } from "./tunnels.ts";
import { hasTooMany, type Visitor } from "./visit-headers.ts";
import { VisitRecord } from "./visit-record.ts";
import type { Visit as CountedVisit } from "./visits/visit.ts";
import { VisitLimit } from "./visit-limit.ts";
import { isWebSocket, maxVisitorHeaderBytes } from "./visitor-requests.ts";
import { visitTimes, type VisitTimes } from "./visit-times.ts";

export interface PagesServerOptions {
  /** Finds a site; called for each visit. */
  findSite: (subdomain: string) => Site | undefined | Promise<Site | undefined>;
  /** Returns what an authority is answered that asks for a proof; null for any other request. */
  answerChallenge: (host: string, path: string) => string | null;
  /** Finds what a site's own domain leads to; called for each visit. */
  findDomain: (hostname: string) => Promise<DomainTarget | undefined>;
  findOwnPage: FindOwnPage;
  /** Returns what is answered below `/.well-known/tijolo/`, whatever the host. */
  answerToToken: (token: string) => string;
  tunnels: Pick<Tunnels, "open" | "opened">;
  /** Domain of the sites, without a port. `<subdomain>.localhost` always works beside it. */
  siteDomain: string;
  proxies: TrustedProxies;
  logger: Pick<Logger, "warn">;
  /** Counts each request to a site once it is over. */
  countVisit: (visit: CountedVisit) => void;
  /** Returns the milliseconds since 1970. */
  now: () => number;
  times?: Partial<VisitTimes>;
  /** Most visits under way at once per project. */
  visitsPerProject?: number;
}

export class PagesServer {
  readonly #options: PagesServerOptions;
  readonly #times: VisitTimes;
  readonly #limit: VisitLimit;
  readonly #startedAtMs = performance.now();

  constructor(options: PagesServerOptions) {
    this.#options = options;
    this.#times = { ...visitTimes, ...options.times };
    this.#limit = new VisitLimit(options.visitsPerProject);
  }

  /** Creates a server with its limits; the caller makes it listen and closes it. */
  createServer(): Server {
    const { visitorHeadMs, keepAliveMs, idleMs } = this.#times;
    const server = createServer({
      maxHeaderSize: maxVisitorHeaderBytes,
      headersTimeout: visitorHeadMs,
      requestTimeout: 0, // a large upload takes as long as it takes; silence is bounded by `timeout`
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: Math.min(5_000, visitorHeadMs),
      insecureHTTPParser: false,
      requireHostHeader: true,
      shouldUpgradeCallback: isWebSocket,
    });
    server.timeout = idleMs;
    server.maxHeadersCount = 0; // counted in `#route`: what is over node's own limit would be dropped in silence
    server.on("connection", (socket) => socket.setMaxListeners(0)); // one for each request that was sent ahead
    const onRequest = (request: IncomingMessage, response: ServerResponse) =>
      this.#run(request, response, forwardRequest);
    server.on("request", onRequest);
    server.on("checkContinue", onRequest); // the project says whether to continue
    server.on("upgrade", (request, socket, head) => this.#onUpgrade(request, socket, head));
    return server;
  }

  #onUpgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    socket.on("error", () => {}); // its 'close' is what counts
    const response = assignResponse(request);
    if (response === undefined) return void socket.destroy();
    response.once("finish", () => endSocket(socket));
    request.socket.setTimeout(this.#times.idleMs, () => socket.destroy());
    const hasBody =
      request.headers["transfer-encoding"] !== undefined ||
      Number(request.headers["content-length"] ?? 0) > 0;
    if (request.method !== "GET" || hasBody) return sendPage(request, response, "bad_request");
    this.#run(request, response, (visit) => forwardUpgrade({ ...visit, socket, head }));
  }

  #run(request: IncomingMessage, response: ServerResponse, forward: Forward): void {
    const end = (error: unknown) => {
      this.#options.logger.warn({ err: error }, "a visit failed");
      request.socket.destroy();
    };
    this.#route(request, response, createGuard(end), forward).catch(end);
  }

  /** Answers with a page, or calls `forward` once the way to the project is open. */
  async #route(
    request: IncomingMessage,
    response: ServerResponse,
    guard: Guard,
    forward: Forward,
  ): Promise<void> {
    const { answerChallenge, answerToToken, siteDomain, tunnels, findOwnPage, logger } = this.#options;
    if (hasTooMany(request.rawHeaders)) return sendPage(request, response, "headers_too_large");
    const siteHost = parseSiteHost(request.rawHeaders, siteDomain);
    const path = targetPath(request);
    if (siteHost.kind === "invalid" || path === undefined) return sendPage(request, response, "bad_request");
    const proof = answerChallenge(request.headers.host ?? "", path);
    if (proof !== null) return sendText(response, proof);
    const token = tokenOfPath(path);
    if (token !== null) return sendText(response, answerToToken(token));
    const target = await this.#targetOf(siteHost);
    if (target === undefined || siteHost.kind === "unknown")
      return sendPage(request, response, "site_not_found");
    if (request.socket.destroyed) return; // its 'close' has been: nothing would free what is taken below
    if ("redirectTo" in target) {
      const { protocol } = this.#visitorOf(request);
      return sendRedirect(response, `${protocol}://${target.redirectTo}${path}`);
    }
    const { site } = target;
    const { projectId, status } = site;
    const visitor = this.#visitorOf(request);
    const showPage = createShowPage({ request, response, projectId, findOwnPage, guard, logger });
    const failedPage = this.#failedPageOf(request);
    if (failedPage !== null) return showPage(failedPage); // the gateway counts the visit itself
    const record = this.#recordOf(request, projectId, visitor);
    const whenOver = listenForEnd(request, response, guard);
    whenOver(() => record.finish(response));
    if (site.isInMaintenance) return showPage("site_maintenance");
    if (!site.isRouted) return showPage(pageOfStatus(status));
    const leave = this.#limit.enter(site);
    if (leave === undefined) return showPage("overloaded");
    whenOver(leave);
    const session = tunnels.open(site.hostId) ?? (await tunnels.opened(site.hostId, this.#hostPatienceMs()));
    if (request.socket.destroyed) return;
    if (session === undefined) return showPage("host_unreachable");
    const { host } = siteHost;
    const hasOwnDomain = siteHost.kind === "domain";
    const way = { session, visitor, projectId, status, host, hasOwnDomain, path, showPage };
    forward({ request, response, ...way, times: this.#times, record, whenOver, guard });
  }

  /** Returns how long a visit waits for its host, which may not have noticed yet that central is back. */
  #hostPatienceMs(): number {
    const { hostMs, returnMs } = this.#times;
    return Math.max(hostMs, this.#startedAtMs + returnMs - performance.now());
  }

  /** Returns the page of a visit that a gateway of the cluster has carried in vain; null for any other. */
  #failedPageOf(request: IncomingMessage): PageCode | null {
    if (!this.#options.proxies.isOfGateway(request)) return null;
    const failure = request.headers[failureHeader];
    if (failure === "bad_response") return "app_bad_response";
    return failure === "timeout" ? "app_timeout" : null;
  }

  #recordOf(request: IncomingMessage, projectId: string, { address }: Visitor): VisitRecord {
    const { now, countVisit } = this.#options;
    return new VisitRecord(request, { projectId, address, now, report: countVisit });
  }

  async #targetOf(host: SiteHost): Promise<DomainTarget | undefined> {
    const { findSite, findDomain } = this.#options;
    if (host.kind === "domain") return findDomain(host.hostname);
    const site = host.kind === "site" ? await findSite(host.subdomain) : undefined;
    return site === undefined ? undefined : { site };
  }

  #visitorOf(request: IncomingMessage): Visitor {
    const { proxies } = this.#options;
    return {
      address: proxies.addressOf(request),
      protocol: proxies.protocolOf(request) ?? protocolOfOwn(request),
    };
  }
}

type Forward = typeof forwardRequest;

function protocolOfOwn({ socket }: IncomingMessage): "http" | "https" {
  return "encrypted" in socket ? "https" : "http";
}

/**
 * Returns the response for an upgrade. Undefined when the upgrade was sent ahead, while an earlier request of
 * its connection is still being answered.
 */
function assignResponse(request: IncomingMessage): ServerResponse | undefined {
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  try {
    response.assignSocket(request.socket);
  } catch {
    return undefined;
  }
  return response;
}

/**
 * Calls each listener once when the answer is given or its connection closes. The answer's own 'close' is not
 * enough: one that waits behind others on its connection (requests sent ahead) has none.
 */
function listenForEnd(
  { socket }: IncomingMessage,
  response: ServerResponse,
  guard: Guard,
): (listener: () => void) => void {
  let listeners: (() => void)[] = [];
  const end = guard(() => {
    socket.off("close", end);
    const ended = listeners;
    listeners = [];
    for (const listener of ended) listener();
  });
  socket.once("close", end);
  response.once("close", end);
  return (listener) => void listeners.push(listener);
}

/**
 * Returns path and query of the request; undefined when the target is neither a path nor an absolute address
 * of the same host.
 */
function targetPath(request: IncomingMessage): string | undefined {
  const target = request.url ?? "";
  if (target.startsWith("/")) return target;
  if (target === "*") return request.method === "OPTIONS" ? target : undefined;
  if (!URL.canParse(target)) return undefined;
  const url = new URL(target);
  const isSameHost =
    url.protocol === "http:" && target.slice("http://".length).split(/[/?]/, 1)[0] === request.headers.host;
  return isSameHost ? url.pathname + url.search : undefined;
}
