/**
 * Runs the steps of a check one after the other, each with its output as it comes; stops at the first that
 * fails.
 */

import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

const root = join(import.meta.dirname, "..");

export interface CheckStep {
  title: string;
  argv: readonly [string, ...string[]];
}

/** Resolves with the exit code. */
export async function runSteps(steps: readonly CheckStep[]): Promise<number> {
  const path = [join(root, "node_modules/.bin"), process.env.PATH ?? ""].join(delimiter);
  for (const { title, argv } of steps) {
    const startedMs = performance.now();
    console.log(`▸ ${title}`);
    const [command, ...args] = argv;
    const child = spawn(command, args, { cwd: root, stdio: "inherit", env: { ...process.env, PATH: path } });
    const [code] = (await once(child, "close")) as [number | null];
    if (code !== 0) return code ?? 1;
    console.log(`▸ ${title}: ${((performance.now() - startedMs) / 1000).toFixed(1)} s`);
  }
  return 0;
}

/** Returns the arguments of the compiler, which checks again only what a change since the last run can touch. */
function typesIncrementally(project: string, memory: string): CheckStep["argv"] {
  return ["tsc", "--noEmit", "-p", project, "--incremental", "--tsBuildInfoFile", join(".tools", memory)];
}

/** The panel's own types: a browser's. Without its sources, as a release is, there is nothing to check. */
function typesOfPanel(): CheckStep[] {
  if (!existsSync(join(root, "central/panel/tsconfig.json"))) return [];
  return [{ title: "types of the panel", argv: typesIncrementally("central/panel", "panel-types.json") }];
}

/** Types, lint, format: what needs no test runner. */
export const checks: readonly CheckStep[] = [
  { title: "types", argv: typesIncrementally(".", "types.json") },
  ...typesOfPanel(),
  { title: "lint", argv: ["oxlint", "--quiet"] },
  { title: "format", argv: ["oxfmt", "--check"] },
];
