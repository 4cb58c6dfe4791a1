/**
 * The resolver as a process of its own: names go on while the agent is away or is replaced, and what projects send it is read without
 * any right on the host. Started in the resolver's network namespace with: the directory of its zone, its address, that namespace's name
 * and the revision of these files. It ends when the namespace is taken away from it.
 */

import { closeSync, openSync, writeSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { FairShare, shareLimits } from "./fair-share.ts";
import { startTicksOf, writeProcessRecord } from "./process-record.ts";
import { Resolver } from "./resolver.ts";
import { serve } from "./serve.ts";
import { ZoneReader } from "./zone-file.ts";

const port = 53;
/** `nobody`, on every distribution. */
const unprivilegedId = 65_534;
const lookEveryMs = 1_000;
/** For answers under way when it is replaced. */
const drainMs = 5_000;

const [directory = "", address = "", namespace = "", revision = ""] = process.argv.slice(2);
process.chdir(directory);
// The directory as it is open here: the one above lets nobody else in.
const zoneDirectory = openSync(".", "r");
const log = openSync("resolver.log", "w");

process.on("uncaughtException", (error) => {
  writeSync(log, `${String(error.stack)}\n`);
  closeSync(log);
  process.exit(1);
});

const zone = new ZoneReader(`/proc/self/fd/${zoneDirectory}`);
const share = new FairShare(shareLimits, () => performance.now());
const server = await serve({ resolver: new Resolver({ zone: () => zone.current(), share }), address, port });

process.once("SIGTERM", () => void finish());
writeProcessRecord(".", { pid: process.pid, startTicks: startTicksOf(process.pid) ?? 0, revision, namespace, address });
dropPrivileges();
setInterval(() => {
  const own = Object.values(networkInterfaces()).flat();
  if (!own.some((each) => each?.address === address)) process.exit(0);
}, lookEveryMs);

function dropPrivileges(): void {
  process.setgroups?.([]);
  process.setgid?.(unprivilegedId);
  process.setuid?.(unprivilegedId);
}

async function finish(): Promise<void> {
  const endAtMs = performance.now() + drainMs;
  while (share.waitingInAll > 0 && performance.now() < endAtMs) await delay(20);
  await server.close();
  process.exit(0);
}
