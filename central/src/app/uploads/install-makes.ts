/**
 * Decides whether the install of a project could make a file that its archive does not have. When in doubt it
 * could: an upload is only refused when it is certain to fail.
 */

import { dotnetProgram, type Language, type ProjectSettings } from "@tijolo/protocol";
import { z } from "zod";
import type { ArchiveTree } from "../../archive/check-archive.ts";

/** True when something that runs at the install may write this path. */
export function mayBeMade(
  { language, installCommand }: Pick<ProjectSettings, "language" | "installCommand">,
  path: string,
  tree: ArchiveTree,
): boolean {
  if (installCommand !== null) return installCommand.trim() !== "";
  return makers[language](tree, path.replace(/^(\.?\/)+/, ""), path);
}

type Maker = (tree: ArchiveTree, path: string, given: string) => boolean;

const never: Maker = () => false;

/** Tells for each language what its automatic install may write (`agent/src/languages`). */
const makers: Record<Language, Maker> = {
  node: nodeMakes,
  static: nodeMakes, // with a package.json it may be built
  python: pythonMakes,
  java: never,
  go: never, // what is compiled is in the archive
  php: phpMakes,
  ruby: rubyMakes,
  dotnet: (_tree, _path, given) => given === dotnetProgram,
  elixir: ({ files }) => files.has("mix.exs"),
};

/** Scripts that package managers run by themselves, and the build. */
const installScripts = [
  "preinstall",
  "install",
  "postinstall",
  "prepublish",
  "preprepare",
  "prepare",
  "postprepare",
  "dependencies",
  "pnpm:devPreinstall",
  "build",
];
const packageJson = z.looseObject({ scripts: z.record(z.string(), z.unknown()).default({}) });
/** Packages of the upload itself, whose own scripts run. */
const ownPackages = /"(file|link|portal|patch|workspace):|"workspaces"|"patchedDependencies"/;
/** Files by which an install runs more than package.json says. */
const nodeHooks = ["binding.gyp", "pnpm-workspace.yaml", ".pnpmfile.cjs", ".yarnrc.yml"];

function nodeMakes({ files, texts }: ArchiveTree, path: string): boolean {
  const text = texts.get("package.json");
  if (text === undefined) return false;
  if (text === null || path.startsWith("node_modules/")) return true;
  if (ownPackages.test(text) || nodeHooks.some((name) => files.has(name))) return true;
  const { data } = packageJson.safeParse(parseJson(text));
  return data === undefined || installScripts.some((name) => name in data.scripts);
}

function pythonMakes({ files, texts }: ArchiveTree, path: string): boolean {
  const requirements = texts.get("requirements.txt");
  const isProject = files.has("pyproject.toml");
  if (requirements === undefined && !isProject) return false;
  if (path.startsWith(".venv/")) return true;
  // pip runs the setup of a project of the upload; uv and poetry install what it depends on.
  if (isProject && !files.has("uv.lock") && !files.has("poetry.lock")) return true;
  if (requirements === undefined) return false;
  const isLocal = (line: string) => /^(-|\.|\/|file:)|@\s*file:/.test(line.trim());
  return requirements === null || requirements.split(/[\r\n]/).some(isLocal);
}

function phpMakes({ texts }: ArchiveTree, path: string): boolean {
  const text = texts.get("composer.json");
  if (text === undefined) return false;
  if (text === null || path.startsWith("vendor/")) return true;
  return /"(scripts|allow-plugins|vendor-dir|bin-dir)"/.test(text);
}

function rubyMakes({ texts }: ArchiveTree, path: string): boolean {
  const text = texts.get("Gemfile");
  if (text === undefined) return false;
  if (text === null || path.startsWith("vendor/")) return true;
  return /\b(path|gemspec|eval_gemfile|require_relative|File|FileUtils|IO|system|exec)\b|`/.test(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
