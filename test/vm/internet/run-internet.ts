/** `pnpm test:vm internet`: a cluster on three booted machines, on a network without a way out. */

import { join } from "node:path";
import { pebblePrograms } from "../../support/certificates/pebble-programs.ts";
import { runInNamespaces } from "../../support/machine/in-namespaces.ts";
import type { RunDirectories } from "../run-directories.ts";
import { findQemu } from "../find-qemu.ts";
import { packLuggage } from "./luggage.ts";
import { machineDisk } from "./machine-disk.ts";

const drill = join(import.meta.dirname, "internet-drill.ts");

export interface InternetRun {
  cacheDirectory: string;
  directories: RunDirectories;
  say: (line: string) => void;
  signal: AbortSignal;
}

/** Resolves with the exit code of the drill. */
export async function runInternet({
  cacheDirectory,
  directories,
  say,
  signal,
}: InternetRun): Promise<number> {
  say("making the machines' disk, a release, and the image of Node, where they are not here");
  const { disk, kernel, initrd } = await machineDisk(cacheDirectory);
  const qemu = await findQemu(cacheDirectory, say);
  await pebblePrograms();
  const luggage = await packLuggage(directories.files);
  say("booting three machines");
  const argv = [process.execPath, drill, directories.files, directories.sockets];
  const machine = [luggage, disk, kernel, initrd, JSON.stringify(qemu)];
  return await runInNamespaces([...argv, ...machine], { ownProcesses: true, onLine: say, signal });
}
