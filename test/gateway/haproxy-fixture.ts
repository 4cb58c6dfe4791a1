/**
 * A real HAProxy as the gateway's program runs it, before apps of the test's own and a server that stands in
 * for the pages server.
 */

import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer, request, type IncomingMessage, type RequestListener, type Server } from "node:http";
import { connect, type AddressInfo, type Server as TcpServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CentralServers, SiteRoute } from "@tijolo/protocol";
import { Haproxy } from "../../central/gateway/src/haproxy/haproxy.ts";
import { RouteMap } from "../../central/gateway/src/routes/route-map.ts";
import { freePort } from "../support/machine/free-port.ts";

/** Begins with a hyphen, as one key in 64 does: HAProxy takes that for an option unless it is told. */
export const pagesKey = `-${"k".repeat(42)}`;
const silent = { info() {}, warn() {}, error() {} };

interface Listening {
  port: number;
  httpsPort: number;
  trustedProxies: string[];
  programSilenceMs?: number;
  hasProxyProtocol?: boolean;
}

export class HaproxyFixture implements AsyncDisposable {
  readonly port: number;
  readonly httpsPort: number;
  readonly directory: string;
  readonly haproxy: Haproxy;
  readonly map: RouteMap;
  /** Bodies' lengths and headers of what came to the pages server. */
  readonly pageVisits: { headers: IncomingMessage["headers"]; bytes: number }[] = [];
  readonly #routes = new Map<string, SiteRoute>();
  readonly #servers: (Server | TcpServer)[] = [];
  /** Port of what stands in for the pages server. */
  pagesPort = 0;

  private constructor(argv: string[], directory: string, listening: Listening) {
    const { port, httpsPort, trustedProxies, programSilenceMs, hasProxyProtocol = false } = listening;
    this.port = port;
    this.httpsPort = httpsPort;
    this.directory = directory;
    const httpListen = `127.0.0.1:${port}`;
    const options = {
      argv,
      runDirectory: join(directory, "run"),
      httpListen,
      httpsListen: `127.0.0.1:${httpsPort}`,
      hasHttp3: true,
      trustedProxies,
      hasProxyProtocol,
      ...(programSilenceMs === undefined ? {} : { programSilenceMs }),
      logger: silent,
    };
    this.haproxy = new Haproxy(options);
    this.map = new RouteMap({ file: this.haproxy.files.routes, api: this.haproxy.api, logger: silent });
  }

  static async create(
    argv: string[],
    trustedProxies: string[] = [],
    change: Partial<Pick<Listening, "port" | "programSilenceMs" | "hasProxyProtocol">> = {},
  ): Promise<HaproxyFixture> {
    const directory = await mkdtemp(join(tmpdir(), "hap-"));
    const listening = { port: await freePort(), httpsPort: await freePort(), trustedProxies, ...change };
    const fixture = new HaproxyFixture(argv, directory, listening);
    const pages = createServer((request, response) => {
      let bytes = 0;
      request.on("data", (chunk: Buffer) => (bytes += chunk.length));
      request.on("end", () => {
        fixture.pageVisits.push({ headers: request.headers, bytes });
        response.end("pages");
      });
    });
    fixture.pagesPort = await fixture.listen(pages);
    await fixture.haproxy.prepare();
    await fixture.map.write(new Map());
    for (const name of ["secured", "challenges", "certificates"] as const)
      await writeFile(fixture.haproxy.files[name], "");
    try {
      await fixture.serve();
    } catch (error) {
      await fixture[Symbol.asyncDispose]();
      throw error;
    }
    return fixture;
  }

  /** Has HAProxy serve with these servers of central. */
  serve(change: Partial<CentralServers> = {}): Promise<"started" | "adopted"> {
    const pages = { host: "127.0.0.1", port: this.pagesPort };
    return this.haproxy.serve({ key: pagesKey, pages, showsFailures: true, api: null, ...change });
  }

  async listen(server: Server | TcpServer, port = 0): Promise<number> {
    this.#servers.push(server);
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
    return (server.address() as AddressInfo).port;
  }

  /** Adds a site `<name>.localhost` whose program listens on a port of the loopback. */
  async site(name: string, port: number, change: Partial<SiteRoute> = {}): Promise<void> {
    const hostname = `${name}.localhost`;
    const near = { address: "127.0.0.1", port, runNumber: 1, isStatic: false };
    const route = {
      hostname,
      projectId: projectIdOf(name),
      near,
      redirectTo: null,
      isOwnDomain: false,
      hasHsts: true,
      isCompressed: true,
    };
    this.#routes.set(hostname, { ...route, ...change });
    await this.map.apply(new Map(this.#routes));
  }

  /** Port of the site's program. */
  portOf(name: string): number {
    return this.#routes.get(`${name}.localhost`)?.near?.port ?? 0;
  }

  async app(name: string, listener: RequestListener): Promise<Server> {
    const server = createServer(listener);
    await this.site(name, await this.listen(server));
    return server;
  }

  /** Asks on a connection of its own; answers all of the response. */
  async get(
    name: string,
    path = "/",
    visit: { method?: string; headers?: Record<string, string>; body?: string | Buffer } = {},
  ) {
    const { method = "GET", headers = {}, body: sentBody } = visit;
    const sent = request({
      host: "127.0.0.1",
      port: this.port,
      path,
      method,
      agent: false,
      headers: { host: `${name}.localhost`, ...headers },
    });
    sent.end(sentBody);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    let body = "";
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** Sends raw bytes; answers all that comes back until the end, or until `quietMs` pass without data. */
  async raw(text: string, quietMs = 700): Promise<string> {
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
    await this.haproxy.end();
    for (const server of this.#servers) {
      if ("closeAllConnections" in server) server.closeAllConnections();
      server.close();
    }
    await rm(this.directory, { recursive: true, force: true });
  }
}

/** Returns an id of a project for a name. */
export function projectIdOf(name: string): string {
  return `01${name.toUpperCase().replaceAll(/[^A-HJKMNP-TV-Z0-9]/g, "X")}`.padEnd(26, "0").slice(0, 26);
}
