/**
 * Reads the machine's processes, as far as a user without special rights may see them: by ps(1), which Linux
 * and macOS have alike.
 */

import { readFile } from "node:fs/promises";
import { exec, ExecError } from "../../host/exec.ts";

export interface ProcessRow {
  pid: number;
  parentPid: number;
  groupId: number;
  memoryBytes: number;
  /** CPU time of the process itself, in microseconds; whole seconds where ps knows no more. */
  cpuUsec: number;
}

/** A pid, and when its process began: a later process with the same pid began at another time. */
export interface ProcessIdentity {
  pid: number;
  startedAt: string;
}

const columns = ["pid", "ppid", "pgid", "rss", "time", "stat"];
/** Environment of ps, which makes it print a time always as the same text. */
const psEnvironment = { PATH: "/usr/bin:/bin:/usr/sbin:/sbin:/usr/local/bin", LC_ALL: "C", TZ: "UTC0" };

/** Returns every process that has not ended. */
export async function readProcessTable(): Promise<ProcessRow[]> {
  const { stdout } = await exec(["ps", "-A", ...columns.flatMap((name) => ["-o", `${name}=`])], {
    env: psEnvironment,
  });
  return stdout.split("\n").flatMap((line) => {
    const [pid = "", parentPid = "", groupId = "", kibibytes = "", time = "", state = "Z"] = line
      .trim()
      .split(/\s+/);
    if (state.startsWith("Z")) return [];
    return [
      {
        pid: Number(pid),
        parentPid: Number(parentPid),
        groupId: Number(groupId),
        memoryBytes: Number(kibibytes) * 1024,
        cpuUsec: parseCpuTime(time),
      },
    ];
  });
}

/**
 * Returns the start of a process; undefined when no running process has the pid. Read from the kernel where
 * that is exact (Linux), otherwise from ps, to the second.
 */
export async function startOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => undefined);
  if (stat !== undefined) {
    const fields = stat.slice(stat.lastIndexOf(") ") + 2).split(" ");
    return fields[0] === "Z" || fields[0] === "X" ? undefined : fields[19];
  }
  if (process.platform === "linux") return undefined;
  return startByPs(pid);
}

/** Returns the start time as `supervise.pl` writes it. */
export async function startByPs(pid: number): Promise<string | undefined> {
  const argv = ["ps", "-o", "stat=", "-o", "lstart=", "-p", String(pid)];
  const { stdout } = await exec(argv, { env: psEnvironment, okCodes: [0, 1] });
  const [state = "Z", ...start] = stdout.trim().split(/\s+/);
  return state.startsWith("Z") || start.length === 0 ? undefined : start.join("_");
}

export async function isAlive({ pid, startedAt }: ProcessIdentity): Promise<boolean> {
  return (await startOf(pid)) === startedAt;
}

/** Returns the `roots` themselves, all their descendants, and the members of their groups. */
export function familyOf(roots: readonly number[], table: readonly ProcessRow[]): ProcessRow[] {
  const members = new Set(roots);
  for (let size = -1; size !== members.size;) {
    size = members.size;
    for (const { pid, parentPid, groupId } of table)
      if (members.has(parentPid) || roots.includes(groupId)) members.add(pid);
  }
  return table.filter(({ pid }) => members.has(pid));
}

/** Throws, with advice, when a tool is missing. */
export async function assertToolsThere(): Promise<void> {
  for (const argv of [
    ["ps", "-o", "pid=", "-p", String(process.pid)],
    ["perl", "-e", "use POSIX ()"],
  ]) {
    await exec(argv, { env: psEnvironment }).catch((cause: unknown) => {
      if (!(cause instanceof ExecError)) throw cause;
      throw new Error(
        `The process runtime needs ${argv[0]} on this machine (Debian: procps and perl-base; macOS has both).`,
        { cause },
      );
    });
  }
}

/** Parses `[days-][hours:]minutes:seconds[.hundredths]` into microseconds. */
export function parseCpuTime(text: string): number {
  const [, days = "0", clock = "0"] = /^(?:(\d+)-)?([\d:.]+)$/.exec(text) ?? [];
  const seconds = clock.split(":").reduce((sum, part) => sum * 60 + Number(part), 0);
  return Math.round((Number(days) * 86_400 + seconds) * 1_000_000);
}
