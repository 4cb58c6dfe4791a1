/** Builds the panel of this checkout for tests: once, whichever test asks first. */

import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { panelBuild } from "../../../central/panel/build.ts";

const execute = promisify(execFile);
const checkout = join(import.meta.dirname, "../../..");
/** Milliseconds; a build takes seconds, and may wait for another one. */
const timeoutMs = 5 * 60_000;

/** Resolves with the directory of the build. */
export async function builtPanel(root = checkout): Promise<string> {
  const build = panelBuild(root);
  if (build === null) throw new Error("the panel cannot be built here");
  if (!build.isBuilt()) await buildPanel(root);
  return build.directory;
}

/** Runs the program that builds, in a process of its own; resolves with what it printed. */
export async function buildPanel(root: string, options: readonly string[] = []): Promise<string> {
  const program = join(checkout, "central/panel/build.ts");
  const { stdout } = await execute(process.execPath, [program, "--root", root, ...options], {
    timeout: timeoutMs,
  });
  return stdout;
}
