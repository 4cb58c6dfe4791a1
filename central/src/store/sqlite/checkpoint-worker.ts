/**
 * Runs the thread of {@link Checkpoints}, with a connection of its own. It loads nothing else: a thread has
 * its own copy of each module.
 */

import { parentPort, workerData } from "node:worker_threads";
import BetterSqlite3 from "better-sqlite3";
import type { CheckpointResult } from "./checkpoints.ts";

const { path } = workerData as { path: string };
const sqlite = new BetterSqlite3(path, { fileMustExist: true });
sqlite.pragma("synchronous = NORMAL");

/** Copies what can be copied now, without waiting for anyone. */
function checkpoint(): CheckpointResult {
  try {
    const [counts] = sqlite.pragma("wal_checkpoint(PASSIVE)") as { checkpointed: number }[];
    return { framesCopied: counts?.checkpointed ?? 0 };
  } catch (cause) {
    return { reason: String(cause) };
  }
}

parentPort?.on("message", () => parentPort?.postMessage(checkpoint()));
