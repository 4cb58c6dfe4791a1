/**
 * Finds what Tijolo's programs have left on this machine: in the kernel, in the process table and among the
 * temporary files.
 */

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { instanceNames } from "../../../agent/src/network/instance-names.ts";
import { memoryDirectory } from "./fast-directory.ts";
import { findGroups } from "./find-groups.ts";

export interface Trace {
  kind:
    | "process"
    | "mount"
    | "loop device"
    | "cgroup"
    | "network namespace"
    | "interface"
    | "nftables table"
    | "file";
  what: string;
}

/** Directories kept between test runs on purpose. */
const caches = ["tijolo-test-cache"];

/**
 * Finds the traces of the named instances (an agent's TIJOLO_AGENT_NAME, or a test cluster); null: of any.
 */
export function findTraces(instances: readonly string[] | null): Trace[] {
  const isOurs = isOf(instances);
  const traces = (kind: Trace["kind"], found: readonly string[]) =>
    found.map((what): Trace => ({ kind, what }));
  return [
    ...traces("process", processes(isOurs, instances)),
    ...traces("mount", mountPoints().filter(isOurs)),
    ...traces("loop device", loopFiles().filter(isOurs)),
    ...traces("cgroup", cgroupsOf(instances)),
    ...traces("network namespace", names("/run/netns").filter(isOurs)),
    ...traces("interface", interfaces(instances)),
    ...traces("nftables table", tables(instances)),
    ...traces(
      "file",
      [tmpdir(), memoryDirectory].flatMap(names).filter((name) => isOurs(name) && !caches.includes(name)),
    ),
  ];
}

/** Returns the cgroups of the named instances alone, which tests ask for hundreds of times. */
export function cgroupsOf(instances: readonly string[] | null): string[] {
  return findGroups((name) => name.startsWith("tijolo-")).filter(isOf(instances));
}

/** Returns what tells whether a path or a name is of these instances; null: of any. */
function isOf(instances: readonly string[] | null): (text: string) => boolean {
  return (text) => namesIn(text).some((name) => instances === null || instances.includes(name));
}

/**
 * Returns the names of instances in a path, a cgroup or a namespace: each stands between `tijolo-` and the
 * next `/`, `.` or end.
 */
function namesIn(text: string): string[] {
  return [...text.matchAll(/(?:^|[/=])tijolo-([A-Za-z0-9-]+)(?=[/.]|$)/gm)].flatMap(([, name]) =>
    name === undefined ? [] : [name, name.replace(/-projects$/, "")],
  );
}

function processes(isOurs: (text: string) => boolean, instances: readonly string[] | null): string[] {
  return names("/proc")
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter(
      (pid) =>
        isOurs(readOrEmpty(`/proc/${pid}/cgroup`)) ||
        isProgram(readOrEmpty(`/proc/${pid}/environ`), isOurs, instances),
    )
    .map((pid) => `${pid} ${readOrEmpty(`/proc/${pid}/cmdline`).replaceAll("\0", " ").trim() || "(ended)"}`);
}

/** True for an agent or central, by its settings. */
function isProgram(
  environment: string,
  isOurs: (text: string) => boolean,
  instances: readonly string[] | null,
): boolean {
  const settings = environment.split("\0").filter((line) => line.startsWith("TIJOLO_"));
  if (instances === null) return settings.some((line) => line.startsWith("TIJOLO_DATA_DIRECTORY="));
  return (
    settings.some(isOurs) ||
    settings.some((line) => instances.includes(/^TIJOLO_AGENT_NAME=(.*)$/.exec(line)?.[1] ?? ""))
  );
}

function mountPoints(): string[] {
  return readOrEmpty("/proc/self/mounts")
    .split("\n")
    .map((line) => line.split(" ")[1] ?? "");
}

/** Returns the files that loop devices hold. */
function loopFiles(): string[] {
  return names("/sys/block").map((name) => readOrEmpty(`/sys/block/${name}/loop/backing_file`).trim());
}

/** Returns an instance's interfaces, whose names contain a mark made of the instance's name. */
function interfaces(instances: readonly string[] | null): string[] {
  const wanted = instances?.map(instanceNames);
  return names("/sys/class/net").filter(
    (name) =>
      /^(?:tj[0-9a-z]{13}|tw[0-9a-z]{5})$/.test(name) &&
      (wanted?.some((own) => name.startsWith(own.interfacePrefix) || name === own.meshInterface) ?? true),
  );
}

function tables(instances: readonly string[] | null): string[] {
  const wanted = instances?.map((name) => instanceNames(name).table);
  const found = [
    ...execFileSync("nft", ["list", "tables"], { encoding: "utf8" }).matchAll(/^table inet (tijolo_\w+)$/gm),
  ];
  return found.flatMap(([, table]) =>
    table !== undefined && (wanted?.includes(table) ?? true) ? [table] : [],
  );
}

function names(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    return [];
  }
}

function readOrEmpty(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
