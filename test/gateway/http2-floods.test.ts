/**
 * Sends HAProxy the floods and the broken frames of HTTP/2: each has its stated answer, a neighbour is served
 * meanwhile, and HAProxy's memory stays what it was.
 */

import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { after, before, describe, test } from "node:test";
import { findHaproxy } from "@tijolo/gateway";
import { until } from "../support/until.ts";
import { haproxyDirectory } from "../support/machine/haproxy.ts";
import { HaproxyFixture } from "./haproxy-fixture.ts";
import { flags, frame, headerBlock, Http2Conversation, requestBlock } from "./http2-conversation.ts";

/** Codes of RFC 9113 §7. */
const protocolError = 1;
const refusedStream = 7;
const compressionError = 9;

const many = 50_000;
const framesAtOnce = 200;
const neighbourVisits = 20;
/** Bounds what a flood costs HAProxy: the windows of a hundred streams, and no more the longer it lasts. */
const mostMemoryMb = 40;
const whole = flags.endHeaders | flags.endStream;
const times = (count: number, each: (index: number) => Buffer) =>
  Array.from({ length: count }, (_, index) => each(index));
const stream = (index: number) => 2 * index + 1;

interface Flood {
  /** Frames that ask for the site of this head. */
  frames(request: Buffer): Buffer[];
  /**
   * How it ends: HAProxy's code of the connection's end; cut, where its last word may be lost with what it had not
   * read yet; or not at all.
   */
  end: number | "cut" | "goes on";
  /** Its requests that reach the program, at most. Default: none. */
  requests?: number;
  /** Streams that are refused. */
  refused?: number;
}

const floods: Record<string, Flood> = {
  "requests that are taken back at once": {
    frames: (request) =>
      times(many, (index) =>
        Buffer.concat([
          frame("headers", stream(index), request, whole),
          frame("reset", stream(index), Buffer.from([0, 0, 0, 8])),
        ]),
      ),
    end: "goes on",
    requests: 100,
  },
  "a head that goes on and on": {
    frames: (request) => [
      frame("headers", 1, request),
      ...times(many, () => frame("continuation", 1, headerBlock({ "x-a": "a".repeat(100) }))),
    ],
    end: "cut",
  },
  "a head that goes on with nothing": {
    frames: (request) => [
      frame("headers", 1, request),
      ...times(many, () => frame("continuation", 1, Buffer.alloc(0))),
    ],
    end: "goes on",
  },
  settings: {
    frames: () => times(many, () => frame("settings", 0, Buffer.from([0, 4, 0, 0, 0xff, 0xff]))),
    end: "goes on",
  },
  pings: { frames: () => times(many, () => frame("ping", 0, Buffer.alloc(8))), end: "goes on" },
  priorities: {
    frames: () => times(many, (index) => frame("priority", stream(index), Buffer.alloc(5))),
    end: "goes on",
  },
  "empty bodies": {
    frames: (request) => [
      frame("headers", 1, request, flags.endHeaders),
      ...times(many, () => frame("data", 1, Buffer.alloc(0))),
    ],
    end: "goes on",
    requests: 1,
  },
  "windows that grow by a byte": {
    frames: (request) => [
      frame("headers", 1, request, flags.endHeaders),
      ...times(many, () => frame("windowUpdate", 0, Buffer.from([0, 0, 0, 1]))),
    ],
    end: "goes on",
    requests: 1,
  },
  "more than 100 streams": {
    frames: (request) => times(300, (index) => frame("headers", stream(index), request, flags.endHeaders)),
    end: "goes on",
    requests: 100,
    refused: 200,
  },
  "answers that nobody reads": {
    frames: (request) => [
      frame("settings", 0, Buffer.from([0, 4, 0, 0, 0, 0])),
      ...times(100, (index) => frame("headers", stream(index), request, whole)),
    ],
    end: "goes on",
    requests: 100,
  },
  "a body of no stream": { frames: () => [frame("data", 0, Buffer.from("x"))], end: protocolError },
  "a stream of the server's": {
    frames: (request) => [frame("headers", 2, request, whole)],
    end: protocolError,
  },
  "a head that is no HPACK": {
    frames: () => [frame("headers", 1, Buffer.alloc(16_000, 0xff), whole)],
    end: compressionError,
  },
  "a head that unpacks to far more": {
    frames: () => [frame("headers", 1, Buffer.alloc(16_000, 0x82), whole)],
    end: compressionError,
  },
};

let argv: string[] | undefined;
let fixture: HaproxyFixture;

describe("HTTP/2", async () => {
  argv = await findHaproxy({ toolsDirectory: haproxyDirectory }).catch(() => undefined);
  const skip = argv === undefined ? "there is no HAProxy, and none can be fetched without root" : false;

  before(async () => {
    if (argv === undefined) return;
    fixture = await HaproxyFixture.create(argv);
    await fixture.app("neighbour", (_, response) => response.end());
  });
  after(() => fixture?.[Symbol.asyncDispose]());

  for (const [index, [name, flood]] of Object.entries(floods).entries())
    test(name, { skip }, async (t) => {
      const site = `flood-${index + 10}`;
      let reached = 0;
      await fixture.app(site, (_, response) => {
        reached += 1;
        response.end("x".repeat(100_000));
      });
      const frames = flood.frames(requestBlock(`${site}.localhost`));
      const memoryMb = await memory();
      using conversation = await Http2Conversation.open(fixture.port);
      for (let at = 0; at < frames.length && !conversation.isClosed; at += framesAtOnce)
        await conversation.send(Buffer.concat(frames.slice(at, at + framesAtOnce)));
      let longestMs = 0;
      for (let visit = 0; visit < neighbourVisits; visit++) {
        const begunMs = performance.now();
        assert.equal((await fixture.get("neighbour")).status, 200);
        longestMs = Math.max(longestMs, performance.now() - begunMs);
      }
      const isOver = () => conversation.isClosed || flood.end === "goes on";
      await until(isOver, { timeoutMs: 30_000, everyMs: 10 });
      assert.equal(endOf(conversation, flood), flood.end);
      assert.ok(reached <= (flood.requests ?? 0), `${reached} requests reached the program`);
      const refused = () =>
        conversation
          .frames()
          .filter(({ type, payload }) => type === "reset" && payload.readUInt32BE(0) === refusedStream)
          .length;
      await until(() => refused() >= (flood.refused ?? 0));
      const grownMb = (await memory()) - memoryMb;
      assert.ok(grownMb < mostMemoryMb, `HAProxy has ${grownMb} MB more`);
      t.diagnostic(`a neighbour waited ${longestMs.toFixed(0)} ms at most; ${grownMb} MB more`);
    });
});

function endOf(conversation: Http2Conversation, { end }: Flood): Flood["end"] {
  if (!conversation.isClosed) return conversation.goAway() ?? "goes on";
  return end === "cut" ? "cut" : (conversation.goAway() ?? "cut");
}

/** Megabytes that HAProxy has in memory. */
async function memory(): Promise<number> {
  const { pid } = (await fixture.haproxy.api.info()) ?? {};
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024);
}
