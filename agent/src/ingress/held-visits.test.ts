import assert from "node:assert/strict";
import { EventEmitter } from "node:events";
import type { ServerHttp2Stream } from "node:http2";
import { test } from "node:test";
import { createGuard } from "@tijolo/protocol/kit";
import { until } from "../../../test/support/until.ts";
import { HeldVisits } from "./held-visits.ts";
import { ingressTimes, type HeldBounds, type IngressTarget } from "./ingress-options.ts";
import type { Attempt, IngressContext, StreamVisit } from "./stream-visit.ts";

const soon: IngressTarget = { kind: "soon" };
const program = {
  kind: "process",
  address: "127.0.0.1",
  port: 8080,
  runNumber: 2,
  isStarting: true,
} as const;

/** Stands in for a stream, with the members that holding a visit uses. */
class FakeStream extends EventEmitter {
  destroyed = false;
  closed = false;
  headersSent = false;
  endAfterHeaders = true;
  failure: unknown;

  respond(headers: Record<string, unknown>): void {
    this.headersSent = true;
    this.failure = headers["x-tijolo-failure"];
  }

  resume(): void {}

  leave(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

/** Holds visits of projects whose target the test sets. */
class Rig {
  target: IngressTarget | undefined = soon;
  readonly held: HeldVisits;
  readonly wentOn: number[] = [];

  constructor({ bounds = {}, holdMs = 60_000 }: { bounds?: Partial<HeldBounds>; holdMs?: number } = {}) {
    const times = { ...ingressTimes, holdMs, listenMs: 30 };
    this.held = new HeldVisits({ findTarget: () => this.target, times, heldBounds: bounds });
  }

  hold(index = 0, { projectId = "site", uploadBytes = 0, startedAt = performance.now() } = {}): FakeStream {
    const stream = new FakeStream();
    stream.endAfterHeaders = uploadBytes === 0;
    const headers = uploadBytes === 0 ? {} : { "content-length": String(uploadBytes) };
    const guard = createGuard((error) => assert.fail(String(error)));
    const visit: StreamVisit = {
      stream: stream as unknown as ServerHttp2Stream,
      headers,
      projectId,
      trailers: {},
      context: {} as IngressContext,
      guard,
    };
    const attempt: Attempt = { startedAt, mayReuse: true, retry: () => void this.wentOn.push(index) };
    this.held.hold(visit, attempt);
    return stream;
  }
}

test("the first held visit finds out whether the new program listens, and the others follow it", async () => {
  const rig = new Rig();
  const streams = Array.from({ length: 200 }, (_, index) => rig.hold(index));
  rig.target = program;
  await until(() => rig.wentOn.length > 0);
  assert.deepEqual([rig.wentOn, rig.held.count], [[0], 199]);
  rig.held.noteListening("site");
  await until(() => rig.wentOn.length === 200);
  assert.deepEqual([rig.wentOn[199], rig.held.count], [199, 0]);
  assert.ok(streams.every(({ headersSent }) => !headersSent));
});

test("a visit that found nothing listening is held again, and another one tries", async () => {
  const rig = new Rig();
  for (const index of [0, 1]) rig.hold(index);
  rig.target = program;
  await until(() => rig.wentOn.length === 1);
  rig.hold(0);
  await until(() => rig.wentOn.length === 2);
  assert.deepEqual(rig.wentOn, [0, 1]);
  await until(() => rig.wentOn.length === 3);
  assert.deepEqual([rig.wentOn, rig.held.count], [[0, 1, 0], 0]);
});

test("files are there at once, and all held visits go on together", async () => {
  const rig = new Rig();
  for (let index = 0; index < 60; index++) rig.hold(index);
  rig.target = { kind: "static", directory: "/nowhere" };
  await until(() => rig.wentOn.length > 0);
  assert.deepEqual([rig.wentOn.length, rig.held.count], [60, 0]);
});

test("a visit whose time is over is told why", async () => {
  const rig = new Rig({ holdMs: 80 });
  const [between, starting] = [rig.hold(), rig.hold()];
  await until(() => between.headersSent && starting.headersSent);
  assert.deepEqual([between.failure, starting.failure], ["starting", "starting"]);
  rig.target = { ...program, isStarting: false };
  const accused = rig.hold(0, { startedAt: performance.now() - 31 });
  assert.equal(accused.failure, "not_listening");
  rig.target = undefined;
  assert.equal(rig.hold().failure, "not_here");
  assert.deepEqual([rig.held.count, rig.wentOn], [0, []]);
});

test("the time in which the run before ends is not the visit's", async () => {
  const rig = new Rig({ holdMs: 200 });
  rig.target = { kind: "soon", isEnding: true };
  const late = rig.hold(1, { startedAt: performance.now() - 300 });
  const visit = rig.hold(0);
  const begunMs = performance.now();
  await until(() => performance.now() - begunMs > 600);
  assert.deepEqual([visit.headersSent, late.headersSent, rig.held.count], [false, false, 2]);
  rig.target = soon;
  const endedMs = performance.now();
  await until(() => visit.headersSent);
  assert.ok(performance.now() - endedMs > 50, "it has its own time left");
  assert.deepEqual([visit.failure, late.failure, rig.held.count], ["starting", "starting", 0]);
});

test("a connection is given no more time than its visit has left", () => {
  const rig = new Rig({ holdMs: 10_000 });
  const connectMs = (waitedMs: number) =>
    rig.held.connectMs(program, { startedAt: performance.now() - waitedMs, mayReuse: true, retry: () => {} });
  assert.equal(connectMs(0), 5_000);
  assert.ok(connectMs(8_000) <= 2_000);
  assert.equal(connectMs(20_000), 100);
});

test("a visitor who leaves frees what was held for them", () => {
  const rig = new Rig({ bounds: { visitsPerProject: 1, bytesPerProject: 1_000 } });
  for (let turn = 0; turn < 3; turn++) {
    const stream = rig.hold(0, { uploadBytes: 1_000 });
    assert.deepEqual([stream.headersSent, rig.held.count], [false, 1]);
    stream.leave();
    assert.deepEqual([rig.held.count, stream.listenerCount("close")], [0, 0]);
  }
});

test("of ten thousand visits as many are held as the bounds allow, and the others get their page at once", () => {
  const rig = new Rig();
  const ofOne = Array.from({ length: 10_000 }, (_, index) => rig.hold(index));
  assert.equal(rig.held.count, 1_024);
  assert.equal(ofOne.filter(({ failure }) => failure === "starting").length, 10_000 - 1_024);
  const ofMany = Array.from({ length: 10_000 }, (_, index) =>
    rig.hold(index, { projectId: `site ${index}` }),
  );
  assert.equal(rig.held.count, 3_000);
  for (const stream of [...ofOne, ...ofMany]) stream.leave();
  assert.equal(rig.held.count, 0);
});

test("what held visitors upload takes a bounded room", () => {
  const rig = new Rig({ bounds: { bytesPerProject: 1024 * 1024, bytes: 1536 * 1024 } });
  const large = { uploadBytes: 1e9 };
  const failures = () => [1, 2, 3].map((index) => rig.hold(index, large).failure);
  assert.deepEqual(failures(), [undefined, undefined, "starting"]); // what arrives unread is a window of each
  assert.equal(rig.hold(4, { ...large, projectId: "other" }).failure, undefined);
  assert.equal(rig.hold(5, { ...large, projectId: "third" }).failure, "starting");
  assert.equal(rig.hold(6).failure, undefined, "a visit without an upload takes none");
});

test("where the target cannot be told, the held visits go on and find that out themselves", async () => {
  let isBroken = false;
  const wentOn = new Rig();
  const held = new HeldVisits({
    findTarget: () => (isBroken ? assert.fail("no target can be told") : soon),
    times: ingressTimes,
  });
  Object.assign(wentOn, { held });
  wentOn.hold();
  isBroken = true;
  await until(() => wentOn.wentOn.length === 1);
});
