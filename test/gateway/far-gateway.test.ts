/**
 * A gateway on another machine: what it does not carry itself goes to central over TLS, at the address of the
 * link, where its key opens the servers for visitors, and nobody else's does.
 */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage } from "node:http";
import { request as requestHttps } from "node:https";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { buffer, text } from "node:stream/consumers";
import { linkServerName } from "@tijolo/protocol/kit";
import { WebSocket, WebSocketServer } from "ws";
import { getAuthority } from "../../central/src/app/certificates/local/local-authority.ts";
import { simulatedBot, TestCluster } from "../support/cluster/test-cluster.ts";
import { TestGateway } from "../support/cluster/test-gateway.ts";
import { freePort } from "../support/machine/free-port.ts";
import { haproxyOf } from "../support/machine/haproxy.ts";
import { SimulatedProject } from "../support/projects/simulated-project.ts";
import { until } from "../support/until.ts";

const panelHost = "painel.localhost";
const waits = { timeoutMs: 30_000, everyMs: 20 };

/** A cluster with a gateway that is as on another machine; undefined, with the test skipped, without HAProxy. */
async function farGateway(t: TestContext) {
  if ((await haproxyOf(t)) === undefined) return undefined;
  await using resources = new AsyncDisposableStack();
  const linkPort = await freePort();
  const cluster = resources.use(
    await TestCluster.create({
      centralSettings: {
        TIJOLO_LINK_LISTEN: `127.0.0.1:${linkPort}`,
        TIJOLO_PANEL_URL: `https://${panelHost}`,
      },
    }),
  );
  const { certificate: ca } = await getAuthority(cluster.central.app);
  const authorityFile = join(cluster.directory, "authority.pem");
  await writeFile(authorityFile, ca);
  const far = { centralUrl: `https://127.0.0.1:${linkPort}`, authorityFile };
  const gateway = resources.use(await TestGateway.start(cluster, { far }));
  const parts = resources.move();
  return { cluster, gateway, ca, linkPort, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

/** Asks at the address of the link, as a gateway does, and as whoever has got hold of something of it. */
async function askAtLink(
  { linkPort, ca }: { linkPort: number; ca: string },
  path: string,
  headers: Record<string, string>,
): Promise<{ status: number; body: string }> {
  const servername = linkServerName;
  const sent = requestHttps({
    host: "127.0.0.1",
    port: linkPort,
    servername,
    ca,
    path,
    headers,
    agent: false,
  });
  sent.end();
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, body: await text(response) };
}

test("visits to a site, its WebSockets and large uploads reach its program by central", async (t) => {
  const rig = await farGateway(t);
  if (rig === undefined) return;
  await using _rig = rig;
  const { cluster, gateway } = rig;
  const program = createServer(async (request, response) => {
    const sent = await buffer(request);
    response.end(JSON.stringify({ headers: request.headers, bytes: sent.length }));
  });
  new WebSocketServer({ server: program }).on("connection", (socket) =>
    socket.on("message", (data) => socket.send(`heard ${String(data)}`)),
  );
  const port = await freePort();
  program.listen(port, "127.0.0.1");
  await once(program, "listening");
  using _program = { [Symbol.dispose]: () => program.close().closeAllConnections() };
  const account = await cluster.createAccount({ plan: "Empresas" });
  const config = { type: "site", memoryMb: 512, subdomain: "longe", port };
  const site = await SimulatedProject.create(account, "sim listen", { config });
  await site.is("running");
  const host = "longe.localhost";
  const answer = await until(async () => {
    const got = await gateway.get(host, { headers: { "x-forwarded-for": "203.0.113.9" } });
    return got.status === 200 ? got : undefined;
  }, waits);
  assert.equal(await gateway.goesStraightTo(host), false, "it is another machine's");
  const { headers } = JSON.parse(answer.body) as { headers: Record<string, string> };
  assert.equal(headers["x-forwarded-for"], "127.0.0.1", "what the visitor says of himself is dropped");
  assert.ok(!Object.keys(headers).some((name) => name.startsWith("x-tijolo-")), "nothing of ours gets there");

  const body = randomBytes(3_000_000).toString("base64");
  const expecting = { expect: "100-continue", "content-length": String(body.length) };
  const uploaded = await gateway.get(host, { method: "POST", headers: expecting, body });
  assert.equal((JSON.parse(uploaded.body) as { bytes: number }).bytes, body.length);

  const socket = new WebSocket(`ws://127.0.0.1:${gateway.httpPort}/`, { headers: { host } });
  await once(socket, "open");
  socket.send("hello");
  const [heard] = await once(socket, "message");
  assert.equal(String(heard), "heard hello");
  socket.terminate();

  await site.stop();
  await site.is("stopped");
  assert.match((await gateway.get(host)).body, /site_stopped/);
});

test("panel and API answer there, uploads included", async (t) => {
  const rig = await farGateway(t);
  if (rig === undefined) return;
  await using _rig = rig;
  const { cluster, gateway, ca } = rig;
  await until(() => gateway.hasCertificate(panelHost, ca), waits);
  const health = await gateway.get(panelHost, { path: "/api/status", ca });
  assert.deepEqual([health.status, JSON.parse(health.body).health.state], [200, "operational"]);
  const account = await cluster.createAccount();
  const form = new FormData();
  form.set("file", await simulatedBot("sim run", {}), "bot.zip");
  const packed = new Response(form);
  const created = await gateway.get(panelHost, {
    path: "/api/projects",
    method: "POST",
    ca,
    headers: {
      authorization: `Bearer ${account.key}`,
      "content-type": packed.headers.get("content-type") ?? "",
    },
    body: Buffer.from(await packed.arrayBuffer()),
  });
  assert.equal(created.status, 201, created.body);
});

test("the servers for visitors are open to gateways alone, and to none that was removed", async (t) => {
  const rig = await farGateway(t);
  if (rig === undefined) return;
  await using _rig = rig;
  const { cluster, gateway } = rig;
  const key = await gateway.key();
  const ofGateway = { host: panelHost, "x-tijolo-gateway": key, "x-forwarded-for": "203.0.113.9" };
  const asked = (path: string, headers: Record<string, string>) => askAtLink(rig, path, headers);
  const status = "/api/status";
  assert.equal((await asked(status, { ...ofGateway, "x-tijolo-server": "api" })).status, 200);
  const page = await asked("/", { ...ofGateway, host: "nobody.localhost", "x-tijolo-server": "pages" });
  assert.match(page.body, /site_not_found/);
  for (const wrong of [
    { ...ofGateway, "x-tijolo-server": "other" },
    { ...ofGateway },
    { ...ofGateway, "x-tijolo-server": "api", "x-tijolo-gateway": "k".repeat(43) },
    { host: panelHost, "x-tijolo-server": "api" },
  ])
    assert.equal((await asked(status, wrong)).status, 404, JSON.stringify(wrong));
  const { gateways } = await cluster.admin.listGateways();
  await cluster.admin.removeGateway({ gateway: gateways[0]?.id ?? "" });
  assert.equal((await asked(status, { ...ofGateway, "x-tijolo-server": "api" })).status, 404);
});
