/** Tests that what a real container uses is measured on its host and reaches its owner. */

import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { until } from "../../support/until.ts";
import { DeployedProject } from "../support/projects/deployed-project.ts";
import { RealCluster } from "../support/cluster/real-cluster.ts";

let cluster: RealCluster;
before(async () => {
  cluster = await RealCluster.create();
});
after(() => cluster[Symbol.asyncDispose]());

const mebibyte = 1024 * 1024;

/** Program that keeps some 30 percent of a core busy, and 60 MB in use. */
const source = `
  const kept = Buffer.alloc(60 << 20, 1);
  setInterval(() => { for (const end = Date.now() + 50; Date.now() < end; ) kept[0]++; }, 100);
  console.log("up", kept.length);
`;

test("memory, processor and disk of a running container are in its metrics", async () => {
  const { client } = await cluster.createAccount();
  const project = await DeployedProject.create(client, {
    files: { "index.js": source, "data.bin": randomBytes(25 * mebibyte) },
    config: { language: "node", version: "24", entry: "index.js" },
  });
  await project.is("running", 240_000);
  await project.prints("up");
  const point = await until(
    async () => {
      const { points } = await client.getMetrics({ id: project.id });
      return points.find(
        ({ memoryMb, cpuPercent, diskMb }) => diskMb !== null && memoryMb > 60 && cpuPercent > 0,
      );
    },
    { timeoutMs: 60_000, everyMs: 500 },
  );
  assert.ok(point.memoryMb < 256, JSON.stringify(point));
  assert.ok(point.cpuPercent > 5 && point.cpuPercent < 150, JSON.stringify(point));
  assert.ok(point.diskMb !== null && point.diskMb >= 25 && point.diskMb < 40, JSON.stringify(point));
  const { points } = await client.getMetrics({ id: project.id, query: { range: "30d" } });
  // One step of two hours, or the two around an even hour.
  assert.ok(
    points.length === 1 || points.length === 2,
    `the longest range shows it too: ${JSON.stringify(points)}`,
  );
  for (const { memoryMb, cpuPercent } of points)
    assert.ok(memoryMb > 0 && memoryMb < 256 && cpuPercent < 150, JSON.stringify(points));
});
