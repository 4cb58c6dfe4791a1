/**
 * Starts processes, and is the only place that does: argv arrays, never a shell string; bounded output, a
 * deadline, a signal.
 */

import { spawn, type ChildProcess, type ChildProcessWithoutNullStreams } from "node:child_process";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { collectOutput } from "./collect-output.ts";

export interface ExecOptions {
  /** Whole environment of the child; default a fixed minimal one (the agent's own variables never leak). */
  env?: Record<string, string>;
  cwd?: string;
  /**
   * Input written to the child's stdin, which is then closed. A stream is passed on as it arrives, and its
   * failure is an error. Default: empty.
   */
  input?: string | Uint8Array | Readable;
  /**
   * Milliseconds after which the child and its process group are killed, and no output is waited for any
   * more. Default: 30 s.
   */
  timeoutMs?: number;
  signal?: AbortSignal;
  /**
   * True to kill the child when the agent dies: for long work that must not go on beside the next agent (a
   * copy, a check of a disk). Holds for the child alone, not for what it starts, and only until it changes
   * its user. Starts one more program, which costs about a millisecond. Default: false.
   */
  endsWithAgent?: boolean;
  /** Called with each complete line of stdout and stderr as it comes (progress). */
  onLine?: (line: string) => void;
  /** Exit codes that are not an error. Default [0]. */
  okCodes?: readonly number[];
}

export interface ExecResult {
  code: number;
  /** The last 1 MiB at most. */
  stdout: string;
  /** The last 1 MiB at most. */
  stderr: string;
}

/** Thrown when a command ended with an unexpected code, was killed, or could not be started. */
export class ExecError extends Error {
  override name = "ExecError";
  readonly argv: readonly string[];
  readonly code: number | null;
  readonly stderr: string;

  constructor(
    argv: readonly string[],
    reason: string,
    result: { code: number | null; stderr: string },
    cause?: unknown,
  ) {
    const tail = result.stderr.trim().slice(-2000);
    super(`${argv[0]} ${reason}${tail === "" ? "" : `: ${tail}`}`, { cause });
    this.argv = argv;
    this.code = result.code;
    this.stderr = result.stderr;
  }
}

/** The environment of every host command that is not given another. */
export const hostEnvironment: Record<string, string> = {
  PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
  LANG: "C.UTF-8",
  HOME: "/root",
};

const killGraceMs = 2_000;
/**
 * Command prefix that kills the child when the thread that started it ends; for the agent's main thread, that
 * is the agent's end.
 */
const untilAgentEnds = process.platform === "linux" ? ["setpriv", "--pdeathsig", "KILL", "--"] : [];

/** Runs `argv` to its end. Throws {@link ExecError} unless it ends with one of `okCodes`. */
export async function exec(argv: readonly string[], options: ExecOptions = {}): Promise<ExecResult> {
  if (argv.length === 0) throw new Error("exec: empty argv");
  const [file = "", ...args] = options.endsWithAgent === true ? [...untilAgentEnds, ...argv] : argv;
  options.signal?.throwIfAborted();
  const child = spawn(file, args, {
    env: options.env ?? hostEnvironment,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: ["pipe", "pipe", "pipe"],
    detached: true,
  });
  if (child.pid === undefined) await ended(child, argv); // it has no streams either, where this process had no descriptor left
  const stdout = collectOutput(child.stdout, options.onLine);
  const stderr = collectOutput(child.stderr, options.onLine);
  let reason: string | null = null;
  const stop = (why: string) => {
    reason ??= why;
    void killGroup(child);
  };
  feed(child, options.input ?? "", () => (reason ??= "was given an input that failed"));
  const timeoutMs = options.timeoutMs ?? 30_000;
  const timer = setTimeout(() => stop(`took longer than ${timeoutMs} ms`), timeoutMs);
  const onAbort = () => stop("was aborted");
  options.signal?.addEventListener("abort", onAbort, { once: true });
  try {
    const { code, signal } = await ended(child, argv);
    const result = { code: code ?? -1, stdout: stdout(), stderr: stderr() };
    options.signal?.throwIfAborted();
    if (reason !== null) throw new ExecError(argv, reason, { code, stderr: result.stderr });
    if (signal !== null)
      throw new ExecError(argv, `was killed by ${signal}`, { code, stderr: result.stderr });
    if (!(options.okCodes ?? [0]).includes(result.code)) {
      throw new ExecError(argv, `ended with code ${result.code}`, {
        code,
        stderr: result.stderr || result.stdout,
      });
    }
    return result;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", onAbort);
  }
}

/** Writes the input to the child's stdin and closes it. When a stream fails, the input ends where it is. */
function feed(
  child: ChildProcessWithoutNullStreams,
  input: string | Uint8Array | Readable,
  onFailure: () => void,
): void {
  child.stdin.on("error", () => {}); // a child that does not read its input is judged by its exit code
  if (!(input instanceof Readable)) return void child.stdin.end(input);
  input.once("error", () => {
    onFailure();
    child.stdin.destroy();
  });
  child.once("close", () => input.destroy());
  input.pipe(child.stdin);
}

/**
 * Starts `argv` in a session of its own with no stdin or stdout; it outlives the agent. Resolves with its pid
 * once it runs; its outcome is read from the files it writes, not from the child handle.
 */
export async function execDetached(
  argv: readonly string[],
  options: { env?: Record<string, string>; cwd?: string } = {},
): Promise<number> {
  const [file, ...args] = argv;
  if (file === undefined) throw new Error("execDetached: empty argv");
  const child = spawn(file, args, {
    env: options.env ?? hostEnvironment,
    ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    stdio: "ignore",
    detached: true,
  });
  await started(child, argv);
  child.unref();
  if (child.pid === undefined) throw new ExecError(argv, "has no pid", { code: null, stderr: "" });
  return child.pid;
}

export interface FedProcess {
  isRunning(): boolean;
  feed(text: string): void;
  /** Ends the process's input; how it reacts is up to the process. */
  end(): void;
  /** Sends SIGKILL. */
  kill(): void;
}

export interface FedOptions {
  env?: Record<string, string>;
  /** Called with the text of stderr as it arrives. Default: stderr is discarded. */
  onStderr?: (text: string) => void;
  onEnd?: () => void;
}

/**
 * Starts `argv` in a session of its own with no stdout and an input that lasts as long as this process.
 * Resolves once it runs.
 */
export async function execFed(argv: readonly string[], options: FedOptions = {}): Promise<FedProcess> {
  const [file, ...args] = argv;
  if (file === undefined) throw new Error("execFed: empty argv");
  const { env = hostEnvironment, onStderr, onEnd } = options;
  const child = spawn(file, args, {
    env,
    stdio: ["pipe", "ignore", onStderr === undefined ? "ignore" : "pipe"],
    detached: true,
  });
  await started(child, argv);
  child.stdin?.on("error", () => {}); // a child that does not read its input has ended
  if (onStderr !== undefined) child.stderr?.setEncoding("utf8").on("data", onStderr);
  if (onEnd !== undefined) child.once("exit", onEnd);
  child.unref();
  for (const stream of [child.stdin, child.stderr])
    if (stream !== null && "unref" in stream && typeof stream.unref === "function") stream.unref();
  return {
    isRunning: () => child.exitCode === null && child.signalCode === null,
    feed: (text) => void child.stdin?.write(text),
    end: () => void child.stdin?.end(),
    kill: () => void child.kill("SIGKILL"),
  };
}

/** Resolves once the child runs. Throws {@link ExecError} when it could not be started. */
function started(child: ChildProcess, argv: readonly string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    child.once("spawn", resolve);
    child.once("error", (cause) => reject(notStarted(argv, cause)));
  });
}

function ended(
  child: ChildProcess,
  argv: readonly string[],
): Promise<{ code: number | null; signal: NodeJS.Signals | null }> {
  return new Promise((resolve, reject) => {
    child.once("error", (cause) => reject(notStarted(argv, cause)));
    child.once("close", (code, signal) => resolve({ code, signal }));
  });
}

function notStarted(argv: readonly string[], cause: unknown): ExecError {
  return new ExecError(argv, "could not be started", { code: null, stderr: "" }, cause);
}

async function killGroup(child: ChildProcess): Promise<void> {
  const { pid } = child;
  if (pid === undefined) return;
  let isOver = false;
  child.once("close", () => (isOver = true));
  signalGroup(pid, "SIGTERM");
  await delay(killGraceMs, undefined, { ref: false });
  if (isOver) return;
  signalGroup(pid, "SIGKILL");
  // What has left the group may hold the other ends of these for as long as it likes.
  for (const stream of [child.stdout, child.stderr]) stream?.destroy();
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone.
  }
}
