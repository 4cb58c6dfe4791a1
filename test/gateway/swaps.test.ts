/** Tests what visitors meet while a site's run is replaced: they wait for the next one, and none fails. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { createServer as createTcpServer, type Server as TcpServer } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { WebSocket, WebSocketServer } from "ws";
import { freePort } from "../support/machine/free-port.ts";
import { until } from "../support/until.ts";
import { bytesOf, GatewayFixture } from "./gateway-fixture.ts";

const projectId = "project-shop";
const finishMs = 1_000;

/** Replaces the program of a site at a port as an agent does: closed, stopped, started. */
class Swaps {
  readonly #fixture: GatewayFixture;
  readonly port: number;
  runNumber = 0;
  #server: Server | undefined;

  constructor(fixture: GatewayFixture, port: number) {
    this.#fixture = fixture;
    this.port = port;
  }

  async start(server: Server = this.program()): Promise<void> {
    this.runNumber += 1;
    this.#server = server;
    const { port, runNumber } = this;
    this.#fixture.site("shop", { kind: "process", address: "127.0.0.1", port, runNumber, isStarting: true });
    await delay(50); // a program takes a moment before it listens
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  }

  /** Returns a server that answers with its run's number, a little later. */
  program(): Server {
    const { runNumber } = this;
    return createServer((_, response) => setTimeout(() => response.end(`run ${runNumber + 1}`), 30));
  }

  async stop(): Promise<void> {
    this.#fixture.site("shop", { kind: "soon" });
    await this.#fixture.visits.close(projectId, this.runNumber, { finishMs });
    this.#server?.close();
    this.#server?.closeAllConnections();
  }
}

async function swapsOf(fixture: GatewayFixture): Promise<Swaps> {
  return new Swaps(fixture, await freePort());
}

test("visits at a steady rate all succeed while the run is replaced again and again", async (t) => {
  await using fixture = await GatewayFixture.create();
  const swaps = await swapsOf(fixture);
  await swaps.start();
  const visits: Promise<{ status: number; body: string; ms: number }>[] = [];
  const visit = async () => {
    const startedAt = performance.now();
    const { status, body } = await fixture.get("shop");
    return { status, body, ms: performance.now() - startedAt };
  };
  const load = setInterval(() => visits.push(visit()), 10);
  for (let turn = 0; turn < 5; turn++) {
    await delay(200);
    await swaps.stop();
    await delay(100);
    await swaps.start();
  }
  await delay(100);
  clearInterval(load);
  const answers = await Promise.all(visits);
  await swaps.stop();
  const runs = new Set(answers.map(({ body }) => body));
  t.diagnostic(`${answers.length} visits, longest ${Math.max(...answers.map(({ ms }) => ms)).toFixed()} ms`);
  assert.deepEqual(
    answers.filter(({ status }) => status !== 200),
    [],
  );
  assert.deepEqual([...runs].sort(), ["run 1", "run 2", "run 3", "run 4", "run 5", "run 6"]);
});

test("a connection that was kept open to the old program is not used for the new one", async () => {
  await using fixture = await GatewayFixture.create();
  const swaps = await swapsOf(fixture);
  const old = createTcpServer((socket) => {
    socket.on("error", () => {});
    socket.on("data", () => socket.write("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nold"));
  }).listen(swaps.port, "127.0.0.1");
  await once(old, "listening");
  fixture.site("shop", { kind: "process", address: "127.0.0.1", port: swaps.port, runNumber: 1 });
  assert.equal((await fixture.get("shop")).body, "old");
  old.close(); // it listens no more, and what is connected stays
  const next = createServer((_, response) => response.end("new")).listen(swaps.port, "127.0.0.1");
  await once(next, "listening");
  fixture.site("shop", { kind: "process", address: "127.0.0.1", port: swaps.port, runNumber: 2 });
  assert.equal((await fixture.get("shop")).body, "new");
  assert.equal(await connectionsOf(old), 1, "the old program's connection is there to be used");
  await fixture.visits.close(projectId, 1, { finishMs });
  await until(async () => (await connectionsOf(old)) === 0);
  next.closeAllConnections();
  next.close();
});

test("visits under way finish before the run is stopped; WebSockets and streams of events do not keep it", async () => {
  await using fixture = await GatewayFixture.create();
  const swaps = await swapsOf(fixture);
  let finish: (() => void) | undefined;
  const server = createServer((request, response) => {
    if (request.url === "/events")
      response.writeHead(200, { "content-type": "text/event-stream" }).flushHeaders();
    else finish = () => response.end("whole");
  });
  const sockets = new WebSocketServer({ server });
  await swaps.start(server);
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "shop.localhost" } });
  socket.on("error", () => {});
  await once(socket, "open");
  const events = fixture.request("shop", "/events");
  events.on("error", () => {}).end();
  await once(events, "response");
  const slow = fixture.get("shop", "/slow");
  await until(() => finish !== undefined);
  const closing = fixture.visits.close(projectId, 1, { finishMs });
  assert.equal(await Promise.race([closing.then(() => "closed"), delay(100, "waits")]), "waits");
  finish?.();
  const begunMs = performance.now();
  await closing;
  assert.ok(performance.now() - begunMs < 900, "a WebSocket or a stream of events was waited for");
  assert.equal((await slow).body, "whole");
  const cut = once(socket, "close");
  for (const each of sockets.clients) each.terminate();
  server.closeAllConnections();
  server.close();
  await cut;
});

test("a held visit's upload waits with its visitor, and arrives whole", async () => {
  await using fixture = await GatewayFixture.create();
  const swaps = await swapsOf(fixture);
  fixture.site("shop", { kind: "soon" });
  const chunk = Buffer.alloc(1024 * 1024, 7);
  const size = 64 * chunk.length;
  const request = fixture.request("shop", "/", { method: "POST", headers: { "content-length": size } });
  for (let sent = 0; sent < size; sent += chunk.length) request.write(chunk);
  request.end();
  const answer = once(request, "response");
  await once(request, "socket");
  await delay(500);
  const waiting = request.socket?.writableLength ?? 0;
  assert.ok(waiting > size / 2, `${waiting} bytes wait with the visitor`);
  let received = 0;
  const server = createServer((upload, response) => {
    upload.on("data", (chunk: Buffer) => (received += chunk.length));
    upload.on("end", () => response.end(`got ${received}`));
  });
  await swaps.start(server);
  const [response] = await answer;
  assert.equal((await bytesOf(response)).toString(), `got ${size}`);
  await swaps.stop();
});

test("a WebSocket is held, too", async () => {
  await using fixture = await GatewayFixture.create();
  const swaps = await swapsOf(fixture);
  fixture.site("shop", { kind: "soon" });
  const socket = new WebSocket(`ws://127.0.0.1:${fixture.port}/`, { headers: { host: "shop.localhost" } });
  const open = once(socket, "open");
  await delay(100);
  const server = createServer();
  const sockets = new WebSocketServer({ server });
  await swaps.start(server);
  await open;
  assert.equal(sockets.clients.size, 1);
  socket.terminate();
  await swaps.stop();
});

test("a site that does not listen in time is starting, as a page that reloads and as JSON", async () => {
  await using fixture = await GatewayFixture.create({ ingress: { times: { holdMs: 300 } } });
  const target = { kind: "process", address: "127.0.0.1", port: await freePort() } as const;
  for (const each of [{ ...target, isStarting: true }, { kind: "soon" } as const]) {
    fixture.site("shop", each);
    const startedAt = performance.now();
    const page = await fixture.get("shop", "/", { headers: { accept: "text/html" } });
    const ms = performance.now() - startedAt;
    assert.ok(ms >= 290 && ms < 5_000, `held for ${ms} ms`);
    assert.deepEqual([page.status, page.headers["cache-control"]], [503, "no-store"]);
    assert.ok(Number(page.headers["retry-after"]) > 0);
    assert.match(page.body, /http-equiv="refresh"[^]*O site está iniciando…[^]*The site is starting…/);
    const json = await fixture.get("shop", "/", { headers: { accept: "application/json" } });
    assert.deepEqual([json.status, JSON.parse(json.body).code], [503, "site_starting"]);
  }
  fixture.site("shop", { ...target, isStarting: false });
  const late = await GatewayFixture.create({ ingress: { times: { listenMs: 50 } } });
  late.site("shop", { ...target, isStarting: false });
  assert.match((await late.get("shop")).body, /502 · app_not_listening/);
  await late[Symbol.asyncDispose]();
});

test("more visits than may be held get their page at once, and the held ones are answered", async () => {
  const heldBounds = { visitsPerProject: 50 };
  await using fixture = await GatewayFixture.create({
    gateway: { visitsPerProject: 4_000 },
    ingress: { heldBounds },
  });
  const swaps = await swapsOf(fixture);
  fixture.site("shop", { kind: "soon" });
  const pages: number[] = [];
  const visits = Array.from({ length: 200 }, async () => {
    const { status } = await fixture.get("shop");
    if (status === 503) pages.push(status);
    return status;
  });
  await until(() => pages.length === 150);
  await swaps.start();
  const statuses = await Promise.all(visits);
  assert.equal(statuses.filter((status) => status === 200).length, 50);
  await swaps.stop();
});

test("a visitor who leaves while held frees the place at once", async () => {
  await using fixture = await GatewayFixture.create({ ingress: { heldBounds: { visitsPerProject: 1 } } });
  const swaps = await swapsOf(fixture);
  fixture.site("shop", { kind: "soon" });
  /** Visits the site, and leaves again when there is no answer soon. */
  const isHeld = async () => {
    const visit = fixture.request("shop", "/");
    visit.on("error", () => {}).end();
    const answer = once(visit, "response", { signal: AbortSignal.timeout(100) });
    const isAnswered = await answer.then(
      () => true,
      () => false,
    );
    visit.destroy();
    return !isAnswered;
  };
  const leaving = fixture.request("shop", "/");
  leaving.on("error", () => {}).end();
  await once(leaving, "finish");
  await until(async () => !(await isHeld()));
  leaving.destroy();
  await until(isHeld);
  await swaps.start();
  assert.equal((await fixture.get("shop")).status, 200);
  await swaps.stop();
});

function connectionsOf(server: TcpServer): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error === null ? resolve(count) : reject(error))),
  );
}
