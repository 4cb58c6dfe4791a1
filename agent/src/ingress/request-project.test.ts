import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import type { ServerHttp2Stream } from "node:http2";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import { createGuard } from "@tijolo/protocol/kit";
import { pino } from "pino";
import { until } from "../../../test/support/until.ts";
import { ingressTimes } from "./ingress-options.ts";
import { requestProject, whenConnected } from "./request-project.ts";
import { SiteVisits } from "./site-visits.ts";
import type { StreamVisit } from "./stream-visit.ts";

/** The part of a stream that a visit without an answer has to do with. */
class FakeStream extends EventEmitter {
  destroyed = false;
  closed = false;
  headersSent = false;
  failure: unknown;

  respond(headers: Record<string, unknown>): void {
    this.headersSent = true;
    this.failure = headers["x-tijolo-failure"];
  }

  resume(): void {}
}

test("what a program may have begun to read is not sent once more when its address is gone", async (t) => {
  const program = createServer((socket) => socket.on("error", () => {})).listen(0, "127.0.0.1");
  t.after(() => program.close());
  await once(program, "listening");
  const { port } = program.address() as AddressInfo;
  for (const [isRepeatable, expected] of [
    [false, { holds: 0, failure: "bad_response" }],
    [true, { holds: 1, failure: undefined }],
  ] as const) {
    const stream = new FakeStream();
    let holds = 0;
    const visit: StreamVisit = {
      stream: stream as unknown as ServerHttp2Stream,
      headers: { ":path": "/" },
      projectId: "site",
      trailers: {},
      context: {
        findTarget: () => undefined,
        visits: new SiteVisits(),
        times: ingressTimes,
        logger: pino({ level: "silent" }),
        held: { hold: () => void holds++, connectMs: () => 5_000, noteListening: () => {} },
      },
      guard: createGuard((error) => assert.fail(String(error))),
    };
    const project = requestProject(visit, {
      target: { kind: "process", address: "127.0.0.1", port, runNumber: 1, isStarting: false },
      method: isRepeatable ? "GET" : "POST",
      headers: { host: "site" },
      isRepeatable,
      attempt: { startedAt: performance.now(), mayReuse: false, retry: () => {} },
    });
    assert.ok(project !== undefined);
    const connected = Promise.withResolvers<void>();
    whenConnected(visit, project, connected.resolve);
    project.flushHeaders();
    await connected.promise;
    project.destroy(Object.assign(new Error("no route"), { code: "EHOSTUNREACH" }));
    await until(() => stream.headersSent || holds > 0);
    assert.deepEqual({ holds, failure: stream.failure }, expected);
  }
});
