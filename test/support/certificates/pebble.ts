/** Runs pebble with the challenge server's DNS, on loopback: an ACME authority of a test's own. */

import { spawn, type ChildProcess } from "node:child_process";
import { createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { isIP } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Agent, request } from "undici";
import { newPrivateKey } from "../../../central/src/app/certificates/new-certificate.ts";
import { signAuthority, signServer } from "../../../central/src/app/certificates/x509/sign-certificate.ts";
import { freePort } from "../machine/free-port.ts";
import { until } from "../until.ts";
import { pebblePrograms } from "./pebble-programs.ts";

const hourMs = 60 * 60 * 1000;

export interface PebbleOptions {
  /** Name and address at which clients reach it. Default: 127.0.0.1. */
  at?: { name: string; address: string };
  /** Port where visitors' HTTP is answered, which pebble asks in the place of port 80. */
  httpPort?: number;
  /** Port where visitors' HTTPS is answered, which pebble asks in the place of port 443. */
  tlsPort?: number;
  /** Percentage of good nonces that are refused. Default: 20. */
  refusedNonces?: number;
  /** Seconds that a certificate lives. Default: 90 days. */
  lifetimeSeconds?: number;
  /** Accounts that new ones have to be bound to: key id → key. */
  bindings?: Record<string, string>;
  /** Another DNS server than the challenge server's, at that address. */
  dnsPort?: number;
}

export class Pebble implements AsyncDisposable {
  readonly directoryUrl: string;
  /** Certificate in PEM by which pebble's own TLS is trusted. */
  readonly roots: string;
  readonly httpPort: number;
  readonly dnsPort: number;
  readonly #managementUrl: string;
  readonly #dnsUrl: string;
  readonly #directory: string;
  readonly #start: () => ChildProcess;
  readonly #dns: ChildProcess;
  readonly #agent: Agent;
  #process: ChildProcess;
  log = "";

  private constructor(parts: {
    name: string;
    ports: { api: number; management: number; http: number; dns: number; dnsManagement: number };
    directory: string;
    roots: string;
    dns: ChildProcess;
    start: () => ChildProcess;
  }) {
    const { ports } = parts;
    this.directoryUrl = `https://${parts.name}:${ports.api}/dir`;
    this.#managementUrl = `https://127.0.0.1:${ports.management}`;
    this.#dnsUrl = `http://127.0.0.1:${ports.dnsManagement}`;
    this.roots = parts.roots;
    this.httpPort = ports.http;
    this.dnsPort = ports.dns;
    this.#directory = parts.directory;
    this.#dns = parts.dns;
    this.#start = parts.start;
    this.#agent = new Agent({ connect: { ca: parts.roots } });
    this.#process = this.#run();
  }

  static async start(options: PebbleOptions = {}): Promise<Pebble> {
    const programs = await pebblePrograms();
    const directory = await mkdtemp(join(tmpdir(), "tijolo-pebble-"));
    const [api, management, dns, dnsManagement] = [
      await freePort(),
      await freePort(),
      await freePort(),
      await freePort(),
    ];
    const http = options.httpPort ?? (await freePort());
    const { name, address } = options.at ?? { name: "127.0.0.1", address: "127.0.0.1" };
    const roots = await writeServerCertificate(directory, name);
    const bindings = options.bindings;
    const config = {
      pebble: {
        listenAddress: `${address}:${api}`,
        managementListenAddress: `127.0.0.1:${management}`,
        certificate: join(directory, "server.pem"),
        privateKey: join(directory, "server.key"),
        httpPort: http,
        tlsPort: options.tlsPort ?? (await freePort()),
        ocspResponderURL: "",
        externalAccountBindingRequired: bindings !== undefined,
        ...(bindings === undefined ? {} : { externalAccountMACKeys: bindings }),
        retryAfter: { authz: 3, order: 5 },
        certificateValidityPeriod: options.lifetimeSeconds ?? 90 * 24 * 60 * 60,
      },
    };
    await writeFile(join(directory, "config.json"), JSON.stringify(config));
    const dnsServer = spawn(
      programs.challengeServer,
      Object.entries({
        "-dns01": `127.0.0.1:${dns}`,
        "-management": `127.0.0.1:${dnsManagement}`,
        "-http01": "",
        "-https01": "",
        "-tlsalpn01": "",
        "-doh": "",
        "-defaultIPv6": "",
      }).flat(),
      { stdio: "ignore" },
    );
    const start = () =>
      spawn(
        programs.pebble,
        [
          "-config",
          join(directory, "config.json"),
          "-dnsserver",
          options.dnsPort === undefined ? `127.0.0.1:${dns}` : `${address}:${options.dnsPort}`,
        ],
        {
          stdio: ["ignore", "pipe", "pipe"],
          env: {
            PEBBLE_VA_NOSLEEP: "1",
            PEBBLE_WFE_NONCEREJECT: String(options.refusedNonces ?? 20),
          },
        },
      );
    const ports = { api, management, http, dns, dnsManagement };
    const pebble = new Pebble({ name, ports, directory, roots, dns: dnsServer, start });
    await pebble.untilUp();
    return pebble;
  }

  #run(): ChildProcess {
    const child = this.#start();
    for (const stream of [child.stdout, child.stderr])
      stream?.on("data", (chunk) => (this.log = (this.log + String(chunk)).slice(-200_000)));
    return child;
  }

  async untilUp(): Promise<void> {
    await until(
      async () =>
        request(this.directoryUrl, { dispatcher: this.#agent }).then(
          async ({ statusCode, body }) => (await body.dump(), statusCode === 200),
          () => false,
        ),
      { timeoutMs: 30_000 },
    );
  }

  /** Ends pebble, as an authority that is away. */
  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    this.#process.kill("SIGKILL");
    await once(this.#process, "close");
  }

  /** Starts pebble again; it has forgotten all accounts, orders and certificates, and has another root. */
  async restart(): Promise<void> {
    this.#process = this.#run();
    await this.untilUp();
  }

  /** Returns the root that signs the issued certificates. */
  async issuingRoot(): Promise<string> {
    const { body } = await request(`${this.#managementUrl}/roots/0`, { dispatcher: this.#agent });
    return body.text();
  }

  /** Changes the challenge server's DNS, by its management: `set-txt`, `add-caa`, `add-a`, `set-servfail` … */
  async dns(command: string, document: object): Promise<void> {
    await until(async () =>
      request(`${this.#dnsUrl}/${command}`, { method: "POST", body: JSON.stringify(document) }).then(
        async ({ statusCode, body }) => (await body.dump(), statusCode === 200),
        () => false,
      ),
    );
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
    this.#dns.kill("SIGKILL");
    if (this.#dns.exitCode === null && this.#dns.signalCode === null) await once(this.#dns, "close");
    await this.#agent.destroy();
    await rm(this.#directory, { recursive: true, force: true });
  }
}

/** Writes the certificate of pebble's own TLS. Returns the root that signed it. */
async function writeServerCertificate(directory: string, name: string): Promise<string> {
  const validity = { beginsAt: Date.now() - hourMs, endsAt: Date.now() + 24 * hourMs };
  const issuer = { name: "Test of Tijolo", privateKey: newPrivateKey() };
  const key = newPrivateKey();
  const names = [...new Set(["127.0.0.1", "localhost", name])];
  const publicKey = createPublicKey(key);
  const server = signServer(issuer, { names, publicKey, validity, random: randomBytes });
  await writeFile(join(directory, "server.pem"), server);
  await writeFile(join(directory, "server.key"), key.export({ type: "pkcs8", format: "pem" }));
  return signAuthority(issuer, {
    domains: isIP(name) === 0 ? ["localhost", name] : ["localhost"],
    validity,
    random: randomBytes,
  });
}
