import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { until } from "../../../test/support/until.ts";
import { sampleAssignment } from "../ledger/sample-assignment.ts";
import { ProjectWorker } from "./project-worker.ts";
import { openTestContext } from "./test-context.ts";

const assignment = sampleAssignment({ settings: { ...sampleAssignment().settings, installCommand: "" } });

/** A worker whose project is installed, and whose start waits for an image that does not come. */
async function startThatWaits(t: TestContext) {
  const dataDirectory = await mkdtemp(join(tmpdir(), "tijolo-worker-"));
  t.after(() => rm(dataDirectory, { recursive: true, force: true }));
  const image = { layers: [], environment: {} };
  const { promise: isWaiting, resolve: waits } = Promise.withResolvers<void>();
  let asked = 0;
  const ensure = (_: unknown, { signal }: { signal?: AbortSignal } = {}) =>
    ++asked === 1
      ? Promise.resolve(image)
      : new Promise<typeof image>((_resolve, reject) => {
          signal?.addEventListener("abort", () => reject(signal.reason));
          waits();
        });
  const context = openTestContext(dataDirectory, assignment, { images: { ensure } });
  t.after(() => context[Symbol.asyncDispose]());
  const worker = new ProjectWorker(context, assignment.projectId, () => {});
  worker.assign(assignment);
  await isWaiting;
  assert.equal(worker.record.installed?.versionNumber, assignment.versionNumber);
  return worker;
}

test("the end of the agent does not wait for the image of a start", async (t) => {
  const worker = await startThatWaits(t);
  await worker.close();
  assert.equal(worker.instance, undefined);
  assert.equal(worker.record.observed.errorCode, null, "the next agent goes on with it");
});

test("a start that nobody wants any more does not wait for its image", async (t) => {
  const worker = await startThatWaits(t);
  worker.assign({ ...assignment, run: "off" });
  await until(() => worker.record.observed.phase === "ready");
  await worker.close();
  assert.equal(worker.instance, undefined);
});
