/** Runs one command under its supervisor, through the run directory and the process table alone. */

import { chmod, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { poll } from "@tijolo/protocol/kit";
import { execDetached, hostEnvironment } from "../../host/exec.ts";
import { logWriterScript, outputDirectories } from "../../logs/writer/log-files.ts";
import { untilFound } from "../directory-watch.ts";
import { findExitFile, isStarted } from "../run-record.ts";
import { StartError, type InstanceExit } from "../runtime.ts";
import {
  familyOf,
  isAlive,
  readProcessTable,
  startOf,
  type ProcessIdentity,
  type ProcessRow,
} from "./process-table.ts";

export interface CommandRequest {
  command: string;
  environment: Readonly<Record<string, string>>;
  /** Working directory of the command. */
  appDirectory: string;
  logDirectory: string;
}

const startDeadlineMs = 20_000;
const killDeadlineMs = 10_000;
/** Milliseconds that the log writer gets to write what it still holds. */
const drainDeadlineMs = 3_000;

/** Starts the command. Resolves once it has been started; throws {@link StartError} otherwise. */
export async function launchCommand(
  run: string,
  { command, environment, appDirectory, logDirectory }: CommandRequest,
): Promise<void> {
  const entries = Object.entries(environment);
  if ([command, ...entries.flat()].some((text) => text.includes("\0")))
    throw new StartError("a NUL in a command or variable");
  await mkdir(run, { recursive: true, mode: 0o700 });
  await chmod(run, 0o700);
  await writeFile(join(run, "command"), command, { mode: 0o600 });
  await writeFile(join(run, "environment"), entries.map(([name, value]) => `${name}=${value}\0`).join(""), {
    mode: 0o600,
  });
  const writer = logWriterScript(outputDirectories(logDirectory));
  const script = join(import.meta.dirname, "supervise.pl");
  const pid = await execDetached(["perl", script, run, appDirectory, String(prctlCall()), ...writer], {
    env: hostEnvironment,
  });
  const state = await untilFound(run, startDeadlineMs, async () => {
    if (await isStarted(run)) return "started";
    if ((await startOf(pid)) !== undefined) return undefined;
    return (await isStarted(run)) ? "started" : "failed";
  });
  if (state === "started") return;
  const log = await readFile(join(run, "launch.log"), "utf8").catch(() => "");
  throw new StartError(
    `the command ${state ?? `did not start within ${startDeadlineMs} ms`}: ${log.trim().slice(-2000)}`,
  );
}

/**
 * Returns how the command ended; undefined while it runs. Leaves no process of it, and waits (not long) for
 * its last lines to be written.
 */
export async function findCommandEnd(run: string, now: () => Date): Promise<InstanceExit | undefined> {
  let exit = await findExitFile(run);
  if (exit === undefined) {
    const processes = await findProcesses(run);
    if (processes === undefined || (await isAlive(processes.supervisor))) return undefined;
    exit = await findExitFile(run);
  }
  await killCommand(run);
  if (exit !== undefined) return { ...exit, isOutOfMemory: false, cause: "exited" };
  return { code: 137, isOutOfMemory: false, at: now(), cause: "killed" };
}

/** Sends SIGTERM to the command's group; resolves when it has ended, or when the time is over. */
export async function terminateCommand(run: string, graceMs: number): Promise<void> {
  const processes = await findProcesses(run);
  if (processes === undefined || !(await isAlive(processes.command))) return;
  send(-processes.command.pid, "SIGTERM");
  await untilFound(run, graceMs, async () => ((await findExitFile(run)) !== undefined ? true : undefined));
}

/**
 * Kills all that is left of the command, the supervisor last, so that it can still write the last lines and
 * the exit file.
 */
export async function killCommand(run: string): Promise<void> {
  const processes = await findProcesses(run);
  if (processes === undefined) return;
  const { supervisor, command } = processes;
  // It has ended its group itself, and the group's number may be another's by now.
  if (!(await isAlive(supervisor)) && (await findExitFile(run)) !== undefined) return;
  const killOthers = async () => {
    const others = (await familyNow(processes)).filter(({ pid }) => pid !== supervisor.pid);
    if (others.some(({ groupId }) => groupId === command.pid)) send(-command.pid, "SIGKILL");
    for (const { pid } of others) send(pid, "SIGKILL");
    return others.length === 0;
  };
  await poll(killOthers, { timeoutMs: killDeadlineMs, everyMs: 5, maxEveryMs: 100 });
  const isDrained = async () => !(await isAlive(supervisor));
  if (!(await poll(isDrained, { timeoutMs: drainDeadlineMs, everyMs: 1, maxEveryMs: 50 })))
    send(supervisor.pid, "SIGKILL");
}

/** Sums the usage of the command's current processes, without its supervisor. */
export async function usageOf(
  run: string,
  table: readonly ProcessRow[],
): Promise<{ memoryBytes: number; cpuUsec: number }> {
  const { supervisor } = (await findProcesses(run)) ?? {};
  const family =
    supervisor === undefined
      ? []
      : familyOf([supervisor.pid], table).filter(({ pid }) => pid !== supervisor.pid);
  const sum = (of: (row: ProcessRow) => number) => family.reduce((total, row) => total + of(row), 0);
  return { memoryBytes: sum((row) => row.memoryBytes), cpuUsec: sum((row) => row.cpuUsec) };
}

/** Removes a run, also one that is half made or was forgotten. */
export async function removeRun(run: string): Promise<void> {
  await rm(run, { recursive: true, force: true });
}

export interface CommandProcesses {
  supervisor: ProcessIdentity;
  command: ProcessIdentity;
}

/** Returns the processes as the supervisor wrote them down; undefined before it did. */
export async function findProcesses(run: string): Promise<CommandProcesses | undefined> {
  const text = await readFile(join(run, "started"), "utf8").catch(() => "");
  const [supervisor, command] = [...text.matchAll(/^(\d+) (.+)$/gm)].map(([, pid, startedAt = ""]) => ({
    pid: Number(pid),
    startedAt,
  }));
  return supervisor === undefined || command === undefined ? undefined : { supervisor, command };
}

/** Returns the run's current processes; a reused pid leads to none of them. */
async function familyNow({ supervisor, command }: CommandProcesses) {
  const [hasSupervisor, commandStart] = await Promise.all([isAlive(supervisor), startOf(command.pid)]);
  const isCommandOurs = hasSupervisor || commandStart === undefined || commandStart === command.startedAt;
  const roots = [...(hasSupervisor ? [supervisor.pid] : []), ...(isCommandOurs ? [command.pid] : [])];
  return familyOf(roots, await readProcessTable());
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone.
  }
}

/** Returns prctl(2)'s number; 0 where there is none, or it is not known. */
function prctlCall(): number {
  if (process.platform !== "linux") return 0;
  return process.arch === "x64" ? 157 : process.arch === "arm64" ? 167 : 0;
}
