/**
 * Tests certificates without port 80: authorities are shown the proof of a name by TLS itself (`tls-alpn-01`), at the
 * port where visitors arrive.
 */

import assert from "node:assert/strict";
import { randomBytes, X509Certificate } from "node:crypto";
import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { createServer as createHttpsServer } from "node:https";
import { connect as connectPlain, createServer, type AddressInfo, type Socket } from "node:net";
import { test, type TestContext } from "node:test";
import { connect, type TLSSocket } from "node:tls";
import { acmeTlsProtocol, type ProofCertificate } from "@tijolo/protocol";
import { newPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { signProof } from "../../central/src/app/certificates/x509/sign-certificate.ts";
import { ProofServer } from "../../central/gateway/src/certificates/proof-server.ts";
import { listFailedOrders } from "../../central/src/store/tables/certificates/certificate-order.ts";
import { certificateFor } from "../support/certificates/made-certificate.ts";
import { domain, newSite, orderingCluster } from "../support/certificates/ordering-cluster.ts";
import { servedFor } from "../support/certificates/served.ts";
import { TestGateway } from "../support/cluster/test-gateway.ts";
import { freePort } from "../support/machine/free-port.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { until } from "../support/until.ts";
import { HttpsFixture } from "./https-fixture.ts";

const waits = { timeoutMs: 60_000, everyMs: 20 };
const shop = "shop.localhost";
const logger = { error() {} };

function proofOf(name: string): ProofCertificate {
  const key = newPrivateKey();
  const validity = { beginsAt: Date.now() - 60_000, endsAt: Date.now() + 60_000 };
  const parts = { name, keyAuthorization: "token.thumbprint", validity, random: randomBytes };
  const certificate = signProof({ name: "Tijolo", privateKey: key }, parts);
  return { name, certificate, privateKey: key.export({ type: "pkcs8", format: "pem" }).toString() };
}

/** A HAProxy with the front, a site with a certificate, and the server of proofs. */
async function fronted(t: TestContext, proxies: string[] = []) {
  const argv = await haproxyOf(t);
  if (argv === undefined) return undefined;
  await using stack = new AsyncDisposableStack();
  const https = stack.use(await HttpsFixture.create(argv, proxies));
  const { haproxy } = https.haproxy;
  const proofs = stack.use(await ProofServer.listen(haproxy.proofsSocket, { uid: haproxy.uid, logger }));
  await https.haproxy.serve({ provesByTls: true });
  await https.haproxy.app("shop", (request, response) =>
    response.end(`${request.headers["x-forwarded-proto"]} ${request.headers["x-forwarded-for"]}`),
  );
  await https.show([https.authority.sign("a", [shop])]);
  const held = stack.move();
  return { https, proofs, [Symbol.asyncDispose]: () => held.disposeAsync() };
}

/** Returns the certificate in hexadecimal. */
function derOf({ certificate }: ProofCertificate): string {
  return new X509Certificate(certificate).raw.toString("hex");
}

/** Returns what the authority is shown: a certificate in hexadecimal; a TLS error's code when nothing is. */
async function shownTo(port: number, name: string): Promise<string> {
  const options = { host: "127.0.0.1", port, servername: name, ALPNProtocols: [acmeTlsProtocol] };
  const socket = connect({ ...options, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    assert.equal(socket.alpnProtocol, acmeTlsProtocol);
    return socket.getPeerX509Certificate()?.raw.toString("hex") ?? "";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? String(error);
  } finally {
    socket.destroy();
  }
}

test("from a site's upload to HTTPS by an authority that is shown the proof at port 443; port 80 is closed", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const httpsPort = await freePort();
  await using rig = await orderingCluster({
    httpPort: await freePort(),
    pebbleOptions: { tlsPort: httpsPort },
    lookups: { tlsPort: httpsPort },
    settings: () => ({ TIJOLO_ACME_CHALLENGE: "tls-alpn-01" }),
  });
  const { cluster, pebble } = rig;
  await using gateway = await TestGateway.start(cluster, { httpsPort });
  const startedAt = performance.now();
  await newSite(cluster, "loja");
  const ca = await pebble.issuingRoot();
  const host = `loja.${domain}`;
  const answer = await until(() => gateway.get(host, { ca }).catch(() => undefined), waits);
  t.diagnostic(`from the upload to HTTPS: ${((performance.now() - startedAt) / 1000).toFixed(1)} s`);
  assert.equal(answer.status, 503);
  assert.match(await shownTo(httpsPort, host), /^(?:ERR_|ECONNRESET)/, "the proof is gone again");
});

test("a name that leads elsewhere is not proved: the order ends before the authority is asked to look", async (t) => {
  if ((await haproxyOf(t)) === undefined) return;
  const httpsPort = await freePort();
  await using https = await serveElsewhere(httpsPort);
  await using rig = await orderingCluster({
    pebbleOptions: { tlsPort: httpsPort },
    lookups: { tlsPort: httpsPort },
    settings: () => ({ TIJOLO_ACME_CHALLENGE: "tls-alpn-01" }),
  });
  const { cluster, zone } = rig;
  zone.addresses = ["127.0.0.1", "127.0.0.2"];
  await using _gateway = await TestGateway.start(cluster, { httpsPort });
  await newSite(cluster, "loja");
  const failed = await until(async () => (await listFailedOrders(cluster.central.app.db)).at(0), waits);
  assert.equal(failed.fault, "wrong_address");
  assert.match(failed.detail, / leads to 127\.0\.0\.2,/);
  await assert.rejects(servedFor(cluster, `loja.${domain}`));
  assert.ok(https.asked > 0);
});

test("an authority is shown the proof, and at the same time visitors of the name its certificate, over HTTP/1.1 and HTTP/2", async (t) => {
  await using rig = await fronted(t);
  if (rig === undefined) return;
  const { https, proofs } = rig;
  const { httpsPort } = https.haproxy;
  assert.match(await shownTo(httpsPort, shop), /^(?:ERR_|ECONNRESET)/);
  const proof = proofOf(shop);
  proofs.replace([proof]);
  assert.equal(await shownTo(httpsPort, shop), derOf(proof));
  assert.match(await shownTo(httpsPort, "other.localhost"), /^(?:ERR_|ECONNRESET)/);
  const { body, status } = await https.get(shop);
  assert.deepEqual([status, body], [200, "https 127.0.0.1"], "the program sees the visitor's address");
  const session = connectHttp2(`https://127.0.0.1:${httpsPort}`, {
    ca: https.authority.certificate,
    servername: shop,
  });
  const stream = session.request({ ":path": "/", ":authority": shop });
  let text = "";
  for await (const chunk of stream) text += String(chunk);
  assert.equal(text, "https 127.0.0.1");
  session.destroy();
  assert.equal(await https.handshake("unknown.localhost"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  assert.equal((await https.haproxy.get("shop")).body, "http 127.0.0.1");
  proofs.replace([]);
  assert.match(await shownTo(httpsPort, shop), /^(?:ERR_|ECONNRESET)/);
});

test("behind a proxy that is trusted the program sees the visitor's address by the PROXY protocol", async (t) => {
  await using rig = await fronted(t, ["127.0.0.1"]);
  if (rig === undefined) return;
  const { https } = rig;
  const socket = connectPlain(https.haproxy.httpsPort, "127.0.0.1");
  socket.write("PROXY TCP4 203.0.113.9 192.0.2.1 1234 443\r\n");
  const visitor = connect({ socket, servername: shop, ca: https.authority.certificate });
  visitor.write(`GET / HTTP/1.1\r\nHost: ${shop}\r\nConnection: close\r\n\r\n`);
  let received = "";
  for await (const chunk of visitor) received += String(chunk);
  assert.match(received, /^HTTP\/1\.1 200 [^]*https 203\.0\.113\.9$/);
});

test("who holds handshakes open, as an authority or before saying a word, keeps no visitor waiting", async (t) => {
  await using rig = await fronted(t);
  if (rig === undefined) return;
  const { https, proofs } = rig;
  const { httpsPort } = https.haproxy;
  const proof = proofOf(shop);
  proofs.replace([proof]);
  const hello = await helloOf({ servername: shop, ALPNProtocols: [acmeTlsProtocol] });
  // A whole hello with no word after it; half of one; nothing; what is no TLS.
  const said = [
    hello,
    hello.subarray(0, hello.length / 2),
    Buffer.alloc(0),
    Buffer.from("GET / HTTP/1.1\r\n\r\n"),
  ];
  const closed: Promise<unknown>[] = [];
  for (let index = 0; index < 150; index++) {
    const socket = connectPlain(httpsPort, "127.0.0.1");
    socket.on("error", () => {}).resume();
    closed.push(new Promise((resolve) => socket.once("close", resolve)));
    socket.write(said[index % said.length] ?? Buffer.alloc(0));
  }
  for (let visit = 0; visit < 20; visit++) assert.equal((await https.get(shop)).status, 200);
  const beganAt = performance.now();
  await Promise.all(closed);
  const seconds = (performance.now() - beganAt) / 1000;
  t.diagnostic(`all were closed after ${seconds.toFixed(0)} s`);
  assert.equal(await shownTo(httpsPort, shop), derOf(proof));
});

test("a visitor whose connection is over, and who does not close it, holds nothing", async (t) => {
  await using rig = await fronted(t);
  if (rig === undefined) return;
  const { haproxy: fixture, authority } = rig.https;
  const visitors: TLSSocket[] = [];
  await using _ended = { [Symbol.asyncDispose]: async () => visitors.forEach((each) => each.destroy()) };
  for (let index = 0; index < 20; index++) {
    const socket = connectPlain({ port: fixture.httpsPort, host: "127.0.0.1", allowHalfOpen: true });
    const visitor = connect({ socket, servername: shop, ca: authority.certificate });
    visitors.push(visitor);
    visitor.on("error", () => {}).resume();
    visitor.write(`GET / HTTP/1.1\r\nHost: ${shop}\r\nConnection: close\r\n\r\n`);
    await once(visitor, "end");
  }
  const connections = async () =>
    Number(/CurrConns: (\d+)/.exec(await fixture.haproxy.api.ask("show info"))?.[1]);
  await until(async () => (await connections()) < visitors.length / 2, waits);
});

/** Returns the first bytes that a client of TLS sends. */
async function helloOf(options: { servername: string; ALPNProtocols: string[] }): Promise<Buffer> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const client = connect({ host: "127.0.0.1", port, ...options });
  client.on("error", () => {});
  const [socket] = (await once(server, "connection")) as [Socket];
  const [hello] = (await once(socket, "data")) as [Buffer];
  client.destroy();
  socket.destroy();
  server.close();
  return hello;
}

/** Serves HTTPS at another address, as a stranger's server. */
async function serveElsewhere(port: number) {
  const { certificate, privateKey } = certificateFor("stranger.example");
  const elsewhere = { asked: 0, [Symbol.asyncDispose]: async () => void server.close() };
  const server = createHttpsServer({ cert: certificate, key: privateKey });
  server.on("connection", () => (elsewhere.asked += 1));
  server.listen(port, "127.0.0.2");
  await once(server, "listening");
  return elsewhere;
}
