/**
 * A real gateway and real tunnels on one side, a real ingress on the other, all on loopback, before apps of
 * the test's own.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import {
  createServer,
  request as requestHttp,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type RequestListener,
  type RequestOptions,
  type Server,
} from "node:http";
import {
  connect,
  createServer as createTcpServer,
  type AddressInfo,
  type Server as TcpServer,
  type Socket,
} from "node:net";
import type {
  IngressOptions,
  IngressTarget,
  ProcessTarget,
} from "../../agent/src/ingress/ingress-options.ts";
import { Ingress } from "../../agent/src/ingress/ingress.ts";
import { SiteVisits } from "../../agent/src/ingress/site-visits.ts";
import { TrustedProxies } from "../../central/src/app/identity/trusted-proxies.ts";
import type { DomainTarget, Site } from "../../central/src/app/projects/site.ts";
import { PagesServer, type PagesServerOptions } from "../../central/src/pages-server/pages-server.ts";
import type { Visit } from "../../central/src/pages-server/visits/visit.ts";
import { Tunnels, type TunnelsOptions } from "../../central/src/pages-server/tunnels.ts";
import { until } from "../support/until.ts";

export const silent = { debug() {}, info() {}, warn() {} };

/** Target of a test. A program's target may leave out the fields that few tests are about. */
export type TestTarget =
  | Exclude<IngressTarget, ProcessTarget>
  | (Pick<ProcessTarget, "kind" | "address" | "port"> & Partial<ProcessTarget>);

export class GatewayFixture implements AsyncDisposable {
  readonly sites = new Map<string, Site>();
  readonly domains = new Map<string, DomainTarget>();
  /** HTML of sites' own pages, by project and status. */
  readonly pages = new Map<string, string>();
  readonly targets = new Map<string, IngressTarget>();
  readonly bearers = new Map<string, string>([["token-a", "host-a"]]);
  /** Connections of agents as central sees them. */
  readonly tunnelSockets = new Set<Socket>();
  /** What the gateway counted. */
  readonly counted: Visit[] = [];
  readonly #closers: (() => Promise<void> | void)[] = [];
  /** Visits of the first ingress. */
  readonly visits = new SiteVisits();
  tunnels!: Tunnels;
  ingress!: Ingress;
  /** The gateway's. */
  server!: Server;
  port!: number;
  centralPort!: number;

  static async create(
    options: {
      gateway?: Partial<PagesServerOptions>;
      tunnels?: Partial<TunnelsOptions>;
      ingress?: Partial<IngressOptions>;
    } = {},
  ): Promise<GatewayFixture> {
    const fixture = new GatewayFixture();
    fixture.tunnels = new Tunnels({
      hostOfBearer: (token) => fixture.bearers.get(token),
      logger: silent,
      clock: { now: Date.now },
      vouch: () => {},
      ...options.tunnels,
    });
    const central = createServer();
    central.on("upgrade", (request, socket, head) => {
      fixture.tunnelSockets.add(socket as Socket);
      if (!fixture.tunnels.handleUpgrade(request, socket, head)) socket.destroy();
    });
    fixture.centralPort = await fixture.listen(central);
    const gateway = new PagesServer({
      findSite: (subdomain) => fixture.sites.get(subdomain),
      findDomain: async (hostname) => fixture.domains.get(hostname),
      findOwnPage: async (projectId, status) => fixture.pages.get(`${projectId} ${status}`),
      answerToToken: (token) => `answer to ${token}`,
      tunnels: fixture.tunnels,
      answerChallenge: () => null,
      siteDomain: "sites.example",
      proxies: new TrustedProxies([]),
      logger: silent,
      countVisit: (visit) => fixture.counted.push(visit),
      now: Date.now,
      ...options.gateway,
      times: { returnMs: 0, ...options.gateway?.times },
    });
    fixture.server = gateway.createServer();
    fixture.port = await fixture.listen(fixture.server);
    fixture.ingress = fixture.startIngress({ visits: fixture.visits, ...options.ingress });
    await until(() => fixture.tunnels.open("host-a") !== undefined);
    return fixture;
  }

  startIngress(options: Partial<IngressOptions> = {}): Ingress {
    const ingress = new Ingress({
      findTarget: (projectId) => this.targets.get(projectId),
      centralUrl: `http://127.0.0.1:${this.centralPort}`,
      bearer: () => "token-a",
      logger: silent,
      random: Math.random,
      visits: new SiteVisits(),
      ...options,
    });
    this.#closers.push(() => ingress.close({ graceMs: 0 }));
    return ingress;
  }

  /** A site whose program is `listener`; answers its port. */
  async app(name: string, listener: RequestListener | Server): Promise<number> {
    const server = typeof listener === "function" ? createServer(listener) : listener;
    const port = await this.listen(server);
    this.site(name, { kind: "process", address: "127.0.0.1", port });
    return port;
  }

  /**
   * A site whose program is no HTTP server: it is given each connection when the first bytes of a request
   * have come.
   */
  async rawApp(name: string, answer: (socket: Socket) => void): Promise<void> {
    const server = createTcpServer((socket) => {
      socket.on("error", () => {});
      socket.once("data", () => answer(socket));
    });
    this.site(name, { kind: "process", address: "127.0.0.1", port: await this.listen(server) });
  }

  site(name: string, target: TestTarget, site: Partial<Site> = {}): void {
    const projectId = `project-${name}`;
    const up = { status: "running", isRouted: true, isInMaintenance: false } as const;
    this.sites.set(name, { projectId, hostId: "host-a", ...up, ...site });
    this.targets.set(projectId, wholeTarget(target));
  }

  async listen(server: Server | TcpServer): Promise<number> {
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    this.#closers.push(() => {
      if ("closeAllConnections" in server) server.closeAllConnections();
      server.close();
    });
    return (server.address() as AddressInfo).port;
  }

  request(name: string, path: string, options: VisitOptions = {}) {
    const headers = { host: `${name}.localhost:${this.port}`, ...options.headers };
    return requestHttp({ host: "127.0.0.1", port: this.port, path, agent: false, ...options, headers });
  }

  /** Returns the answer with its whole body. */
  async get(
    name: string,
    path = "/",
    options: VisitOptions & { body?: string | Buffer } = {},
  ): Promise<Answer> {
    const request = this.request(name, path, options);
    request.end(options.body);
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return {
      status: response.statusCode ?? 0,
      headers: response.headers,
      body: (await bytesOf(response)).toString(),
      trailers: response.trailers,
    };
  }

  /**
   * Sends raw bytes to the gateway; answers all that comes back until it closes or `quietMs` pass without
   * data.
   */
  async raw(text: string, quietMs = 500): Promise<string> {
    const socket = connect(this.port, "127.0.0.1");
    let received = "";
    socket.setEncoding("latin1").setTimeout(quietMs, () => socket.destroy());
    socket.on("data", (chunk: string) => (received += chunk));
    socket.on("error", () => {});
    socket.write(text, "latin1");
    await once(socket, "close");
    return received;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.tunnels.close();
    for (const close of this.#closers.reverse()) await close();
  }
}

/**
 * Adds another site; what is answered asserts that it is served, by the tunnel that is open now and that all
 * share.
 */
export async function neighbourOf(fixture: GatewayFixture): Promise<() => Promise<void>> {
  await fixture.app("neighbour", (_, response) => response.end("neighbour"));
  const session = fixture.tunnels.open("host-a");
  return async () => {
    assert.equal((await fixture.get("neighbour")).body, "neighbour");
    assert.ok(fixture.tunnels.open("host-a") === session, "it is another tunnel");
  };
}

function wholeTarget(target: TestTarget): IngressTarget {
  return target.kind === "process" ? { runNumber: 1, isStarting: false, ...target } : target;
}

export type VisitOptions = Omit<RequestOptions, "headers"> & { headers?: OutgoingHttpHeaders };

export interface Answer {
  status: number;
  headers: IncomingMessage["headers"];
  body: string;
  trailers: NodeJS.Dict<string>;
}

export async function bytesOf(stream: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of stream) chunks.push(chunk);
  return Buffer.concat(chunks);
}
