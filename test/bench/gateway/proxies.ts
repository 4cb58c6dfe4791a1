/** Starts the proxies that are compared: the gateway's HAProxy as its program runs it, and others beside it. */

import { spawn, type ChildProcess } from "node:child_process";
import { createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { findHaproxy } from "@tijolo/gateway";
import type { SiteRoute } from "@tijolo/protocol";
import { newPrivateKey } from "../../../central/src/app/certificates/new-certificate.ts";
import { signServer } from "../../../central/src/app/certificates/x509/sign-certificate.ts";
import { CertificateList } from "../../../central/gateway/src/haproxy/certificate-list.ts";
import { Haproxy } from "../../../central/gateway/src/haproxy/haproxy.ts";
import { RouteMap } from "../../../central/gateway/src/routes/route-map.ts";
import { pagesKey, projectIdOf } from "../../gateway/haproxy-fixture.ts";
import { haproxyDirectory } from "../../support/machine/haproxy.ts";
import { freePort } from "../../support/machine/free-port.ts";
import { until } from "../../support/until.ts";
import { childrenOf, cpuSecondsOf } from "../process-figures.ts";

/** Name that all of them answer for. */
export const hostname = "bench.localhost";
const dayMs = 24 * 60 * 60 * 1000;
const logger = { info() {}, warn() {}, error() {} };
const issuer = { name: "a bench's authority", privateKey: newPrivateKey() };

export interface Proxy {
  httpPort: number;
  httpsPort: number;
  /** Default: that of the loopback. */
  address?: string;
  /** Name that it is asked for. Default: {@link hostname}. */
  name?: string;
  /** Words before the arguments of a program that visits it from where it is. Default: none. */
  within?: readonly string[];
  /** A header that requests need. */
  header?: string;
  /** Returns the seconds of processor time that it has used. */
  cpuSeconds(): number;
}

/** Returns a certificate and its key in PEM, one after the other. */
export function pemFor(name: string): string {
  const key = newPrivateKey();
  const validity = { beginsAt: Date.now() - dayMs, endsAt: Date.now() + dayMs };
  const publicKey = createPublicKey(key);
  const certificate = signServer(issuer, { names: [name], publicKey, validity, random: randomBytes });
  return `${key.export({ type: "pkcs8", format: "pem" }).toString()}${certificate}`;
}

/** Starts nginx as the program that all of them lead to: it answers 4 KB. Returns its port. */
export async function startOrigin(directory: string, resources: AsyncDisposableStack): Promise<number> {
  const port = await freePort();
  const root = join(directory, "origin");
  await mkdir(root);
  await writeFile(join(root, "index.html"), "x".repeat(4_096));
  const server = `server { listen 127.0.0.1:${port}; root ${root}; }`;
  await startNginx(directory, { name: "origin", http: server }, resources);
  await until(() => isListening(port));
  return port;
}

export interface GatewayProxy extends Proxy {
  /** Number of connections that HAProxy takes at once, by the descriptors that it may have. */
  mostConnections: number;
  list: CertificateList;
  /** Writes one more certificate, and returns its file. */
  writeCertificate(name: string): Promise<string>;
  /** The certificates that it shows: the names by the file. */
  shown: Map<string, string[]>;
}

interface GatewayWay {
  origin: number;
  certificates: number;
  /** Where visitors are led. Default: to the origin; null: to the pages server. */
  near?: SiteRoute["near"];
  pagesPort?: number;
}

/** Starts the gateway's HAProxy with `certificates` certificates of other names beside the one that is asked for. */
export async function startGateway(
  directory: string,
  { origin, certificates, near: change, pagesPort = 1 }: GatewayWay,
  resources: AsyncDisposableStack,
): Promise<GatewayProxy> {
  const argv = await findHaproxy({ toolsDirectory: haproxyDirectory });
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const haproxy = new Haproxy({
    argv,
    runDirectory: join(directory, "run"),
    httpListen: `127.0.0.1:${httpPort}`,
    httpsListen: `127.0.0.1:${httpsPort}`,
    hasHttp3: false,
    trustedProxies: [],
    logger,
  });
  await haproxy.prepare();
  const { api, files } = haproxy;
  const map = new RouteMap({ file: files.routes, api, logger });
  const program = { address: "127.0.0.1", port: origin, runNumber: 1, isStatic: false };
  const near = change === undefined ? program : change;
  const route = {
    hostname,
    projectId: projectIdOf("bench"),
    near,
    redirectTo: null,
    isOwnDomain: false,
    hasHsts: true,
    isCompressed: true,
  };
  await map.write(new Map([[hostname, route]]));
  for (const file of [files.secured, files.challenges]) await writeFile(file, "");
  const list = new CertificateList({ file: files.certificates, api, restart: () => haproxy.replace() });
  const folder = join(directory, "certificates");
  await mkdir(folder, { mode: 0o700 });
  const writeCertificate = async (name: string) => {
    const file = join(folder, `${name}.pem`);
    await writeFile(file, pemFor(name), { mode: 0o600 });
    return file;
  };
  const shown = new Map([[await writeCertificate(hostname), [hostname]]]);
  for (let index = 0; index < certificates; index++) {
    const name = `other-${index}.localhost`;
    shown.set(await writeCertificate(name), [name]);
  }
  await list.write(shown);
  const pages = { host: "127.0.0.1", port: pagesPort };
  await haproxy.serve({ key: pagesKey, pages, showsFailures: true, api: null });
  resources.defer(() => haproxy.end());
  const { pid } = (await api.info()) ?? { pid: 0 };
  const mostConnections = Number(/^Maxconn: (\d+)$/m.exec(await api.ask("show info"))?.[1]);
  const cpuSeconds = () => cpuSecondsOf(pid).own;
  return { httpPort, httpsPort, cpuSeconds, mostConnections, list, shown, writeCertificate };
}

/** Starts HAProxy with nothing but the way to the origin: what the rules of a gateway cost is what lies between. */
export async function startBareHaproxy(
  directory: string,
  origin: number,
  resources: AsyncDisposableStack,
): Promise<Proxy> {
  const argv = await findHaproxy({ toolsDirectory: haproxyDirectory });
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  await writeFile(join(directory, "bare.pem"), pemFor(hostname), { mode: 0o600 });
  const configuration = `defaults
    mode http
    timeout client 60s
    timeout connect 1s
    timeout server 60s
frontend visitors
    bind 127.0.0.1:${httpPort}
    bind 127.0.0.1:${httpsPort} ssl crt ${join(directory, "bare.pem")}
    default_backend origin
backend origin
    http-reuse always
    server origin 127.0.0.1:${origin}
`;
  const file = join(directory, "bare.cfg");
  await writeFile(file, configuration);
  const child = start([...argv, "-db", "-f", file], resources);
  await until(() => isListening(httpPort));
  return { httpPort, httpsPort, cpuSeconds: () => cpuSecondsOf(child.pid ?? 0).own };
}

/** Starts Caddy with `answer` as what it does with a request. */
export async function startCaddy(
  directory: string,
  answer: string,
  resources: AsyncDisposableStack,
): Promise<Proxy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const pem = pemFor(hostname);
  const cut = pem.indexOf("-----BEGIN CERTIFICATE");
  const [key, certificate] = [join(directory, "caddy.key"), join(directory, "caddy.crt")];
  await writeFile(key, pem.slice(0, cut), { mode: 0o600 });
  await writeFile(certificate, pem.slice(cut));
  const file = join(directory, "Caddyfile");
  await writeFile(
    file,
    `{
  admin off
  auto_https off
  log {
    output discard
  }
}
http://${hostname}:${httpPort} {
  bind 127.0.0.1
  ${answer}
}
https://${hostname}:${httpsPort} {
  bind 127.0.0.1
  tls ${certificate} ${key}
  ${answer}
}
`,
  );
  const child = start(["caddy", "run", "--config", file, "--adapter", "caddyfile"], resources, {
    HOME: directory,
  });
  await until(() => isListening(httpPort));
  return { httpPort, httpsPort, cpuSeconds: () => cpuSecondsOf(child.pid ?? 0).own };
}

export async function startNginxProxy(
  directory: string,
  origin: number,
  resources: AsyncDisposableStack,
): Promise<Proxy> {
  const [httpPort, httpsPort] = [await freePort(), await freePort()];
  const pem = join(directory, "nginx.pem");
  await writeFile(pem, pemFor(hostname), { mode: 0o600 });
  const http = `upstream origin { server 127.0.0.1:${origin}; keepalive 64; }
server {
  listen 127.0.0.1:${httpPort};
  listen 127.0.0.1:${httpsPort} ssl;
  ssl_certificate ${pem};
  ssl_certificate_key ${pem};
  location / { proxy_pass http://origin; proxy_http_version 1.1; proxy_set_header Connection ""; }
}`;
  const child = await startNginx(directory, { name: "proxy", http }, resources);
  await until(() => isListening(httpPort));
  const all = () => [child.pid ?? 0, ...childrenOf(child.pid ?? 0)];
  return {
    httpPort,
    httpsPort,
    cpuSeconds: () => all().reduce((sum, pid) => sum + cpuSecondsOf(pid).own, 0),
  };
}

async function startNginx(
  directory: string,
  { name, http }: { name: string; http: string },
  resources: AsyncDisposableStack,
): Promise<ChildProcess> {
  const file = join(directory, `${name}.conf`);
  await writeFile(
    file,
    `daemon off;
worker_processes 1;
${process.getuid?.() === 0 ? "user root;\n" : ""}pid ${join(directory, `${name}.pid`)};
error_log stderr crit;
events { worker_connections 4096; }
http {
  access_log off;
  keepalive_requests 1000000;
  client_body_temp_path ${join(directory, `${name}-body`)};
  proxy_temp_path ${join(directory, `${name}-proxy`)};
  fastcgi_temp_path ${join(directory, `${name}-fastcgi`)};
  uwsgi_temp_path ${join(directory, `${name}-uwsgi`)};
  scgi_temp_path ${join(directory, `${name}-scgi`)};
  ${http}
}
`,
  );
  return start(["nginx", "-c", file], resources);
}

function start(
  [program = "", ...words]: readonly string[],
  resources: AsyncDisposableStack,
  environment: Record<string, string> = {},
): ChildProcess {
  const env = { ...process.env, ...environment };
  const child = spawn(program, words, { stdio: ["ignore", "ignore", "inherit"], env });
  resources.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "exit");
  });
  return child;
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => (socket.destroy(), resolve(true)));
    socket.once("error", () => resolve(false));
  });
}
