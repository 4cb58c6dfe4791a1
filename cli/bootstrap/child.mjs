/**
 * Runs one command of the preparation to its end, keeping the last lines of its output; ends it when this
 * process must end.
 */

import { spawn } from "node:child_process";

const keptLines = 40;
const endingSignals = ["SIGINT", "SIGTERM", "SIGHUP"];

/** Thrown when a command failed; `tail` holds the last lines it wrote. */
export class CommandError extends Error {
  constructor(argv, reason, tail) {
    super(`${argv.slice(0, 3).join(" ")} ${reason}`);
    this.name = "CommandError";
    this.tail = tail;
  }
}

/**
 * @param {readonly string[]} argv
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, timeoutMs: number, onLine?: (line: string) => void }}
 * options
 * @returns {Promise<string>} the last lines of its output
 */
export function run(argv, { cwd, env, timeoutMs, onLine }) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
    const lines = [];
    const keep = (line) => {
      if (line.trim() === "") return;
      lines.push(line);
      if (lines.length > keptLines) lines.shift();
      onLine?.(line);
    };
    const dieTogether = (signal) => {
      child.kill("SIGTERM");
      release();
      process.kill(process.pid, signal);
    };
    const release = () => {
      clearTimeout(timer);
      for (const signal of endingSignals) process.off(signal, dieTogether);
    };
    for (const signal of endingSignals) process.on(signal, dieTogether);
    const flushes = [splitLines(child.stdout, keep), splitLines(child.stderr, keep)];
    let hasTimedOut = false;
    const timer = setTimeout(() => {
      hasTimedOut = true;
      child.kill("SIGKILL");
    }, timeoutMs);
    child.once("error", (cause) => {
      release();
      reject(new CommandError(argv, `could not be started: ${cause.message}`, lines));
    });
    child.once("close", (code, signal) => {
      release();
      for (const flush of flushes) flush();
      if (code === 0) resolve(lines.join("\n"));
      else if (hasTimedOut) reject(new CommandError(argv, `took longer than ${timeoutMs / 1000} s`, lines));
      else
        reject(
          new CommandError(
            argv,
            signal === null ? `ended with code ${code}` : `was killed by ${signal}`,
            lines,
          ),
        );
    });
  });
}

function splitLines(stream, onLine) {
  let partial = "";
  stream.setEncoding("utf8");
  stream.on("data", (chunk) => {
    const lines = (partial + chunk).split(/\r?\n|\r/);
    partial = lines.pop() ?? "";
    for (const line of lines) onLine(line);
  });
  return () => onLine(partial);
}
