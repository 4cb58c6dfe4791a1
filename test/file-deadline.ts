/**
 * Ends a test file's process that nothing else would end. The test runner loads this module into the process
 * of each test file (`--import`), with two limits in its URL, both in milliseconds: `ms`, how long the
 * process may take in all, and `afterMs`, how long it may live after its last test. The process then names
 * what keeps it alive and ends with code 1.
 */

import { after } from "node:test";
import { isMainThread } from "node:worker_threads";

const limits = new URL(import.meta.url).searchParams;
const totalMs = Number(limits.get("ms"));
const afterLastTestMs = Number(limits.get("afterMs"));

// Programs and threads that a test file starts load this module as well, and have no tests of their own.
if (isMainThread && /\.test\.m?[jt]s$/.test(process.argv[1] ?? "")) {
  endIn(totalMs, `this file was given up after ${totalMs / 1000} s`);
  after(() => endIn(afterLastTestMs, `this file was ended ${afterLastTestMs / 1000} s after its last test`));
}

function endIn(ms: number, reason: string): void {
  setTimeout(() => {
    console.error(`${reason}; it is kept alive by: ${process.getActiveResourcesInfo().join(", ")}`);
    process.exit(1);
  }, ms).unref();
}
