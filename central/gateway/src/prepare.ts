/**
 * Makes sure that this machine has a HAProxy, which may be fetched, and ends: with status 0 when it has one.
 * `npm start` runs it to know who serves visitors, and the installer. With `--no-fetch` nothing is fetched.
 * It writes what it reports to standard output, as lines of JSON (`MachineNews`), and what is wrong as a
 * sentence to standard error.
 */

import { join } from "node:path";
import type { MachineNews } from "@tijolo/protocol";
import { findHaproxy, HaproxyMissingError } from "./haproxy/find-haproxy.ts";
import { parseConfig } from "./config.ts";

const say = (news: MachineNews) => process.stdout.write(`${JSON.stringify(news)}\n`);

try {
  const { dataDirectory, toolsDirectory } = parseConfig(process.env);
  await findHaproxy({
    toolsDirectory: toolsDirectory ?? join(dataDirectory, "tools"),
    mayFetch: !process.argv.includes("--no-fetch"),
    onFetch: () => say({ code: "fetching", what: "haproxy" }),
  });
} catch (error) {
  if (error instanceof HaproxyMissingError) say(error.news);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
