/** Runs one program of the build of a release to its end. */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";

/** Resolves with what it wrote to stdout. Throws with what it wrote when it does not end with code 0. */
export async function runStep(argv: readonly [string, ...string[]], cwd: string): Promise<string> {
  const [file, ...args] = argv;
  const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe"] });
  const ended = once(child, "close") as Promise<[number | null, NodeJS.Signals | null]>;
  const [output, errors, [code, signal]] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  if (code === 0) return output;
  throw new Error(
    `${argv.slice(0, 3).join(" ")} ended with ${signal ?? code}:\n${output}${errors}`.trimEnd(),
  );
}
