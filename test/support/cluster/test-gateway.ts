/** Runs the gateway's program in this process, before a cluster of a test, with a real HAProxy. */

import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { request as requestHttp, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { once } from "node:events";
import { join } from "node:path";
import { connect } from "node:tls";
import { GatewayProgram, parseConfig } from "@tijolo/gateway";
import { pino } from "pino";
import { fastDirectory } from "../machine/fast-directory.ts";
import { haproxyDirectory } from "../machine/haproxy.ts";
import { freePort } from "../machine/free-port.ts";
import type { Operator } from "./operator.ts";

export interface TestVisit {
  method?: string;
  path?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Certificate in PEM that the answer's must be signed by; it makes the visit one over HTTPS. */
  ca?: string;
}

/** A cluster of simulated or of real hosts. */
export interface GatewayCluster {
  readonly centralUrl: string;
  readonly operator: Operator;
}

export interface TestGatewayOptions {
  httpPort?: number;
  httpsPort?: number;
  /** The gateway is as on another machine, and reaches central by the link over TLS. */
  far?: { centralUrl: string; authorityFile: string } | undefined;
}

export class TestGateway implements AsyncDisposable {
  readonly #cluster: GatewayCluster;
  readonly #directory: string;
  readonly #far: TestGatewayOptions["far"];
  readonly httpPort: number;
  readonly httpsPort: number;
  #program: GatewayProgram | null = null;

  private constructor(
    cluster: GatewayCluster,
    {
      directory,
      ports,
      far,
    }: Pick<TestGatewayOptions, "far"> & {
      directory: string;
      ports: { http: number; https: number };
    },
  ) {
    this.#cluster = cluster;
    this.#directory = directory;
    this.#far = far;
    this.httpPort = ports.http;
    this.httpsPort = ports.https;
  }

  /** Joins the cluster, and resolves once visitors are served. */
  static async start(
    cluster: GatewayCluster,
    { httpPort, httpsPort, far }: TestGatewayOptions = {},
  ): Promise<TestGateway> {
    const directory = await mkdtemp(join(fastDirectory(), "tgw-"));
    const ports = { http: httpPort ?? (await freePort()), https: httpsPort ?? (await freePort()) };
    const gateway = new TestGateway(cluster, { directory, ports, far });
    try {
      const { token } = await cluster.operator.client().createGatewayToken({});
      await writeFile(join(directory, "token"), token, { mode: 0o600 });
      await gateway.begin();
    } catch (error) {
      await gateway[Symbol.asyncDispose]();
      throw error;
    }
    return gateway;
  }

  /** Starts the program again, as after a boot of its machine. */
  async begin(): Promise<void> {
    const config = parseConfig({
      TIJOLO_CENTRAL_URL: this.#far?.centralUrl ?? this.#cluster.centralUrl,
      TIJOLO_CENTRAL_AUTHORITY_FILE: this.#far?.authorityFile,
      TIJOLO_JOIN_TOKEN_FILE: join(this.#directory, "token"),
      TIJOLO_DATA_DIRECTORY: join(this.#directory, "data"),
      TIJOLO_GATEWAY_NAME: "gateway-1",
      TIJOLO_HTTP_LISTEN: `127.0.0.1:${this.httpPort}`,
      TIJOLO_HTTPS_LISTEN: `127.0.0.1:${this.httpsPort}`,
      TIJOLO_TOOLS_DIRECTORY: haproxyDirectory,
      TIJOLO_STOPS_HAPROXY: "yes",
    });
    const logger = pino({ level: process.env.TEST_LOG_LEVEL ?? "silent" });
    const place = this.#far === undefined ? {} : { machine: "another machine" };
    this.#program = await GatewayProgram.create(config, { random: Math.random, logger, ...place });
  }

  async stop(): Promise<void> {
    await this.#program?.[Symbol.asyncDispose]();
    this.#program = null;
  }

  /** Asks for a site on a connection of its own. Rejects when TLS fails. */
  async get(host: string, { method = "GET", path = "/", headers, body: sentBody, ca }: TestVisit = {}) {
    const target = { host: "127.0.0.1", method, path, agent: false, headers: { ...headers, host } } as const;
    const sent =
      ca === undefined
        ? requestHttp({ ...target, port: this.httpPort })
        : requestHttps({ ...target, port: this.httpsPort, servername: host, ca });
    sent.end(sentBody);
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    let body = "";
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, body };
  }

  /** Returns what proves this gateway to central's servers. */
  async key(): Promise<string> {
    const routes = await readFile(join(this.#directory, "data", "routes.json"), "utf8");
    return (JSON.parse(routes) as { central: { key: string } }).central.key;
  }

  /** True once HAProxy's map leads visitors of the host straight to its program. */
  async goesStraightTo(host: string): Promise<boolean> {
    const map = await readFile(join(this.#directory, "data", "run", "routes.map"), "utf8");
    return map.split("\n").some((line) => line.startsWith(`${host} near-zip|`));
  }

  /** True when a certificate of the name is shown that `ca` has signed. */
  async hasCertificate(host: string, ca: string): Promise<boolean> {
    const socket = connect({ host: "127.0.0.1", port: this.httpsPort, servername: host, ca });
    const isShown = await once(socket, "secureConnect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isShown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    await rm(this.#directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 20 });
  }
}
