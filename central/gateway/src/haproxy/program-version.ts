/**
 * Tells which HAProxy a start would run. Packages are updated while it serves, and a process goes on with the files
 * that it has opened: with the faults that the update has mended.
 */

import { realpath, stat } from "node:fs/promises";
import { run } from "../exec.ts";

const timeoutMs = 60_000;
/** Environment by which the dynamic loader names a program's libraries in place of running it (ld.so(8)). */
const tracing = { LD_TRACE_LOADED_OBJECTS: "1" };

/**
 * Returns a text that changes with the program's version, and with each file of its libraries, OpenSSL's among them;
 * undefined while it does not run, as in the middle of an update.
 */
export async function programVersion(argv: readonly string[]): Promise<string | undefined> {
  const said = await run([...argv, "-v"], { timeoutMs });
  const traced = await run(argv, { timeoutMs, variables: tracing });
  const [version] = /HAProxy version \S+/.exec(said.output) ?? [];
  if (said.code !== 0 || traced.code !== 0 || version === undefined) return undefined;
  const paths = [...traced.output.matchAll(/(\/\S+) \(0x/g)].map(([, path = ""]) => path);
  try {
    return [version, ...(await Promise.all(paths.toSorted().map(stateOf)))].join("\n");
  } catch {
    return undefined;
  }
}

async function stateOf(path: string): Promise<string> {
  const { size, mtimeMs } = await stat(path);
  return `${await realpath(path)} ${size} ${mtimeMs}`;
}
