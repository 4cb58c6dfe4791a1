/** HTTPS at a real HAProxy, with certificates that a test hands it as central would, and visitors who check them. */

import { createPublicKey, randomBytes } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { request } from "node:https";
import { join } from "node:path";
import { connect, type TLSSocket } from "node:tls";
import type { GatewayCertificate } from "@tijolo/protocol";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { signAuthority, signServer } from "../../central/src/app/certificates/x509/sign-certificate.ts";
import { GatewayCertificates } from "../../central/gateway/src/certificates/gateway-certificates.ts";
import { SavedCertificates } from "../../central/gateway/src/certificates/saved-certificates.ts";
import { CertificateList } from "../../central/gateway/src/haproxy/certificate-list.ts";
import { HaproxyMap } from "../../central/gateway/src/haproxy/haproxy-map.ts";
import { HaproxyFixture, projectIdOf } from "./haproxy-fixture.ts";

const dayMs = 24 * 60 * 60 * 1000;
const logger = { info() {}, warn() {}, error() {} };
const random = (bytes: number) => randomBytes(bytes);
const noChallenges = { names: [], thumbprint: null };

/** Signs certificates as central's authorities would, for any name. */
class TestAuthority {
  readonly #issuer = { name: "a test's authority", privateKey: newPrivateKey() };
  readonly #validity = { beginsAt: Date.now() - dayMs, endsAt: Date.now() + dayMs };
  readonly certificate: string;

  constructor(domains: readonly string[]) {
    this.certificate = signAuthority(this.#issuer, { domains, validity: this.#validity, random });
  }

  /** `more`: what the chain ends with, as a long one does. */
  sign(id: string, names: string[], { more = "" } = {}): GatewayCertificate {
    const key = newPrivateKey();
    const publicKey = createPublicKey(key);
    const leaf = signServer(this.#issuer, { names, publicKey, validity: this.#validity, random });
    return {
      id: projectIdOf(id),
      names,
      chain: `${leaf}\n\n${this.certificate}${more}`,
      privateKey: key.export({ type: "pkcs8", format: "pem" }).toString(),
    };
  }
}

export class HttpsFixture implements AsyncDisposable {
  readonly haproxy: HaproxyFixture;
  readonly authority: TestAuthority;
  readonly certificates: GatewayCertificates;
  readonly list: CertificateList;
  readonly directory: string;
  #all: GatewayCertificate[] = [];

  private constructor(
    haproxy: HaproxyFixture,
    authority: TestAuthority,
    { certificates, list }: { certificates: GatewayCertificates; list: CertificateList },
  ) {
    this.haproxy = haproxy;
    this.authority = authority;
    this.certificates = certificates;
    this.list = list;
    this.directory = join(haproxy.directory, "certificates");
  }

  /** Connections of `proxies` begin with the PROXY protocol. */
  static async create(argv: string[], proxies: string[] = []): Promise<HttpsFixture> {
    const fixture = await HaproxyFixture.create(argv, proxies, { hasProxyProtocol: proxies.length > 0 });
    const { haproxy, directory } = fixture;
    const { api, files } = haproxy;
    const mapOf = (file: string) => new HaproxyMap({ file, api, logger });
    const list = new CertificateList({ file: files.certificates, api, restart: () => haproxy.replace() });
    const certificates = await GatewayCertificates.open({
      saved: new SavedCertificates({
        directory: join(directory, "certificates"),
        indexFile: join(directory, "certificates.json"),
      }),
      list,
      secured: mapOf(files.secured),
      challenges: mapOf(files.challenges),
      proofs: { replace() {} },
      logger,
    });
    await certificates.apply();
    const authority = new TestAuthority(["localhost", "example.com"]);
    return new HttpsFixture(fixture, authority, { certificates, list });
  }

  /** Has HAProxy show exactly these certificates, as central would say it. */
  async show(
    all: GatewayCertificate[],
    challenges: { names: string[]; thumbprint: string | null } = noChallenges,
  ) {
    const known = new Set(this.#all.map(({ id }) => id));
    const certificates = all.filter(({ id }) => !known.has(id));
    await this.certificates.follow({ certificates, ids: all.map(({ id }) => id), challenges });
    this.#all = all;
  }

  /** Asks over TLS for `host`, with the name `serverName` in the handshake. */
  async get(host: string, { serverName = host, path = "/" } = {}) {
    const sent = request({
      host: "127.0.0.1",
      port: this.haproxy.httpsPort,
      servername: serverName,
      ca: this.authority.certificate,
      agent: false,
      path,
      headers: { host },
    });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    const { serialNumber } = (response.socket as TLSSocket).getPeerCertificate();
    let body = "";
    for await (const chunk of response) body += String(chunk);
    return { status: response.statusCode ?? 0, headers: response.headers, body, serialNumber };
  }

  /** Sends bytes over TLS; answers what comes back until the end. */
  async raw(serverName: string, text: string): Promise<string> {
    const { httpsPort: port } = this.haproxy;
    const ca = this.authority.certificate;
    const socket = connect({ host: "127.0.0.1", port, servername: serverName, ca });
    socket.write(text);
    let received = "";
    for await (const chunk of socket) received += String(chunk);
    return received;
  }

  /** Returns how a handshake for the name fails; "" when it succeeds. */
  async handshake(serverName: string | undefined): Promise<string> {
    const socket = connect({
      host: "127.0.0.1",
      port: this.haproxy.httpsPort,
      rejectUnauthorized: false,
      ...(serverName === undefined ? {} : { servername: serverName }),
    });
    const failed = await once(socket, "secureConnect").then(
      () => "",
      ({ code }: NodeJS.ErrnoException) => code ?? "error",
    );
    socket.destroy();
    return failed;
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.haproxy[Symbol.asyncDispose]();
  }
}
