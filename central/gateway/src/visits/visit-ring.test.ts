import assert from "node:assert/strict";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { maxReportedVisits } from "@tijolo/protocol";
import { until } from "../../../../test/support/until.ts";
import { VisitRing } from "./visit-ring.ts";

const logger = { warn() {} };
const visits = maxReportedVisits + 200;

/** Returns a line as HAProxy writes it, one for each path. */
function lineOf(index: number): string {
  const project = "01ARZ3NDEKTSV4RRFFQ69G5FAV";
  return `${JSON.stringify({ t: 1_760_000_000_000_000 + index, project, address: "192.0.2.1", path: `/${index}` })}\n`;
}

test("a program that ends between two reports has left the second to the next one", async (context) => {
  const directory = await mkdtemp(join(tmpdir(), "tijolo-ring-"));
  context.after(() => rm(directory, { recursive: true, force: true }));
  const socketPath = join(directory, "api");
  const lines = Array.from({ length: visits }, (_, index) => lineOf(index)).join("");
  const haproxy = createServer((socket) => {
    socket.on("error", () => {});
    socket.write(lines);
  }).listen(socketPath);
  context.after(() => haproxy.close());
  await once(haproxy, "listening");

  const counted: string[] = [];
  let [seenUs, isAway, refused] = [0, false, 0];
  const report = async (batch: { path: string }[], newestUs: number) => {
    if (isAway) {
      refused += 1;
      throw new Error("central is away");
    }
    counted.push(...batch.map(({ path }) => path));
    seenUs = newestUs;
    isAway = counted.length === maxReportedVisits;
  };
  {
    await using _first = new VisitRing({ socketPath, report, logger }, seenUs);
    await until(() => refused > 0);
  }
  assert.equal(counted.length, maxReportedVisits);
  isAway = false;
  await using _next = new VisitRing({ socketPath, report, logger }, seenUs);
  await until(() => counted.length >= visits);
  assert.deepEqual(
    counted,
    Array.from({ length: visits }, (_, index) => `/${index}`),
  );
});
