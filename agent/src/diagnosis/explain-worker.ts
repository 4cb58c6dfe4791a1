/**
 * Runs as the thread of the {@link Explainer}: it says that it is ready, then matches what tenants' programs wrote,
 * and can be terminated when a match takes too long.
 */

import { parentPort } from "node:worker_threads";
import { explainFailure, type FailedProgram } from "./explanation.ts";

parentPort?.on("message", ({ program, lines }: { program: FailedProgram; lines: string[] }) => {
  parentPort?.postMessage(explainFailure(program, lines) ?? null);
});
parentPort?.postMessage("ready");
