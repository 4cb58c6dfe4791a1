/** One `npm start` at a time for a data directory: a file with its pid, which a dead one leaves behind without harm. */

import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/** Resolves with what gives the place back; null with the pid of the one that runs already. */
export function takePlace(file: string): { place: Disposable } | { pid: number } {
  mkdirSync(dirname(file), { recursive: true, mode: 0o755 });
  const pid = findRunning(file);
  if (pid !== null) return { pid };
  writeFileSync(file, `${process.pid}\n`, { mode: 0o600 });
  return {
    place: {
      [Symbol.dispose]() {
        rmSync(file, { force: true });
      },
    },
  };
}

/** A pid that was given to another program meanwhile does not count. */
function findRunning(file: string): number | null {
  try {
    const pid = Number.parseInt(readFileSync(file, "utf8"), 10);
    if (pid === process.pid) return null;
    return commandOf(pid).includes("start/main.ts") ? pid : null;
  } catch {
    return null;
  }
}

function commandOf(pid: number): string {
  if (process.platform === "linux") return readFileSync(`/proc/${pid}/cmdline`, "utf8");
  return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" });
}
