/**
 * Starts the task's program and passes control to it: terminal and signals are its own, and its end is this
 * process's end.
 */

import { spawn } from "node:child_process";

const forwardedSignals = ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGUSR2"];

/** Resolves with the exit code to end with; ends by the same signal when the program ended by one. */
export function launch(argv, { cwd, env }) {
  return new Promise((resolve, reject) => {
    const child = spawn(argv[0], argv.slice(1), { cwd, env, stdio: "inherit" });
    const forward = (signal) => child.kill(signal);
    for (const signal of forwardedSignals) process.on(signal, forward);
    child.once("error", reject);
    child.once("close", (code, signal) => {
      for (const name of forwardedSignals) process.off(name, forward);
      if (signal !== null) process.kill(process.pid, signal);
      resolve(code ?? 1);
    });
  });
}
