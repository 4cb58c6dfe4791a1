/** Takes off this machine what test processes that were killed have left of their instances. */

import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTraces } from "../../../support/machine/machine-traces.ts";
import { unmountBelow } from "../disks/project-disk.ts";
import { killIfAlive, wipeInstance } from "./wipe-instance.ts";

/** A cluster, one of its hosts, or a network alone: each bears the pid of the process that made it. */
const instancePattern = /tijolo-((?:real|test-[a-z0-9]+)-(\d+)(?:-\d+)?)(?=[/.]|$)/g;

/**
 * To be called before this process makes an instance: one with its own pid is of an earlier process. Several
 * processes may do so at once: what is gone is gone.
 */
export async function removeDead(): Promise<void> {
  // Tables have underscores in the place of dashes.
  const texts = findTraces(null).map(({ kind, what }) =>
    kind === "nftables table" ? what.replaceAll("_", "-") : what,
  );
  const found = texts.flatMap((text) => [...text.matchAll(instancePattern)]);
  const dead = found.flatMap(([, name, pid]) => (name !== undefined && isDead(Number(pid)) ? [name] : []));
  const names = [...new Set(dead)];
  // Agents and centrals first, which would make anew what is taken away.
  for (const { kind, what } of findTraces(names))
    if (kind === "process") killIfAlive(Number.parseInt(what, 10));
  for (const name of names) await wipeInstance(name);
  for (const name of names.filter((each) => /^real-\d+$/.test(each))) {
    const directory = join(tmpdir(), `tijolo-${name}`);
    await unmountBelow(directory);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isDead(pid: number): boolean {
  return pid === process.pid || !existsSync(`/proc/${pid}`);
}
