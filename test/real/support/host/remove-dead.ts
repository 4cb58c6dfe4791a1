/** Takes off this machine what test processes that were killed have left of their instances. */

import { readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findTraces } from "../../../support/machine/machine-traces.ts";
import { unmountBelow } from "../disks/project-disk.ts";
import { killIfAlive, wipeInstance } from "./wipe-instance.ts";

/** A cluster, one of its hosts, a runtime or a network alone: each bears the pid of the process that made it. */
const instancePattern = /tijolo-((?:real|test-[a-z0-9]+)-(\d+)(?:-\d+)?)(?=[/.]|$)/g;

let removal: Promise<void> | undefined;

/**
 * To be called before this process makes an instance: one with its own pid is of an earlier process, so that
 * only the first call does something. Several processes may do so at once: what is gone is gone.
 */
export function removeDead(): Promise<void> {
  return (removal ??= remove());
}

async function remove(): Promise<void> {
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
  for (const name of names) {
    const directory = join(tmpdir(), `tijolo-${name}`);
    await unmountBelow(directory);
    await rm(directory, { recursive: true, force: true, maxRetries: 5 });
  }
}

function isDead(pid: number): boolean {
  if (pid === process.pid) return true;
  try {
    // A killed process is there, as a zombie, until somebody asks for its end.
    return / Z [^)]*$/.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return true;
  }
}
