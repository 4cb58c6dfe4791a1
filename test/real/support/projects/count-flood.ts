/**
 * Runs a worker that follows a flooded log beside the test, so that the test's own clock is not slowed, and
 * counts what arrives.
 */

import { parentPort, workerData } from "node:worker_threads";
import { createClient } from "@tijolo/protocol";

export interface FloodCount {
  deliveredLines: number;
  droppedLines: number;
}

const { baseUrl, key, id } = workerData as { baseUrl: string; key: string; id: string };
const count: FloodCount = { deliveredLines: 0, droppedLines: 0 };
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker's port has no origin
setInterval(() => parentPort?.postMessage({ ...count }), 100);

const client = createClient({ baseUrl, token: key, fetch });
for await (const event of client.streamLogs({ id, query: { section: "app", stream: "stdout" } })) {
  if (event.event === "gap") count.droppedLines += event.data.droppedLines;
  if (event.event === "log") count.deliveredLines++;
}
