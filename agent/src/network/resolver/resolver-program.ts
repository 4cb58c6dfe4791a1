/**
 * Runs the resolver as a process of its own: names resolve while the agent is stopped or replaced, and what
 * projects send is parsed without any right on the host, by a user of its own that sees no file but the zone.
 * Started in the resolver's network namespace by leave-host.pl with: the directory of its zone, its address,
 * that namespace's name, the revision of these files, and the two descriptors of leave-host.pl. It ends when
 * the namespace is taken away from it.
 */

import { closeSync, openSync, readSync, writeSync } from "node:fs";
import { networkInterfaces } from "node:os";
import { poll } from "@tijolo/protocol/kit/poll";
import { FairShare, shareLimits } from "./fair-share.ts";
import { startTicksOf, writeProcessRecord } from "./process-record.ts";
import { resolverId } from "./resolver-id.ts";
import { Resolver } from "./resolver.ts";
import { serve } from "./serve.ts";
import { ZoneReader } from "./zone-file.ts";

const port = 53;
const lookEveryMs = 1_000;
/** Milliseconds for pending answers when the process is replaced. */
const drainMs = 5_000;

const [directory = "", address = "", namespace = "", revision = "", loaded, left] = process.argv.slice(2);
process.chdir(directory);
const log = openSync("resolver.log", "w");

process.on("uncaughtException", (error) => {
  writeSync(log, `${String(error.stack)}\n`);
  closeSync(log);
  process.exit(1);
});

// The record below tells the agent that the resolver serves: whatever cannot go well is found out before.
if (loaded === undefined || left === undefined)
  throw new Error("started without the descriptors of leave-host.pl: the agent is an older version");

const zone = new ZoneReader("/");
const share = new FairShare(shareLimits, () => performance.now());
const resolver = new Resolver({ zone: () => zone.current(), share });
const unprivileged = Promise.withResolvers<void>();
const answer: Resolver["answer"] = (message, asker) =>
  unprivileged.promise.then(() => resolver.answer(message, asker));
const server = await serve({ resolver: { answer }, address, port });

process.once("SIGTERM", () => void finish());
writeProcessRecord(".", {
  pid: process.pid,
  startTicks: startTicksOf(process.pid) ?? 0,
  revision,
  namespace,
  address,
});
leaveHost();
dropPrivileges();
unprivileged.resolve();
setInterval(() => {
  const own = Object.values(networkInterfaces()).flat();
  if (!own.some((each) => each?.address === address)) process.exit(0);
}, lookEveryMs);

/**
 * Drops all access to the host: afterwards `directory` is the root, and no other file can be opened. Every
 * module must be loaded before.
 */
function leaveHost(): void {
  writeSync(Number(loaded), "loaded\n");
  if (readSync(Number(left), Buffer.alloc(8)) === 0)
    throw new Error("the files of the host could not be left");
  for (const descriptor of [loaded, left]) closeSync(Number(descriptor));
  process.chdir("/"); // it still was in the directory as the host has it
}

function dropPrivileges(): void {
  process.setgroups?.([]);
  process.setgid?.(resolverId);
  process.setuid?.(resolverId);
}

async function finish(): Promise<void> {
  await poll(() => share.waitingInAll === 0, { timeoutMs: drainMs, everyMs: 20 });
  await server.close();
  process.exit(0);
}
