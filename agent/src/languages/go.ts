/**
 * Defines the rules of Go projects: compiled on each upload; `entry` is the main whose folder is compiled
 * (spec: "Language behaviour").
 */

import { posix } from "node:path";
import { goProgram, shellWord, type ProjectSettings } from "@tijolo/protocol";
import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

export const go: LanguageRules = {
  plan,
  files: [],
  path: [],
  // Modules and compiled packages stay in HOME, so that the next upload compiles what has changed.
  // The image has the standard library compiled, which go looks for by this GODEBUG alone.
  environment: { GOFLAGS: "-buildvcs=false", GOTOOLCHAIN: "local", GODEBUG: "installgoroot=all" },
  installEnvironment: memoryLimit,
  runEnvironment: memoryLimit,
};

function memoryLimit(heapMb: number): Record<string, string> {
  return { GOMEMLIMIT: `${heapMb}MiB` };
}

function plan(tree: SourceTree, { entry }: ProjectSettings): InstallStep[] {
  const folder = folderOf(entry);
  const home = homeOf(tree, folder);
  // A file or a folder without a module is compiled as one.
  if (home === undefined)
    return [build(`go mod init app && go mod tidy && go build -o ${goProgram} ${shellWord(local(folder))}`)];
  if (home === "") return [build(`go build -o ${goProgram} ${shellWord(local(folder))}`)];
  const program = posix.relative(home, goProgram);
  return [
    build(
      `go build -C ${shellWord(local(home))} -o ${shellWord(program)} ${shellWord(local(posix.relative(home, folder)))}`,
    ),
  ];
}

function build(command: string): InstallStep {
  return { name: "build", command, inputs: null };
}

/** Returns the folder of the file that `entry` names, or the folder itself; "" is the project's own. */
function folderOf(entry: string | null): string {
  const folder = entry?.endsWith(".go") ? posix.dirname(entry) : (entry ?? "");
  return posix.join(folder).replace(/\/$/, "").replace(/^\.$/, "");
}

/** Returns the folder as go expects it: without the dot it would be a package of another module. */
function local(folder: string): string {
  return folder === "" ? "." : `./${folder}`;
}

/**
 * Returns the nearest folder of a module or of a workspace, from `folder` upwards: go looks for both from
 * where it is started.
 */
function homeOf(tree: SourceTree, folder: string): string | undefined {
  if (tree.has(posix.join(folder, "go.mod")) || tree.has(posix.join(folder, "go.work"))) return folder;
  return folder === "" ? undefined : homeOf(tree, posix.dirname(folder).replace(/^\.$/, ""));
}
