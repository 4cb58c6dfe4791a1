/** What the way through gateway, tunnel and ingress costs, against the bare app in the same run. Prints; asserts only that it is not absurd. */

import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { GatewayFixture, until } from "./gateway-fixture.ts";
import type { Measured } from "./throughput-worker.ts";

const durationMs = 1_500;

test("requests per second and latency through the gateway, beside the bare app", async (context) => {
  await using fixture = await GatewayFixture.create();
  await using workers = new AsyncDisposableStack();
  const start = async (data: Record<string, unknown>): Promise<{ worker: Worker; first: unknown }> => {
    const worker = new Worker(new URL("throughput-worker.ts", import.meta.url), { workerData: data });
    workers.defer(async () => void (await worker.terminate()));
    return { worker, first: data["role"] === "visitors" ? null : (await once(worker, "message"))[0] };
  };
  const appPort = Number((await start({ role: "app" })).first);
  fixture.bearers.set("token-b", "host-b");
  await start({ role: "ingress", appPort, centralPort: fixture.centralPort });
  await until(() => fixture.tunnels.open("host-b") !== undefined);
  fixture.site("bench", { kind: "process", address: "127.0.0.1", port: appPort }, { hostId: "host-b" });
  const { worker: visitors } = await start({ role: "visitors" });
  const measure = async (port: number, connections: number): Promise<Measured> => {
    visitors.postMessage({ port, connections, durationMs });
    return (await once(visitors, "message"))[0];
  };

  for (const connections of [1, 64]) {
    await measure(fixture.port, connections); // warms both
    const bare = await measure(appPort, connections);
    const carried = await measure(fixture.port, connections);
    const share = carried.requestsPerSecond / bare.requestsPerSecond;
    const figures = ({ requestsPerSecond, medianMs, p99Ms }: Measured) => `${Math.round(requestsPerSecond)}/s, median ${medianMs.toFixed(2)} ms, p99 ${p99Ms.toFixed(2)} ms`;
    context.diagnostic(`${connections} connection(s): bare ${figures(bare)}; gateway ${figures(carried)}; ${Math.round(share * 100)} %, +${(carried.medianMs - bare.medianMs).toFixed(2)} ms`);
    assert.ok(share > 0.03);
  }
});
