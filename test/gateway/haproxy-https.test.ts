/** Tests HTTPS at a real HAProxy: which certificate is shown, to whom, and that changes reach it while it serves. */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { connect as connectHttp2, type Settings } from "node:http2";
import type { Socket } from "node:net";
import { join } from "node:path";
import { test } from "node:test";
import { connect } from "node:tls";
import { until } from "../support/until.ts";
import { projectIdOf } from "./haproxy-fixture.ts";
import { HttpsFixture } from "./https-fixture.ts";
import { weakChainFor } from "../support/certificates/weak-chain.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";

const thumbprint = "t".repeat(43);

test("a name with a certificate is served by HTTPS; an unknown name, and none, get an alert; another host 421", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  await https.haproxy.app("shop", (request, response) => response.end(request.headers["x-forwarded-proto"]));
  assert.equal(await https.handshake("shop.localhost"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  await https.show([
    https.authority.sign("a", ["shop.localhost"]),
    https.authority.sign("b", ["other.localhost"]),
  ]);
  const answer = await https.get("shop.localhost");
  assert.deepEqual([answer.status, answer.body], [200, "https"]);
  assert.equal(answer.headers["strict-transport-security"], undefined);
  assert.equal((await https.haproxy.get("shop")).body, "http", "localhost stays reachable over HTTP");
  assert.equal((await https.get("shop.localhost", { serverName: "other.localhost" })).status, 421);
  assert.match(await https.raw("shop.localhost", "GET / HTTP/1.0\r\n\r\n"), /^HTTP\/1\.[01] 421 /, "no host");
  assert.equal(await https.handshake("unknown.localhost"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  assert.equal(await https.handshake(undefined), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  assert.equal((await stat(https.directory)).mode & 0o777, 0o700);
});

test("certificates come, change and go while HAProxy serves; of two for a name the later is shown", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  const { authority } = https;
  await https.haproxy.app("shop", (_request, response) => response.end("program"));
  const first = authority.sign("a", ["*.example.com", "shop.localhost"]);
  await https.show([first]);
  const { serialNumber } = await https.get("shop.localhost");
  const own = authority.sign("b", ["shop.localhost"]);
  await https.show([first, own]);
  assert.notEqual((await https.get("shop.localhost")).serialNumber, serialNumber);
  assert.equal(await https.handshake("any.example.com"), "", "the first is shown for its other name");
  await https.show([own]);
  assert.equal(await https.handshake("any.example.com"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  assert.equal((await https.get("shop.localhost")).status, 200);
  await https.show([first]);
  assert.equal((await https.get("shop.localhost")).serialNumber, serialNumber);
  const foreign = { ...own, id: projectIdOf("c"), privateKey: first.privateKey };
  await https.show([first, foreign]);
  assert.equal(
    (await https.get("shop.localhost")).serialNumber,
    serialNumber,
    "a key of another changes nothing",
  );
});

test("another HAProxy shows what the disk holds; one too large for a command is shown, too", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  const { authority } = https;
  await https.haproxy.app("shop", (_request, response) => response.end("program"));
  await https.show([authority.sign("a", ["shop.localhost"])]);
  const before = await https.haproxy.haproxy.api.info();
  process.kill(before?.pid ?? 0, "SIGKILL");
  await until(async () => (await https.get("shop.localhost")).status === 200, {
    timeoutMs: 20_000,
    everyMs: 50,
  });
  const large = authority.sign("b", ["large.localhost"], { more: authority.certificate.repeat(60) });
  const pid = (await https.haproxy.haproxy.api.info())?.pid;
  await https.show([large]);
  assert.notEqual((await https.haproxy.haproxy.api.info())?.pid, pid);
  assert.equal(await https.handshake("large.localhost"), "");
  assert.equal(await https.handshake("shop.localhost"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
});

test("a name with a certificate is sent to HTTPS, but for the proofs of authorities, which HAProxy answers", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  await https.show([https.authority.sign("a", ["*.example.com"])], {
    names: ["www.example.com"],
    thumbprint,
  });
  const ask = (path: string, host = "www.example.com") =>
    https.haproxy.get("ignored", path, { headers: { host } });
  const moved = await ask("/cart?a=1&b=2");
  assert.deepEqual(
    [moved.status, moved.headers.location],
    [308, `https://www.example.com:${https.haproxy.httpsPort}/cart?a=1&b=2`],
  );
  const proof = await ask("/.well-known/acme-challenge/abc-DEF_1");
  assert.deepEqual([proof.status, proof.body], [200, `abc-DEF_1.${thumbprint}`]);
  assert.equal((await ask("/.well-known/tijolo/some-token")).body, "pages");
  await https.haproxy.app("shop", (_request, response) => response.end("program"));
  await https.haproxy.site("old", 0, { near: null, redirectTo: "shop.localhost" });
  for (const host of ["shop.localhost", "old.localhost"])
    assert.equal((await ask("/.well-known/tijolo/some-token", host)).body, "pages", host);
  for (const [path, host] of [
    ["/.well-known/acme-challenge/abc", "other.example.com"],
    ["/.well-known/acme-challenge/a%0db", "www.example.com"],
    ["/.well-known/acme-challenge/a/b", "www.example.com"],
  ] as const)
    assert.equal((await ask(path, host)).body, "pages", path);
  const { headers } = await https.get("www.example.com");
  assert.equal(headers["strict-transport-security"], "max-age=15552000");
});

test("a WebSocket over HTTP/2 reaches the program (RFC 8441), and TLS 1.1 nobody", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  const program = createServer().on("upgrade", ({ headers }: IncomingMessage, socket: Socket) => {
    const key = createHash("sha1")
      .update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest("base64");
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${key}\r\n\r\n`,
    );
    socket.on("error", () => {}); // HAProxy resets it once the visitor has gone
    socket.pipe(socket);
  });
  await https.haproxy.site("shop", await https.haproxy.listen(program));
  await https.show([https.authority.sign("a", ["shop.localhost"])]);
  const { httpsPort } = https.haproxy;
  const ca = https.authority.certificate;
  const session = connectHttp2(`https://shop.localhost:${httpsPort}`, {
    ca,
    lookup: (_name, _options, done) => done(null, [{ address: "127.0.0.1", family: 4 }]),
  });
  t.after(() => session.destroy());
  const [{ enableConnectProtocol }] = (await once(session, "remoteSettings")) as [Settings];
  assert.equal(enableConnectProtocol, true);
  const stream = session.request(
    {
      ":method": "CONNECT",
      ":protocol": "websocket",
      ":path": "/",
      ":scheme": "https",
      ":authority": `shop.localhost:${httpsPort}`,
      "sec-websocket-version": "13",
    },
    { endStream: false },
  );
  const [headers] = (await once(stream, "response")) as [Record<string, unknown>];
  assert.equal(headers[":status"], 200);
  stream.write("there and back");
  const [echo] = (await once(stream, "data")) as [Buffer];
  assert.equal(String(echo), "there and back");
  stream.close();
  const shake = (version: "TLSv1.1" | "TLSv1.2") => {
    const versions = { minVersion: version, maxVersion: version, ciphers: "DEFAULT@SECLEVEL=0" };
    const socket = connect({
      host: "127.0.0.1",
      port: httpsPort,
      servername: "shop.localhost",
      ca,
      ...versions,
    });
    return once(socket, "secureConnect").finally(() => socket.destroy());
  };
  await shake("TLSv1.2");
  await assert.rejects(shake("TLSv1.1"));
});

test("a certificate that HAProxy refuses costs no other its place, and the next HAProxy its start", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  const { authority, directory, list } = https;
  await https.haproxy.app("shop", (_request, response) => response.end("program"));
  const { certificate: chain, privateKey } = await weakChainFor("weak.localhost");
  const after = authority.sign("z", ["shop.localhost"]);
  const files = { weak: { chain, privateKey }, after };
  // As of a gateway that is less strict than its HAProxy.
  await https.show([]);
  for (const [name, each] of Object.entries(files))
    await writeFile(
      join(directory, `${name}.pem`),
      `${each.privateKey}${each.chain.replaceAll("\n\n", "\n")}`,
    );
  const wanted = new Map([
    [join(directory, "weak.pem"), ["weak.localhost"]],
    [join(directory, "after.pem"), ["shop.localhost"]],
  ]);
  const refused = await list.apply(wanted);
  assert.deepEqual([...refused.keys()], [join(directory, "weak.pem")]);
  assert.match(String(refused.get(join(directory, "weak.pem"))), /unable to load chain certificate/);
  assert.equal((await https.get("shop.localhost")).status, 200);
  assert.equal(await https.handshake("weak.localhost"), "ERR_SSL_TLSV1_UNRECOGNIZED_NAME");
  await https.haproxy.haproxy.replace();
  assert.equal((await https.get("shop.localhost")).status, 200, "of the next HAProxy");
});

test("a chain that no server of today loads is not taken", async (t) => {
  const argv = await haproxyOf(t);
  if (argv === undefined) return;
  await using https = await HttpsFixture.create(argv);
  const { certificate: chain, privateKey } = await weakChainFor("weak.localhost");
  await https.show([{ id: projectIdOf("w"), names: ["weak.localhost"], chain, privateKey }]);
  assert.deepEqual(https.certificates.storedIds(), []);
});
