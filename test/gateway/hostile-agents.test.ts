/** Tests what a compromised host may send over its tunnel: central serves the other hosts' sites. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { test } from "node:test";
import { collectGarbage } from "../support/machine/retained-memory.ts";
import { until } from "../support/until.ts";
import { GatewayFixture, neighbourOf } from "./gateway-fixture.ts";
import {
  block,
  flags,
  frame,
  frameTypes,
  headers,
  openHostileTunnel,
  uint32,
  type Fields,
} from "./hostile-agent.ts";

const get = "GET / HTTP/1.1\r\nHost: taken.localhost\r\nConnection: close\r\n\r\n";
const post =
  "POST / HTTP/1.1\r\nHost: taken.localhost\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\nA: b\r\n\r\n";
const webSocket =
  "GET / HTTP/1.1\r\nHost: taken.localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n";
const visits = { "a GET": get, "an upload": post, "a WebSocket": webSocket };

const { endStream, endHeaders } = flags;
const { data, reset, settings, pushPromise, goAway, windowUpdate, altSvc, origin, ping } = frameTypes;
const status = (value: string): Fields => [[":status", value]];
const accepted: Fields = [...status("200"), ["x-tijolo-upgraded", "websocket"]];

const answers: Record<string, (streamId: number, socket: Socket) => Buffer> = {
  ...Object.fromEntries(
    ["000", "042", "099", "100", "101", "199", "421", "600", "999", "abc", "", "20", "2000"].flatMap(
      (value) => [
        [`status ${value}, whole`, (id: number) => headers(id, status(value), endStream)],
        [
          `status ${value}, with a body`,
          (id: number) => Buffer.concat([headers(id, status(value)), frame(data, endStream, id, "ok")]),
        ],
      ],
    ),
  ),
  "no status": (id) => headers(id, [["x", "y"]], endStream),
  "two statuses": (id) => headers(id, [...status("200"), ...status("404")], endStream),
  "200, and once more": (id) =>
    Buffer.concat([headers(id, status("200")), headers(id, status("404"), endStream)]),
  "many 100s and 103s": (id) =>
    Buffer.concat([
      ...Array.from({ length: 50 }, () =>
        Buffer.concat([headers(id, status("100")), headers(id, status("103"))]),
      ),
      headers(id, status("200"), endStream),
    ]),
  "100 after its answer": (id) =>
    Buffer.concat([headers(id, status("200")), headers(id, status("100")), frame(data, endStream, id, "ok")]),
  "data before its answer": (id) =>
    Buffer.concat([frame(data, 0, id, "ok"), headers(id, status("200"), endStream)]),
  "data after its end": (id) =>
    Buffer.concat([headers(id, status("200"), endStream), frame(data, endStream, id, "ok")]),
  "headers of a connection": (id) =>
    headers(id, [...status("200"), ["connection", "close"], ["transfer-encoding", "chunked"]], endStream),
  "names and values that are none": (id) =>
    headers(
      id,
      [
        ...status("200"),
        ["X-Upper", "a"],
        ["a b", "c"],
        ["x-lines", "a\r\nb: c"],
        ["x-null", "a\0b"],
        ["x-high", "\xff\x80"],
        ["", "x"],
      ],
      endStream,
    ),
  "framing of its own": (id) =>
    Buffer.concat([
      headers(id, [
        ...status("200"),
        ["content-length", "1, 2"],
        ["trailer", "a"],
        ["upgrade", "h2c"],
        ["te", "gzip"],
      ]),
      frame(data, endStream, id, "ok"),
    ]),
  "more than it said": (id) =>
    Buffer.concat([
      headers(id, [...status("200"), ["content-length", "1"]]),
      frame(data, endStream, id, "much"),
    ]),
  "less than it said": (id) =>
    Buffer.concat([
      headers(id, [...status("200"), ["content-length", "9"]]),
      frame(data, endStream, id, "few"),
    ]),
  ...Object.fromEntries(
    ["204", "205", "304"].map((value) => [
      `${value} with trailers and a body`,
      (id: number) =>
        Buffer.concat([
          headers(id, [...status(value), ["trailer", "a"]]),
          frame(data, 0, id, "ok"),
          headers(id, [["a", "b"]], endStream),
        ]),
    ]),
  ),
  "trailers of every kind": (id) =>
    Buffer.concat([
      headers(id, status("200")),
      frame(data, 0, id, "ok"),
      headers(
        id,
        [
          ["content-length", "7"],
          ["host", "x"],
          ["x-tijolo-failure", "x"],
          ["a", "\xff"],
          ["set-cookie", "a"],
          ["set-cookie", "b"],
        ],
        endStream,
      ),
    ]),
  "trailers that would frame": (id) =>
    Buffer.concat([
      headers(id, status("200")),
      headers(
        id,
        [
          ["transfer-encoding", "chunked"],
          ["connection", "x"],
          [":status", "200"],
        ],
        endStream,
      ),
    ]),
  "trailers without an end": (id) =>
    Buffer.concat([headers(id, status("200")), headers(id, [["a", "b"]]), frame(data, endStream, id, "ok")]),
  "a failure that is none": (id) =>
    headers(id, [...status("099"), ["x-tijolo-failure", "__proto__"], ["x-tijolo-port", "99999999"]]),
  "a failure with a body": (id) =>
    Buffer.concat([
      headers(id, [...status("502"), ["x-tijolo-failure", "not_listening"], ["x-tijolo-port", "<b>"]]),
      frame(data, 0, id, "x"),
    ]),
  "a WebSocket accepted, with data and an end": (id) =>
    Buffer.concat([headers(id, accepted), frame(data, 0, id, "x"), frame(data, endStream, id)]),
  "a WebSocket accepted and at its end": (id) => headers(id, accepted, endStream),
  "a WebSocket accepted with headers of a connection": (id) =>
    headers(id, [
      ...accepted,
      ["content-length", "5"],
      ["trailer", "a"],
      ["sec-websocket-accept", "x"],
      ["date", "x"],
    ]),
  "a WebSocket accepted with trailers": (id) =>
    Buffer.concat([headers(id, accepted), headers(id, [["a", "b"]], endStream)]),
  ...Object.fromEntries(
    [0, 1, 2, 7, 8, 11, 4_000_000_000].flatMap((code) => [
      [`reset ${code} at once`, (id: number) => frame(reset, 0, id, uint32(code))],
      [
        `reset ${code} after 100`,
        (id: number) => Buffer.concat([headers(id, status("100")), frame(reset, 0, id, uint32(code))]),
      ],
      [
        `reset ${code} after its head`,
        (id: number) => Buffer.concat([headers(id, status("200")), frame(reset, 0, id, uint32(code))]),
      ],
      [
        `reset ${code} in its body`,
        (id: number) =>
          Buffer.concat([
            headers(id, status("200")),
            frame(data, 0, id, "ok"),
            frame(reset, 0, id, uint32(code)),
          ]),
      ],
      [
        `reset ${code} after its end`,
        (id: number) =>
          Buffer.concat([headers(id, status("200"), endStream), frame(reset, 0, id, uint32(code))]),
      ],
      [
        `reset ${code} of an open WebSocket`,
        (id: number) =>
          Buffer.concat([headers(id, accepted), frame(data, 0, id, "ok"), frame(reset, 0, id, uint32(code))]),
      ],
    ]),
  ),
  "a pushed stream": (id) =>
    Buffer.concat([
      frame(
        pushPromise,
        endHeaders,
        id,
        Buffer.concat([
          uint32(2),
          block([
            [":method", "GET"],
            [":path", "/"],
            [":scheme", "http"],
            [":authority", "x"],
          ]),
        ]),
      ),
      headers(2, status("200"), endStream),
    ]),
  "a stream of its own": () =>
    headers(
      2,
      [
        [":method", "GET"],
        [":path", "/"],
        [":scheme", "http"],
      ],
      endStream,
    ),
  "origins and other services": (id) =>
    Buffer.concat([
      frame(origin, 0, 0, Buffer.from("\0\x01x")),
      frame(altSvc, 0, id, Buffer.from("\0\0x")),
      headers(id, status("421"), endStream),
    ]),
  "an early goodbye": (id) =>
    Buffer.concat([frame(goAway, 0, 0, uint32(0, 2)), headers(id, status("200"), endStream)]),
  "a goodbye after it": (id) =>
    Buffer.concat([frame(goAway, 0, 0, uint32(id, 0)), headers(id, status("200"), endStream)]),
  "a window that overflows": (id) =>
    Buffer.concat([
      frame(windowUpdate, 0, id, uint32(0x7fffffff)),
      frame(windowUpdate, 0, id, uint32(0x7fffffff)),
    ]),
  "a connection's window that overflows": () =>
    Buffer.concat([
      frame(windowUpdate, 0, 0, uint32(0x7fffffff)),
      frame(windowUpdate, 0, 0, uint32(0x7fffffff)),
    ]),
  "settings that are none": () => frame(settings, 0, 0, Buffer.from([0, 5, 0, 0, 0, 1])),
  "settings of half a size": () => frame(settings, 0, 0, "abc"),
  "a ping of half a size": () => frame(ping, 0, 0, "abc"),
  "no room and no streams": (id) =>
    Buffer.concat([
      frame(settings, 0, 0, Buffer.from([0, 3, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0])),
      headers(id, status("200"), endStream),
    ]),
  "fields that cannot be read": (id) =>
    frame(frameTypes.headers, endHeaders, id, Buffer.from([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff])),
  "a frame that is too large": (id) => frame(data, 0, id, Buffer.alloc(20_000)),
  "the end of its connection": (_, socket) => {
    socket.destroy();
    return Buffer.alloc(0);
  },
  "a break of its connection": (_, socket) => {
    socket.resetAndDestroy();
    return Buffer.alloc(0);
  },
};

/** Makes a fixture in which `taken` is a site of a compromised host, and `neighbour` one of another host. */
async function createFixture(
  idleMs = 10_000,
): Promise<{ fixture: GatewayFixture; checkNeighbour: () => Promise<void> }> {
  const fixture = await GatewayFixture.create({
    gateway: { times: { hostMs: 1_000, headMs: 1_500, idleMs } },
  });
  fixture.site("taken", { kind: "process", address: "127.0.0.1", port: 9 }, { hostId: "taken" });
  fixture.bearers.set("token-taken", "taken");
  return { fixture, checkNeighbour: await neighbourOf(fixture) };
}

for (const [kind, visit] of Object.entries(visits)) {
  test(`whatever a host answers to ${kind}, central serves the others`, async () => {
    const { fixture, checkNeighbour } = await createFixture();
    await using _ = fixture;
    await Promise.all(
      Object.entries(answers).map(async ([name, answer], index) => {
        const hostId = `taken-${index}`;
        fixture.bearers.set(`token-${index}`, hostId);
        fixture.site(`taken-${index}`, { kind: "process", address: "127.0.0.1", port: 9 }, { hostId });
        let isAsked = false;
        const tunnel = await openHostileTunnel(fixture.centralPort, `token-${index}`, {
          answer: (streamId, socket) => {
            isAsked = true;
            return answer(streamId, socket);
          },
        });
        await until(() => fixture.tunnels.open(hostId) !== undefined);
        const received = await fixture.raw(
          visit.replace("taken.localhost", `taken-${index}.localhost`),
          5_000,
        );
        assert.ok(isAsked, `${name} was not asked for: ${received}`);
        assert.match(received, /^(HTTP\/1\.1 [1-9]\d\d |$)/, name);
        tunnel.destroy();
      }),
    );
    await checkNeighbour();
  });
}

test("whatever a host begins its tunnel with, central serves the others", async () => {
  const { fixture, checkNeighbour } = await createFixture();
  await using _ = fixture;
  for (const begin of [
    Buffer.from("GET / HTTP/1.1\r\n\r\n"),
    Buffer.alloc(100_000, 255),
    frame(goAway, 0, 0, uint32(0, 0)),
    frame(settings, 0, 1, ""),
    headers(1, status("200"), endStream),
    frame(settings, flags.acknowledge, 0),
  ]) {
    const tunnel = await openHostileTunnel(fixture.centralPort, "token-taken", {
      begin,
      answer: () => Buffer.alloc(0),
    });
    assert.match(await fixture.raw(get, 5_000), /^HTTP\/1\.1 50\d /);
    tunnel.destroy();
  }
  const dial =
    "GET /link/tunnel HTTP/1.1\r\nHost: central\r\nConnection: Upgrade\r\nUpgrade: tijolo-tunnel\r\nAuthorization: Bearer token-taken\r\n\r\n";
  for (let turn = 0; turn < 100; turn++) {
    const socket = connect(fixture.centralPort, "127.0.0.1");
    socket.on("error", () => {});
    socket.write(turn % 2 === 0 ? dial : `${dial}no frame at all, sent ahead`);
    if (turn % 3 === 0) socket.once("connect", () => socket.resetAndDestroy());
    else setTimeout(() => socket.resetAndDestroy(), turn % 5);
  }
  await until(() => fixture.tunnelSockets.size > 60);
  await checkNeighbour();
});

test("a head that never ends, and an upload that nobody reads, do not end central", async () => {
  const { fixture, checkNeighbour } = await createFixture(1_000);
  await using _ = fixture;
  const largeWindows = Buffer.concat([
    frame(settings, 0, 0, Buffer.from([0, 4, 0x7f, 0xff, 0xff, 0xff])),
    frame(windowUpdate, 0, 0, uint32(0x7f000000)),
  ]);
  await openHostileTunnel(fixture.centralPort, "token-taken", {
    begin: largeWindows,
    answer: (id, socket) => {
      socket.pause();
      const trailersWithoutEnd = frame(frameTypes.headers, 0, id, block([["x-trailer", "x".repeat(100)]]));
      return Buffer.concat([headers(id, status("200")), trailersWithoutEnd]);
    },
  });
  await until(() => fixture.tunnels.open("taken") !== undefined);
  const visitor = connect(fixture.port, "127.0.0.1");
  visitor.on("error", () => {});
  visitor.write("POST / HTTP/1.1\r\nHost: taken.localhost\r\nContent-Length: 40000000\r\n\r\n");
  await once(visitor, "readable"); // the answer's head, so that central has read all that the host sent
  visitor.write(Buffer.alloc(40_000_000));
  await new Promise((resolve) => visitor.once("close", resolve)); // central gives it up, as nothing moves
  await new Promise((resolve) => setTimeout(resolve, 200)); // and has ended its stream
  fixture.tunnels.disconnect("taken"); // as central does where no ping is answered
  await until(() => fixture.tunnels.open("taken") === undefined);
  await collectGarbage(); // what central kept of the tunnel is collected
  await checkNeighbour();
});
