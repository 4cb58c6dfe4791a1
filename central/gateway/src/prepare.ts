/**
 * Makes sure that this machine has a HAProxy, which may be fetched, and ends: with status 0 when it has one.
 * `npm start` runs it to know who serves visitors, and the installer. With `--no-fetch` nothing is fetched; with
 * `--renew` one that was fetched is made anew where Debian has newer packages: systemd and `npm start` do that daily.
 * It writes what it reports to standard output, as lines of JSON (`MachineNews`), and what is wrong as a
 * sentence to standard error.
 */

import { join } from "node:path";
import type { MachineNews } from "@tijolo/protocol";
import { findHaproxy, HaproxyMissingError, renewFetched } from "./haproxy/find-haproxy.ts";
import { parseConfig } from "./config.ts";

const say = (news: MachineNews) => process.stdout.write(`${JSON.stringify(news)}\n`);

try {
  const config = parseConfig(process.env);
  const toolsDirectory = config.toolsDirectory ?? join(config.dataDirectory, "tools");
  const onFetch = () => say({ code: "fetching", what: "haproxy" });
  if (process.argv.includes("--renew")) await renewFetched({ toolsDirectory });
  else await findHaproxy({ toolsDirectory, mayFetch: !process.argv.includes("--no-fetch"), onFetch });
} catch (error) {
  if (error instanceof HaproxyMissingError) say(error.news);
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
