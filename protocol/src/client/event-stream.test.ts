import assert from "node:assert/strict";
import { test } from "node:test";
import { readEventStream, type ServerSentEvent } from "./event-stream.ts";

async function read(...chunks: (string | Uint8Array)[]): Promise<ServerSentEvent[]> {
  const encoder = new TextEncoder();
  async function* bytes() {
    for (const chunk of chunks) yield typeof chunk === "string" ? encoder.encode(chunk) : chunk;
  }
  return await Array.fromAsync(readEventStream(bytes()));
}

test("an event has its name, its id and its data", async () => {
  assert.deepEqual(await read('id: 7\nevent: log\ndata: {"a":1}\n\n'), [
    { event: "log", data: '{"a":1}', id: "7" },
  ]);
});

test("comments are passed over and an event without a name is a message", async () => {
  assert.deepEqual(await read(": ping\n\ndata:x\n\n: ping\n"), [
    { event: "message", data: "x", id: undefined },
  ]);
});

test("an id belongs to its own event only", async () => {
  assert.deepEqual(
    (await read("id: 1\ndata: a\n\ndata: b\n\n")).map((event) => event.id),
    ["1", undefined],
  );
});

test("several data lines are joined by newlines", async () => {
  assert.equal((await read("data: a\ndata:\ndata:  b\n\n"))[0]?.data, "a\n\n b");
});

test("lines may end with LF, CR or CRLF, wherever chunks are cut", async () => {
  const text = "id: é1\r\nevent: log\r\ndata: ação\r\n\r\ndata: b\r\rdata: c\n\n";
  const bytes = new TextEncoder().encode(text);
  const whole = await read(bytes);
  assert.deepEqual(
    whole.map((event) => event.data),
    ["ação", "b", "c"],
  );
  for (let cut = 1; cut < bytes.length; cut++) {
    assert.deepEqual(await read(bytes.subarray(0, cut), bytes.subarray(cut)), whole, `cut at ${cut}`);
  }
  assert.deepEqual(await read(...Array.from(bytes, (byte) => Uint8Array.of(byte))), whole);
});

test("an event that is cut off by the end is dropped", async () => {
  assert.deepEqual(await read("data: a\n\ndata: b\n"), [{ event: "message", data: "a", id: undefined }]);
});

test("a line without end is refused before it fills the memory", async () => {
  await assert.rejects(read("data: ", "x".repeat(600_000), "x".repeat(600_000)), RangeError);
  await assert.rejects(read("x".repeat(600_000), "x".repeat(600_000)), RangeError);
});

test("a long line is read once, in however many pieces it comes", async () => {
  async function* pieces() {
    const encoder = new TextEncoder();
    yield encoder.encode("data: ");
    for (let count = 0; count < 65_000; count++) yield encoder.encode("x".repeat(16));
    yield encoder.encode("\n\n");
  }
  const startedMs = performance.now();
  const [event] = await Array.fromAsync(readEventStream(pieces()));
  assert.equal(event?.data.length, 1_040_000);
  assert.ok(performance.now() - startedMs < 10_000);
});
