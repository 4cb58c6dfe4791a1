/**
 * Thread of the {@link Explainer}: what a tenant's program wrote is matched here, where it can be given up.
 */

import { parentPort } from "node:worker_threads";
import { explainFailure, type FailedProgram } from "./explanation.ts";

parentPort?.on("message", ({ program, lines }: { program: FailedProgram; lines: string[] }) => {
  parentPort?.postMessage(explainFailure(program, lines) ?? null);
});
