/** One project floods its log with 100 MB: others do not notice, and the stream accounts for every line. */

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { Worker } from "node:worker_threads";
import { until } from "../../support/until.ts";
import type { FloodCount } from "../support/projects/count-flood.ts";
import { DeployedProject, nodeProgram } from "../support/projects/deployed-project.ts";
import { FollowedLog } from "../support/projects/followed-log.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";
import { visit } from "../support/projects/visit.ts";

const lineCount = 1_000_000;
/** Bounds at the 95th percentile, on a machine that has two cores for all of this. */
const boundMs = { answer: 500, logLine: 1_000 };

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

test("a flood of 100 MB slows nobody and every line of it is delivered or counted as dropped", async (t) => {
  const { client, key } = await cluster.createAccount();
  const site = await DeployedProject.create(
    client,
    nodeProgram(siteSource, { type: "site", subdomain: "calm-site" }),
  );
  const ticking = await DeployedProject.create(
    client,
    nodeProgram(`setInterval(() => console.log("tick " + Date.now()), 100);`),
  );
  const flood = await DeployedProject.create(client, { ...nodeProgram(floodSource), start: false });
  await Promise.all([site.prints("up"), ticking.prints("tick"), flood.is("stopped")]);

  await using ticks = new FollowedLog(client, ticking.id);
  await using flooded = follow(key, flood.id);
  await until(() => ticks.lines.length > 20);
  const quiet = await answerTimes(10, () => false);
  const fromTick = ticks.lines.length;
  await client.startProject({ id: flood.id });
  const fromMs = performance.now();
  const isOver = () => flooded.count.deliveredLines + flooded.count.droppedLines >= lineCount;
  const busy = await answerTimes(2_000, isOver);
  await until(isOver, { timeoutMs: 60_000 });
  const seconds = (performance.now() - fromMs) / 1000;
  const delays = ticks.lines
    .slice(fromTick)
    .map(({ text, seenMs }) => seenMs - Number(text.slice("tick ".length)));

  const { deliveredLines, droppedLines } = flooded.count;
  t.diagnostic(
    `${lineCount} lines in ${seconds.toFixed(1)} s: ${deliveredLines} delivered, ${droppedLines} dropped`,
  );
  t.diagnostic(
    `a site's answer, p95: ${p95(quiet).toFixed(0)} ms before, ${p95(busy).toFixed(0)} ms meanwhile; another's log line, p95: ${p95(delays)} ms of ${delays.length}`,
  );
  assert.equal(deliveredLines + droppedLines, lineCount);
  assert.ok(delays.length > 5 && p95(delays) < boundMs.logLine, `${p95(delays)} ms`);
  assert.ok(p95(busy) < boundMs.answer, `${p95(busy)} ms`);
  await flood.is("stopped");
});

function follow(key: string, id: string): { count: FloodCount } & AsyncDisposable {
  const workerData = { baseUrl: `${cluster.operator.centralUrl}/api`, key, id };
  const worker = new Worker(new URL("../support/projects/count-flood.ts", import.meta.url), { workerData });
  const followed = {
    count: { deliveredLines: 0, droppedLines: 0 },
    async [Symbol.asyncDispose]() {
      await worker.terminate();
    },
  };
  worker.on("message", (count: FloodCount) => (followed.count = count));
  return followed;
}

const siteSource = `require("http").createServer((_, response) => response.end("ok")).listen(process.env.PORT, process.env.HOST, () => console.log("up"));`;

/** Lines of 100 bytes, as fast as they are taken. */
const floodSource = `
  const { writeSync } = require("fs");
  const writeAll = (bytes) => { for (let at = 0; at < bytes.length; ) at += writeSync(1, bytes, at); };
  for (let n = 0; n < ${lineCount}; n += 1000) {
    writeAll(Buffer.from(Array.from({ length: 1000 }, (_, i) => ("flood " + (n + i) + " ").padEnd(99, "x")).join("\\n") + "\\n"));
  }`;

async function answerTimes(atMost: number, isOver: () => boolean): Promise<number[]> {
  const times: number[] = [];
  while (times.length < atMost && !isOver()) {
    const fromMs = performance.now();
    assert.equal((await visit(cluster.gatewayPort, "calm-site")).text, "ok");
    times.push(performance.now() - fromMs);
    await delay(20);
  }
  return times;
}

function p95(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * 0.95)] ?? Number.NaN;
}
