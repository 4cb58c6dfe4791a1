/** The link over TLS: hosts pin central's authority, signatures hold for one connection, nothing else answers strangers. */

import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { createServer as createHttpServer, request as requestHttp } from "node:http";
import { request } from "node:https";
import { connect as connectTcp, createServer, type Server } from "node:net";
import { join } from "node:path";
import { connect as connectTls, createServer as createTlsServer } from "node:tls";
import { test } from "node:test";
import { linkServerName } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { ensureAuthority, issueLocally } from "../../central/src/app/certificates/local/local-authority.ts";
import { openPrivateKey } from "../../central/src/app/certificates/new-certificate.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { freePort } from "../support/machine/free-port.ts";
import { TestCluster, TestHost } from "../support/cluster/test-cluster.ts";
import { until } from "../support/until.ts";

/** A cluster whose link is served over TLS, with a host that has not started yet. */
async function clusterWithTls() {
  const port = await freePort();
  const lines: string[] = [];
  const cluster = await TestCluster.create({
    hosts: 0,
    logger: pino({}, { write: (line: string) => lines.push(line) }),
    centralSettings: { TIJOLO_LINK_LISTEN: `127.0.0.1:${port}` },
  });
  const { authority } = await cluster.admin.getAuthority();
  const file = join(cluster.directory, "authority.pem");
  await writeFile(file, authority.certificate);
  const host = new TestHost(cluster, "host-1");
  cluster.hosts.push(host);
  host.centralUrl = `https://127.0.0.1:${port}`;
  host.settings = { TIJOLO_CENTRAL_AUTHORITY_FILE: file };
  const state = async () => (await cluster.admin.listHosts()).hosts[0]?.state;
  return { cluster, host, port, file, ca: authority.certificate, lines, state };
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve) => server.close(() => resolve()));
}

async function opened(server: Server): Promise<number> {
  const port = await freePort();
  await new Promise<void>((resolve) => server.listen(port, "127.0.0.1", resolve));
  return port;
}

test("a host joins by the pinned authority, gets archives, and its site is visited through the tunnel", async () => {
  const { cluster, host, state } = await clusterWithTls();
  await using _ = cluster;
  await host.start();
  await until(async () => (await state()) === "connected");
  const account = await cluster.createAccount({ plan: "Empresas" });
  // The program of a simulated site is a server of the test.
  const program = createHttpServer((_request, response) => response.end("hello"));
  await using _program = { [Symbol.asyncDispose]: () => closed(program) };
  const config = { type: "site", memoryMb: 512, subdomain: "por-tls", port: await opened(program) };
  const site = await SimulatedProject.create(account, "sim listen", { config });
  await site.is("running");
  const visit = () =>
    new Promise<number | undefined>((resolve, reject) => {
      const headers = { host: "por-tls.localhost" };
      requestHttp(cluster.central.pagesUrl, { headers, agent: false }, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end();
    });
  await until(async () => (await visit()) === 200);
});

test("another authority is not trusted, and the token stays good", async () => {
  const one = await clusterWithTls();
  await using _one = one.cluster;
  const other = await clusterWithTls();
  await using _other = other.cluster;
  one.host.settings = { TIJOLO_CENTRAL_AUTHORITY_FILE: other.file };
  await assert.rejects(one.host.start(), /Joining https:.* failed/);
  assert.equal(await one.state(), undefined);
  one.host.settings = { TIJOLO_CENTRAL_AUTHORITY_FILE: one.file };
  await one.host.start();
  await until(async () => (await one.state()) === "connected");
});

test("a hello that is relayed over another connection is refused", async () => {
  const { cluster, host, port, lines, state } = await clusterWithTls();
  await using _ = cluster;
  await host.start();
  await until(async () => (await state()) === "connected");
  await host.stop();
  await until(async () => (await state()) !== "connected");

  // The relay has a certificate of the authority itself: only the binding keeps it out.
  const { app } = cluster.central;
  const authority = await ensureAuthority(app);
  const row = authority && issueLocally(app, authority, [linkServerName]);
  const key = row && openPrivateKey(app, row);
  assert.ok(row !== null && key !== null);
  const toCentral = { host: "127.0.0.1", port, servername: linkServerName, rejectUnauthorized: false };
  const relay = createTlsServer({ cert: row.chain, key }, (socket) => {
    const onward = connectTls(toCentral);
    for (const end of [socket, onward]) end.on("error", () => {});
    socket.pipe(onward).pipe(socket);
  });
  const wire = createServer((socket) => {
    const onward = connectTcp(port, "127.0.0.1");
    for (const end of [socket, onward]) end.on("error", () => {});
    socket.pipe(onward).pipe(socket);
  });
  const refusals = () => lines.filter((line) => line.includes("link: hello refused")).length;
  const before = refusals();
  try {
    host.centralUrl = `https://127.0.0.1:${await opened(relay)}`;
    await host.start();
    await until(() => refusals() > before);
    assert.notEqual(await state(), "connected");
    await host.stop();
    host.centralUrl = `https://127.0.0.1:${await opened(wire)}`;
    await host.start();
    await until(async () => (await state()) === "connected");
    await host.stop();
  } finally {
    relay.close();
    wire.close();
  }
});

test("the address serves strangers the link and what installs machines, and nothing else", async () => {
  const { cluster, port, ca } = await clusterWithTls();
  await using _ = cluster;
  const ask = (path: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      const options = { host: "127.0.0.1", port, path, ca, servername: linkServerName, agent: false };
      request(options, (response) => {
        response.resume();
        resolve(response.statusCode);
      })
        .once("error", reject)
        .end();
    });
  assert.equal(await ask("/api/status"), 404);
  assert.equal(await ask("/"), 404);
  assert.equal(await ask(`/install/${"0".repeat(64)}`), 404);
  assert.equal(await ask(`/link/archives/${"0".repeat(64)}`), 401);
});
