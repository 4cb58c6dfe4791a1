/**
 * Makes everything that a container finds when it starts: its directories, its mount table, its cgroups, and
 * the supervisor's lists.
 */

import { existsSync } from "node:fs";
import { chown, lstat, mkdir, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, join } from "node:path";
import type { Cgroups } from "../../host/cgroups/cgroup.ts";
import { logWriterScript, outputDirectories } from "../../logs/writer/log-files.ts";
import { makeOpenDirectory, writeOpenFile } from "../../host/files/open-files.ts";
import { systemCallNumber } from "../../host/sandbox/seccomp.ts";
import type { Tools } from "../../host/checks/tools.ts";
import { removeTree } from "../../host/files/trees.ts";
import type { ContainerRequest } from "../runtime.ts";
import { projectPlace, type ContainerPlace } from "./container-place.ts";
import { fifoNames, type FifoPool } from "./fifo-pool.ts";
import { makeMountPoints, type Mount } from "./mount-points.ts";
import { nspawnArgv } from "./nspawn-argv.ts";
import { environmentScript } from "./shell-text.ts";
import { keepStartRoom } from "./start-room.ts";
import { emptyKernelDirectories, visibleKernelFiles } from "./visible-kernel-files.ts";

export interface ContainerFiles {
  dataDirectory: string;
  place: ContainerPlace;
  request: ContainerRequest;
  /** Directory that receives what is written under /app. */
  appUpper: string;
  home: string;
  cgroups: Cgroups;
  tools: Tools;
  fifos: FifoPool;
}

export async function makeContainerFiles(files: ContainerFiles): Promise<void> {
  const { place } = files;
  await mkdir(place.root, { recursive: true });
  const mounts = makeMountPoints(files);
  await allOver([mounts, makeInside(files), makeDisk(files), makeCgroups(files)]);
  await writeFile(join(place.run, "words"), supervisorWords(files, await mounts));
}

const mebibyte = 2 ** 20;
/**
 * Memory of the supervisor's group: its own memory, 3 MB at most, and the page cache of all the log that is
 * kept (40 MB): with less, the kernel would write a flood of lines to the disk before they are deleted again.
 * It is a limit of its own, because a program that uses up the container's memory must not kill what records
 * its end.
 */
const shimMemoryBytes = 64 * mebibyte;

/**
 * Makes the groups. The log writer works for the program: both share the processor and the disk. Memory and
 * processes are the container's alone. Its ceilings of disks are set for it as well, since those of cgroup v1
 * do not hold for groups below. The weight is set on the project's group, because the kernel weighs a group
 * against its siblings: a project against the others.
 */
async function makeCgroups({ place, request, cgroups }: ContainerFiles): Promise<void> {
  const { memoryMb, cpuPercent, cpuWeight, pids, io = null } = request.limits;
  await cgroups.create(place.projectId, { cpuWeight });
  await cgroups.create(place.whole, { cpuPercent, io });
  await Promise.all([
    cgroups.create(place.shimGroup, { memoryBytes: shimMemoryBytes }),
    cgroups.create(place.group, { memoryBytes: memoryMb * mebibyte, pids, io }),
  ]);
}

/** Makes the fifos; they are not pipes, because a program must be able to open its own /dev/stdout again. */
async function makeInside({ place, request, fifos }: ContainerFiles): Promise<void> {
  const { inside } = place;
  await fifos.take(inside);
  const environment = environmentScript({ HOME: "/home/project", ...request.environment }, request.command);
  await writeFile(join(inside, "environment"), environment, { mode: 0o400 });
  const made = ["environment", ...fifoNames].map((name) => join(inside, name));
  await Promise.all([inside, ...made].map((path) => own(path, request.uidBase)));
}

async function makeDisk({ dataDirectory, place, request, appUpper, home }: ContainerFiles): Promise<void> {
  const { uidBase } = request;
  const upper = join(place.scratch, "upper");
  // Of a start that an agent did not live to finish. Asked first: a removal starts two programs.
  if (existsSync(place.scratch)) await removeTree(place.scratch);
  await makeOpenDirectory(join(upper, "etc"));
  await allOver([
    keepStartRoom(projectPlace(dataDirectory, place.projectId).disk),
    makeOpenDirectory(join(upper, "app")),
    makeOpenDirectory(join(upper, "home", "project")),
    mkdir(join(place.scratch, "work")),
    ownDirectory(appUpper, uidBase),
    ownDirectory(home, uidBase),
    mkdir(`${appUpper}-work`, { recursive: true }),
    writeOpenFile(
      join(upper, "etc", "hosts"),
      `127.0.0.1 localhost\n::1 localhost\n127.0.1.1 ${request.hostname}\n`,
    ),
    writeOpenFile(join(upper, "etc", "hostname"), `${request.hostname}\n`),
    writeOpenFile(join(upper, "etc", "resolv.conf"), request.resolvConf),
  ]);
  const made = ["", "etc", "app", "home", "home/project", "etc/hosts", "etc/hostname", "etc/resolv.conf"];
  await Promise.all(made.map((path) => own(join(upper, path), uidBase)));
}

/** Returns the supervisor's instructions (see supervise.pl). */
function supervisorWords(
  { dataDirectory, place, request, cgroups, tools, home }: ContainerFiles,
  mounts: readonly Mount[],
): string {
  const { root, inside } = place;
  const { directory: projectDirectory } = projectPlace(dataDirectory, request.projectId);
  const { uidBase, hostname, networkNamespace, bindReadOnly } = request;
  const payload = cgroups.payloadLimits(place.group, request.limits.memoryMb * mebibyte);
  const calls = (["mount", "unshare", "setns", "umount2"] as const).map((name) =>
    String(systemCallNumber(name, process.arch)),
  );
  const lists: Record<string, readonly string[]> = {
    SYSTEM_CALLS: calls,
    DISKS: [dirname(projectDirectory), projectDirectory],
    SHIM_CGROUPS: cgroups.joinFiles(place.shimGroup),
    RUN_CGROUPS: cgroups.joinFiles(place.group),
    KILL_FILE: [cgroups.killFile(place.group)],
    PAYLOAD_LIMITS: payload.map(({ file, value }) => `${value} ${file}`),
    WRITER: logWriterScript(outputDirectories(request.logDirectory, request.logSet)).slice(1),
    MOUNTS: mounts.flatMap(({ type, source, target, options }) => [type, source, target, options]),
    VISIBLE: visibleKernelFiles,
    EMPTY: emptyKernelDirectories,
    NETWORK_NAMESPACE: [
      isAbsolute(networkNamespace) ? networkNamespace : join("/run/netns", networkNamespace),
    ],
    NSPAWN: nspawnArgv({ root, inside, home, uidBase, hostname, bindReadOnly, tools }),
  };
  return Object.entries(lists)
    .map(([name, words]) => lines(name, words))
    .join("");
}

/**
 * Waits until all of it is over, and fails if one has failed: what is still being made would come to be beside
 * its removal, and in the way of the next try.
 */
async function allOver(tasks: readonly Promise<unknown>[]): Promise<void> {
  await Promise.allSettled(tasks);
  await Promise.all(tasks);
}

/** Returns a line for each word. */
function lines(name: string, words: readonly string[]): string {
  const wrong = words.find((word) => word === "" || word.includes("\n"));
  if (wrong !== undefined) throw new Error(`not a word of a list: ${JSON.stringify(wrong)}`);
  return words.map((word) => `${name} ${word}\n`).join("");
}

async function ownDirectory(path: string, uid: number): Promise<void> {
  await makeOpenDirectory(path);
  if ((await lstat(path)).uid !== uid) await own(path, uid);
}

async function own(path: string, uid: number): Promise<void> {
  await chown(path, uid, uid);
}
