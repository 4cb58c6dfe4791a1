import assert from "node:assert/strict";
import { test } from "node:test";
import { linkMaxFrameMessages } from "@tijolo/protocol";
import { framesOf } from "./link-frames.ts";

test("a message alone is a frame as it is", () => {
  assert.deepEqual(framesOf({ id: 1 }, 1_000), ['{"id":1}']);
});

test("a list goes out in order, in as few frames as its number and its size allow", () => {
  const messages = Array.from({ length: linkMaxFrameMessages * 2 + 1 }, (_, id) => ({ id }));
  const frames = framesOf(messages, 1_000_000).map((frame) => JSON.parse(frame) as unknown[]);
  assert.deepEqual(frames.flat(), messages);
  assert.deepEqual(
    frames.map((frame) => frame.length),
    [linkMaxFrameMessages, linkMaxFrameMessages, 1],
  );
});

test("no frame is larger than it may be, but for a message that is larger by itself", () => {
  const messages = [300, 300, 500, 5_000, 10, 990].map((length) => "é".repeat(length / 2));
  const frames = framesOf(messages, 1_000);
  assert.deepEqual(
    frames.flatMap((frame) => JSON.parse(frame) as unknown[]),
    messages,
  );
  for (const frame of frames)
    assert.ok(Buffer.byteLength(frame) <= 1_000 || (JSON.parse(frame) as unknown[]).length === 1);
});
