/**
 * Measures what the way through gateway, tunnel and ingress costs, against the bare app in the same run.
 * Prints; asserts only that it is not absurd.
 */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import type { Measured } from "./throughput-worker.ts";

const durationMs = 1_500;

test("requests per second and latency through the gateway, beside the bare app", async (context) => {
  await using workers = new AsyncDisposableStack();
  const start = async (data: Record<string, unknown>): Promise<{ worker: Worker; first: unknown }> => {
    const worker = new Worker(new URL("throughput-worker.ts", import.meta.url), { workerData: data });
    workers.defer(async () => void (await worker.terminate()));
    return { worker, first: data["role"] === "visitors" ? null : (await once(worker, "message"))[0] };
  };
  const app = await start({ role: "app" });
  const appPort = Number(app.first);
  const gateway = await start({ role: "gateway" });
  const { centralPort, gatewayPort } = gateway.first as { centralPort: number; gatewayPort: number };
  const ingress = await start({ role: "ingress", appPort, centralPort });
  const { worker: visitors } = await start({ role: "visitors" });
  const measure = async (port: number, connections: number): Promise<Measured> => {
    visitors.postMessage({ port, connections, durationMs }, []);
    return (await once(visitors, "message"))[0];
  };
  const cpuOf = async ({ worker }: { worker: Worker }): Promise<number> => {
    worker.postMessage("cpu", []);
    const [{ user, system }] = await once(worker, "message");
    return user + system;
  };

  for (const connections of [1, 64]) {
    await measure(gatewayPort, connections); // warms both
    const bare = await measure(appPort, connections);
    const parts = { gateway, ingress, app };
    const before = await Promise.all(Object.values(parts).map(cpuOf));
    const carried = await measure(gatewayPort, connections);
    const after = await Promise.all(Object.values(parts).map(cpuOf));
    const costs = Object.keys(parts).map(
      (part, index) =>
        `${part} ${Math.round(((after[index] ?? 0) - (before[index] ?? 0)) / carried.requests)} µs`,
    );
    const share = carried.requestsPerSecond / bare.requestsPerSecond;
    const figures = ({ requestsPerSecond, medianMs, p99Ms }: Measured) =>
      `${Math.round(requestsPerSecond)}/s, median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
    context.diagnostic(
      `${connections} connection(s): bare ${figures(bare)}; gateway ${figures(carried)}; ${Math.round(share * 100)} %, +${(carried.medianMs - bare.medianMs).toFixed(2)} ms`,
    );
    context.diagnostic(`processor time per visit: ${costs.join(", ")}`);
    assert.ok(carried.requestsPerSecond > 50);
  }
});
