/**
 * Makes sure that this machine has a HAProxy, which may be fetched, and ends: with status 0 when it has one.
 * `npm start` runs it to know who serves visitors, and the installer. With `--no-fetch` nothing is fetched.
 */

import { join } from "node:path";
import { findHaproxy } from "./haproxy/find-haproxy.ts";
import { parseConfig } from "./config.ts";

try {
  const { dataDirectory, toolsDirectory } = parseConfig(process.env);
  await findHaproxy({
    toolsDirectory: toolsDirectory ?? join(dataDirectory, "tools"),
    mayFetch: !process.argv.includes("--no-fetch"),
    onProgress: (text) => process.stdout.write(`${text}\n`),
  });
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
