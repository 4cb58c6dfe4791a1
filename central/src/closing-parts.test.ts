import assert from "node:assert/strict";
import { test } from "node:test";
import { RecordingLogger } from "../../test/support/recording-logger.ts";
import { ClosingParts } from "./closing-parts.ts";

const never = () => new Promise<void>(() => {});

test("what does not close is named and left, the parts after it still get a while of their own, and what is saved is saved", async () => {
  const logger = new RecordingLogger();
  const closing = new ClosingParts(logger, 50);
  const done: string[] = [];
  const begunMs = performance.now();
  {
    await using parts = new AsyncDisposableStack();
    parts.defer(() => void done.push("saved"));
    parts.defer(() =>
      closing.close("slow", async () => {
        await new Promise((resolve) => setTimeout(resolve, 100));
        done.push("closed");
      }),
    );
    parts.defer(() => closing.close("stuck", never));
  }
  assert.deepEqual(done, ["closed", "saved"]);
  assert.deepEqual(
    logger.entries.map(({ fields }) => fields),
    [{ part: "stuck" }],
  );
  assert.ok(performance.now() - begunMs < 5_000);
});

test("why a part could not close is passed on", async () => {
  const closing = new ClosingParts(new RecordingLogger());
  await assert.rejects(
    closing.close("broken", () => Promise.reject(new Error("no"))),
    /^Error: no$/,
  );
});
