import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import { connect } from "node:net";
import { test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { LogEvent } from "@tijolo/protocol";
import { sendEvents } from "./event-stream.ts";

test(
  "a reader that takes nothing holds its stream no longer than its caller may read",
  { timeout: 20_000 },
  async () => {
    const caller = new AbortController();
    const text = "x".repeat(64 * 1024);
    async function* flood(): AsyncGenerator<LogEvent[]> {
      for (;;)
        yield [
          {
            event: "log",
            id: "1",
            data: { at: "2026-01-01T00:00:00.000Z", section: "app", stream: "stdout", version: 1, text },
          },
        ];
    }
    const outcome = Promise.withResolvers<unknown>();
    const server = createServer((_request, response) => {
      const bounds = { signal: caller.signal, pingMs: 60_000, drainMs: 60_000 };
      sendEvents(response, flood(), bounds).then(outcome.reject, outcome.resolve);
    });
    await once(server.listen(0, "127.0.0.1"), "listening");
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const reader = connect(address.port, "127.0.0.1").pause();
    reader.on("error", () => {});
    reader.write("GET / HTTP/1.1\r\nHost: test\r\n\r\n");
    const [, response] = (await once(server, "request")) as [unknown, ServerResponse];
    while (!response.writableNeedDrain) await nextTurn();
    caller.abort();
    assert.ok((await outcome.promise) instanceof Error);
    server.closeAllConnections();
    server.close();
  },
);

test("a printed line forges no event: whatever ends a line for a reader of event streams stays within its data", async () => {
  const text = "one\r\revent: status\rdata: {}\r\r\n\nid: 7\n\n: two\u2028three\u2029four\u0085five\0";
  const data = {
    at: "2026-01-01T00:00:00.000Z",
    section: "app",
    stream: "stdout",
    version: 1,
    text,
  } as const;
  async function* lines(): AsyncGenerator<LogEvent[]> {
    yield ["1", "2"].map((id) => ({ event: "log", id, data }));
  }
  const server = createServer((_request, response) => {
    void sendEvents(response, lines(), {
      signal: AbortSignal.timeout(10_000),
      pingMs: 60_000,
      drainMs: 60_000,
    });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  assert.ok(typeof address === "object" && address !== null);
  const sent = await (await fetch(`http://127.0.0.1:${address.port}`)).text();
  server.close();
  // The line ends of the standard: CRLF, LF and CR.
  const frames = sent
    .split(/(?:\r\n|\r|\n){2}/)
    .slice(0, -1)
    .map((frame) => frame.split(/\r\n|\r|\n/));
  assert.deepEqual(
    frames,
    ["1", "2"].map((id) => [`id: ${id}`, "event: log", `data: ${JSON.stringify(data)}`]),
  );
});
