/** A visit that central cannot carry, or that fails in central itself, ends that visit and nothing else. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { until } from "../support/until.ts";
import { GatewayFixture, neighbourOf } from "./gateway-fixture.ts";

const giveUpMs = 10_000;
const get = "GET / HTTP/1.1\r\nHost: hostile.localhost\r\n\r\n";
const post =
  "POST / HTTP/1.1\r\nHost: hostile.localhost\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n";
const webSocket =
  "GET / HTTP/1.1\r\nHost: hostile.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";

test("an upgrade that was sent ahead of an answer ends its connection and nothing else", async () => {
  await using fixture = await GatewayFixture.create();
  const checkNeighbour = await neighbourOf(fixture);
  const answers: ServerResponse[] = [];
  await fixture.app("hostile", (_, response) => void answers.push(response));
  for (const requests of [get, get + get, post]) {
    assert.equal(await fixture.raw(requests + webSocket + get, giveUpMs), "", "all at once");
    await checkNeighbour();
    answers.length = 0;
    const socket = connect(fixture.port, "127.0.0.1");
    socket.write(requests);
    await until(() => answers.length === requests.split("Host:").length - 1);
    socket.write(webSocket);
    await once(socket.resume(), "close");
    await until(() => answers.every((answer) => answer.destroyed));
    await checkNeighbour();
  }
});

test("a visitor who sends thousands of trailers is refused, and its tunnel stays", async () => {
  await using fixture = await GatewayFixture.create();
  const checkNeighbour = await neighbourOf(fixture);
  await fixture.app("hostile", (request, response) => {
    request.resume().on("end", () => response.end(JSON.stringify(request.trailers)));
  });
  const upload = (count: number) => {
    const trailers = Array.from({ length: count }, (_, index) => `${index.toString(36)}:\r\n`).join("");
    return `POST / HTTP/1.1\r\nHost: hostile.localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n${trailers}\r\n`;
  };
  assert.match(await fixture.raw(upload(3), giveUpMs), /^HTTP\/1\.1 200 [^]*\{"0":"","1":"","2":""\}$/);
  for (const count of [201, 600, 5_300])
    assert.match(await fixture.raw(upload(count), giveUpMs), /^HTTP\/1\.1 431 /, `${count} trailers`);
  await checkNeighbour();
});

test("what fails in central itself while an answer passes ends only its own visit and is told to the operator", async () => {
  const warnings: string[] = [];
  await using fixture = await GatewayFixture.create({
    gateway: { logger: { warn: (_: unknown, text?: string) => warnings.push(String(text)) } },
  });
  const checkNeighbour = await neighbourOf(fixture);
  const session = fixture.tunnels.open("host-a") ?? assert.fail();
  const request = session.request.bind(session);
  /** Values that the library below would never pass on. */
  const impossible = {
    get: { event: "trailers", headers: { x: "a\nb" } },
    upgrade: { event: "response", headers: { "x-tijolo-upgraded": "websocket", x: Symbol("none") } },
  };
  const opened: ReturnType<typeof request>[] = [];
  session.request = (...given) => {
    const upstream = request(...given);
    opened.push(upstream);
    return upstream;
  };
  const server = createServer((_, response) => void response.write("begun"));
  server.on("upgrade", () => {}); // says nothing
  await fixture.app("hostile", server);
  for (const [kind, visit] of [
    ["get", get],
    ["upgrade", webSocket],
  ] as const) {
    const begun = kind === "get" ? /^HTTP\/1\.1 200 [^]*begun\r\n$/ : /^$/;
    opened.length = 0;
    let received = "";
    const visitor = connect(fixture.port, "127.0.0.1");
    visitor.setEncoding("latin1").on("data", (chunk: string) => (received += chunk));
    visitor.on("error", () => {});
    visitor.write(visit);
    await until(() => opened.length > 0 && begun.test(received));
    opened[0]?.emit(impossible[kind].event, impossible[kind].headers);
    await until(() => visitor.destroyed);
    assert.match(received, begun);
    await checkNeighbour();
  }
  assert.deepEqual(warnings, ["a visit failed", "a visit failed"]);
});
