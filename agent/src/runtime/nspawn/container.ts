/**
 * Controls one container from its start to the removal of what it left, through the supervisor's files and
 * the cgroups alone.
 */

import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit";
import type { Cgroups } from "../../host/cgroups/cgroup.ts";
import { exec } from "../../host/exec.ts";
import { makeOpenDirectory } from "../../host/files/open-files.ts";
import { removeTree } from "../../host/files/trees.ts";
import { StartError } from "../runtime.ts";
import { endedName, scratchPrefix, type ContainerPlace, type ProjectPlace } from "./container-place.ts";
import { untilFound } from "../directory-watch.ts";
import { directoryNames, findExitFile, isStarted } from "../run-record.ts";
import type { Supervisors } from "./supervisors.ts";

const startDeadlineMs = 20_000;
/**
 * Milliseconds that the log writer gets to write what it still holds once the container has ended: as long as
 * a disk may stall that recovers in the end.
 */
const drainDeadlineMs = 30_000;

export interface ContainerEnd {
  code: number;
  isOutOfMemory: boolean;
  at: Date;
  cause: "exited" | "killed";
}

/**
 * Starts the supervisor of a prepared run directory. Resolves once the program runs; throws {@link
 * StartError} otherwise.
 */
export async function launchContainer(place: ContainerPlace, supervisors: Supervisors): Promise<void> {
  await makeOpenDirectory("/run/systemd/nspawn");
  await supervisors.start(place.run);
  const state = await untilFound(place.run, startDeadlineMs, async () => {
    if (await isStarted(place.run)) return "started";
    if ((await findExitFile(place.run)) === undefined) return undefined;
    // A short program may have started and ended between the two looks.
    return (await isStarted(place.run)) ? "started" : "failed";
  });
  if (state === "started") return removeEnvironment(place);
  const log = await readFile(join(place.run, "launch.log"), "utf8").catch(() => "");
  const reason = state === undefined ? `did not start within ${startDeadlineMs} ms` : "could not be started";
  throw new StartError(`the container ${reason}: ${log.trim().slice(-2000)}`);
}

/** Removes the environment of a container that was started: it has read it, and nobody else may. */
export async function removeEnvironment(place: ContainerPlace): Promise<void> {
  await rm(join(place.inside, "environment"), { force: true });
}

/**
 * Returns how the container ended; undefined while it runs. Waits, with a deadline, until nothing of it is
 * left and its last log lines are written: the exit file is there as soon as nspawn has ended, whose
 * container may take a moment longer when nspawn itself was killed.
 */
export async function findContainerEnd(
  cgroups: Cgroups,
  place: ContainerPlace,
  now: () => Date,
): Promise<ContainerEnd | undefined> {
  const exit = await findExitFile(place.run);
  if (exit === undefined) {
    if ((await cgroups.isPopulated(place.group)) || (await cgroups.isPopulated(place.shimGroup)))
      return undefined;
    const late = await findExitFile(place.run);
    if (late === undefined)
      return { code: 137, isOutOfMemory: await sawOom(cgroups, place), at: now(), cause: "killed" };
  }
  await killContainer(cgroups, place);
  const told = exit ?? (await findExitFile(place.run));
  if (told === undefined) return undefined;
  return { ...told, isOutOfMemory: await sawOom(cgroups, place), cause: "exited" };
}

/** Sends SIGTERM once; resolves when no process is left in the container or when the time is over. */
export async function terminateContainer(
  cgroups: Cgroups,
  place: ContainerPlace,
  graceMs: number,
): Promise<void> {
  let isTold = false;
  await untilFound(place.run, graceMs, async () => {
    isTold ||= await terminateMain(cgroups, place);
    return (await cgroups.isPopulated(place.group)) ? undefined : true;
  });
}

/** Sends SIGTERM to the container's main process. Returns false when it does not exist (yet). */
async function terminateMain(cgroups: Cgroups, place: ContainerPlace): Promise<boolean> {
  const pid = await findMain(cgroups, place);
  if (pid === undefined) return false;
  try {
    process.kill(pid, "SIGTERM");
  } catch {
    // It is gone.
  }
  return true;
}

/** Returns the first process that the container's init forked, by its pid in the agent's namespace. */
async function findMain(cgroups: Cgroups, place: ContainerPlace): Promise<number | undefined> {
  for (const pid of await cgroups.pids(place.group)) {
    const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
    if (/^NSpid:\s\d+.*\s2$/m.test(status)) return pid;
  }
  return undefined;
}

/**
 * Returns the most files that each process of the container may have open: a program can lower it for itself,
 * not raise it. Null: not known.
 */
export async function readOpenFilesLimit(cgroups: Cgroups, place: ContainerPlace): Promise<number | null> {
  const pid = await findMain(cgroups, place);
  if (pid === undefined) return null;
  const limits = await readFile(`/proc/${pid}/limits`, "utf8").catch(() => "");
  const hard = /^Max open files\s+\S+\s+(\d+)/m.exec(limits)?.[1];
  return hard === undefined ? null : Number(hard);
}

/** Kills all that is left of the container, the supervisor last, so that it can still write the exit file. */
export async function killContainer(cgroups: Cgroups, place: ContainerPlace): Promise<void> {
  await cgroups.kill(place.group);
  await drainWriter(cgroups, place);
}

/** Removes what is left of a container without processes. */
export async function removeContainer(cgroups: Cgroups, place: ContainerPlace): Promise<void> {
  await cgroups.remove(place.shimGroup);
  await cgroups.remove(place.whole);
  await exec(["rm", "-rf", "--one-file-system", "--", place.scratch, place.run], { timeoutMs: 600_000 });
}

/**
 * Removes what containers that are gone have left on the project's disk, which may have been unmounted when
 * they were removed.
 */
export async function removeStrayScratch({ runs, disk }: ProjectPlace): Promise<void> {
  // In this order: a container's run directory is there before its scratch, and goes after it.
  const scratches = (await directoryNames(disk)).filter((name) => name.startsWith(scratchPrefix));
  const known = new Set((await directoryNames(runs)).map((name) => endedName(name) ?? name));
  const strays = scratches.filter((name) => !known.has(name.slice(scratchPrefix.length)));
  await Promise.all(strays.map((name) => removeTree(join(disk, name))));
}

async function drainWriter(cgroups: Cgroups, place: ContainerPlace): Promise<void> {
  const isEmpty = async () => !(await cgroups.isPopulated(place.shimGroup));
  if (!(await poll(isEmpty, { timeoutMs: drainDeadlineMs, everyMs: 1, maxEveryMs: 50 })))
    await cgroups.kill(place.shimGroup);
}

async function sawOom(cgroups: Cgroups, place: ContainerPlace): Promise<boolean> {
  return (await cgroups.usage(place.group)).oomKills > 0;
}
