/**
 * One hostile visit, or one program that answers in a hostile way, ends that visit and nothing else: the
 * tunnel carries the next one of another site.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import type { ProcessTarget } from "../../agent/src/ingress/ingress-options.ts";
import { until } from "../support/until.ts";
import { GatewayFixture, neighbourOf } from "./gateway-fixture.ts";
import { createWire } from "./wire.ts";

const giveUpMs = 10_000;
const get = "GET / HTTP/1.1\r\nHost: hostile.localhost\r\nConnection: close\r\n";
const post = "POST / HTTP/1.1\r\nHost: hostile.localhost\r\nConnection: close\r\n";
const webSocket =
  "GET / HTTP/1.1\r\nHost: hostile.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n";
const ok = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";
const chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n";

const hostile: { name: string; visit: string; answer: string; expected: RegExp }[] = [
  {
    name: "a GET that announces trailers",
    visit: `${get}Trailer: x\r\n\r\n`,
    answer: ok,
    expected: /^HTTP\/1\.1 200 [^]*ok$/,
  },
  {
    name: "an upload of a stated length that announces trailers",
    visit: `${post}Content-Length: 3\r\nTrailer: x\r\n\r\nabc`,
    answer: ok,
    expected: /^HTTP\/1\.1 200 [^]*ok$/,
  },
  {
    name: "an upload that waits for 100 and announces trailers",
    visit: `${post}Content-Length: 3\r\nExpect: 100-continue\r\nTrailer: x\r\n\r\nabc`,
    answer: ok,
    expected: /^HTTP\/1\.1 200 [^]*ok$/,
  },
  {
    name: "a WebSocket that announces trailers",
    visit: `${webSocket}Trailer: x\r\n\r\n`,
    answer: ok,
    expected: /^HTTP\/1\.1 200 [^]*ok\r\n0\r\n\r\n$/,
  },
  {
    name: "an upload with trailers that belong to a connection",
    visit: `${post}Transfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nKeep-Alive: x\r\nTe: y\r\nUpgrade: z\r\nhttp2_settings: z\r\nX: \xe9\r\n\r\n`,
    answer: ok,
    expected: /^HTTP\/1\.1 200 /,
  },
  ...[600, 999, "099", 199].flatMap((status) =>
    [get, webSocket].map((visit) => ({
      name: `a program that answers ${visit === get ? "a GET" : "a WebSocket"} with status ${status}`,
      visit: `${visit}\r\n`,
      answer: `HTTP/1.1 ${status} Odd\r\nContent-Length: 0\r\n\r\n`,
      expected: /^HTTP\/1\.1 502 /,
    })),
  ),
  ...[
    "Keep-Alive",
    "Upgrade",
    "TE",
    "Connection",
    "Proxy-Connection",
    "HTTP2-Settings",
    "Transfer-Encoding",
    "X-Tijolo-Failure",
  ].map((name) => ({
    name: `a program whose trailers have ${name}`,
    visit: `${get}\r\n`,
    answer: `${chunked}${name}: x\r\nX-Kept: y\r\n\r\n`,
    expected: /^HTTP\/1\.1 200 [^]*\r\n2\r\nok\r\n0\r\n(x-kept: y\r\n)?\r\n$/,
  })),
  {
    name: "a program that accepts a WebSocket with headers of a connection",
    visit: `${webSocket}\r\n`,
    answer:
      "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nTE: x\r\nKeep-Alive: 3\r\nHTTP2-Settings: a\r\nETag: a\r\nETag: b\r\n\r\n",
    expected: /^HTTP\/1\.1 101 /,
  },
  {
    name: "a program that accepts a WebSocket with a length and chunks",
    visit: `${webSocket}\r\n`,
    answer:
      "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
    expected: /^HTTP\/1\.1 502 /,
  },
  {
    name: "a program that switches protocols when nobody asked",
    visit: `${get}\r\n`,
    answer: "HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n",
    expected: /^HTTP\/1\.1 502 /,
  },
  ...[get, webSocket].map((visit) => ({
    name: `a program that says a lot before it answers ${visit === get ? "a GET" : "a WebSocket"}`,
    visit: `${visit}\r\n`,
    answer: `${"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\n".repeat(50)}${ok}`,
    expected: /^HTTP\/1\.1 200 [^]*ok/,
  })),
  ...[204, 205, 304].map((status) => ({
    name: `a program whose ${status} has a body and trailers`,
    visit: `${get}\r\n`,
    answer: `HTTP/1.1 ${status} No\r\nTrailer: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\nA: b\r\n\r\n`,
    expected: new RegExp(`^HTTP/1\\.1 ${status} `),
  })),
  ...["HEAD", "GET"].map((method) => ({
    name: `a program that announces trailers to a ${method} and states a length`,
    visit: `${get.replace("GET", method)}\r\n`,
    answer: `HTTP/1.1 200 OK\r\nTrailer: a\r\nContent-Length: 2\r\n\r\n${method === "GET" ? "ok" : ""}`,
    expected: /^HTTP\/1\.1 200 /,
  })),
];

for (const { name, visit, answer, expected } of hostile) {
  test(`${name} ends at most its own visit`, async () => {
    await using fixture = await GatewayFixture.create();
    const checkNeighbour = await neighbourOf(fixture);
    await fixture.rawApp("hostile", (socket) => socket.end(answer, "latin1"));
    assert.match(await fixture.raw(visit, giveUpMs), expected);
    await checkNeighbour();
  });
}

for (const answer of ["HTTP/1.1 101 Switching\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n", ok]) {
  for (const visit of [webSocket, get]) {
    test(`a program that answers ${visit === get ? "a GET" : "a WebSocket"} with ${answer.slice(9, 12)} after its time is over ends at most that visit`, async () => {
      await using fixture = await GatewayFixture.create();
      using wire = await createWire(fixture.centralPort);
      const ingress = fixture.startIngress({
        centralUrl: `http://127.0.0.1:${wire.port}`,
        bearer: () => "token-b",
        times: { headMs: 1_000 },
      });
      fixture.bearers.set("token-b", "host-b");
      await until(() => fixture.tunnels.open("host-b") !== undefined && ingress.isConnected());
      const session = fixture.tunnels.open("host-b");
      await fixture.app("neighbour", (_, response) => response.end("neighbour"));
      fixture.site("neighbour", fixture.targets.get("project-neighbour") ?? assert.fail(), {
        hostId: "host-b",
      });
      const asked = Promise.withResolvers<{ program: Socket; isCut: Promise<unknown> }>();
      await fixture.rawApp("hostile", (program) => asked.resolve({ program, isCut: once(program, "close") }));
      fixture.site("hostile", fixture.targets.get("project-hostile") ?? assert.fail(), { hostId: "host-b" });
      const visiting = fixture.raw(`${visit}\r\n`, giveUpMs);
      const { program, isCut } = await asked.promise;
      const release = wire.holdCentral(); // the agent does not hear that central has ended the visit
      assert.match(await visiting, /^HTTP\/1\.1 504 /);
      program.resume().write(answer);
      await isCut;
      release();
      assert.equal((await fixture.get("neighbour")).body, "neighbour");
      assert.ok(fixture.tunnels.open("host-b") === session, "it is another tunnel");
    });
  }
}

test("visitors who leave while a file is looked for end at most their own visits", async () => {
  await using fixture = await GatewayFixture.create();
  const checkNeighbour = await neighbourOf(fixture);
  fixture.site("hostile", { kind: "static", directory: import.meta.dirname });
  const conditions = ["Range: bytes=99999999-\r\n", 'If-Match: "x"\r\n', "Range: bytes=0-10\r\n", ""];
  for (let turn = 0; turn < 800; turn++) {
    const socket = connect(fixture.port, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(`GET /visits.test.ts HTTP/1.1\r\nHost: hostile.localhost\r\n${conditions[turn % 4]}\r\n`);
    await delay(Math.random() * 6);
    socket.resetAndDestroy();
  }
  await checkNeighbour();
});

test("what fails at the host itself, at once or later, ends only its own visit and is told to the operator", async () => {
  const warnings: string[] = [];
  const targets = new Map<string, () => ProcessTarget>();
  const logger = { debug() {}, info() {}, warn: (_: unknown, text?: string) => warnings.push(String(text)) };
  await using fixture = await GatewayFixture.create({
    ingress: { logger, findTarget: (projectId) => targets.get(projectId)?.() },
  });
  const port = await fixture.app("neighbour", (_, response) => response.end("neighbour"));
  const target = { kind: "process", address: "127.0.0.1", runNumber: 1, isStarting: false } as const;
  targets.set("project-neighbour", () => ({ ...target, port }));
  fixture.site("hostile", { kind: "process", address: "127.0.0.1", port: 9 });
  for (const callsBefore of [0, 1, 2, 3]) {
    for (const visit of [get, webSocket]) {
      let calls = 0;
      targets.set("project-hostile", () => {
        if (calls++ >= callsBefore) throw new Error("no target can be told");
        return { ...target, port: 9 }; // nothing listens: it is asked for again
      });
      assert.match(await fixture.raw(`${visit}\r\n`, giveUpMs), /^HTTP\/1\.1 502 /);
      assert.equal((await fixture.get("neighbour")).body, "neighbour");
    }
  }
  assert.deepEqual([warnings.length, new Set(warnings)], [8, new Set(["a visit failed"])]);
});
