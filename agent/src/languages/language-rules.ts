/** What Tijolo knows of each language beside its image: how its projects are installed, and the environment they expect. */

import type { Language, ProjectSettings } from "@tijolo/protocol";
import { dotnet } from "./dotnet.ts";
import { elixir } from "./elixir.ts";
import { go } from "./go.ts";
import type { InstallStep, SourceTree } from "./install-plan.ts";
import { java } from "./java.ts";
import { node } from "./node.ts";
import { php } from "./php.ts";
import { python } from "./python.ts";
import { ruby } from "./ruby.ts";

export interface LanguageRules {
  /** The automatic install. */
  plan(tree: SourceTree, settings: ProjectSettings): InstallStep[];
  /** In Portuguese, for the owner: what the automatic install does not do with the files that are there. */
  notes?(tree: SourceTree): string[];
  /** Files of ours that its containers see; absolute paths. */
  files: readonly { source: string; target: string }[];
  /** Folders before all others of PATH. */
  path: readonly string[];
  /** Defaults of every step; a project's own variables of the same names win. */
  environment: Readonly<Record<string, string>>;
  /** Defaults of the install steps alone. `heapMb`: as for a run, of the install's memory. */
  installEnvironment(heapMb: number): Record<string, string>;
  /** Defaults of a run alone. `heapMb` is the share of the memory limit that is meant for the runtime's heap. */
  runEnvironment(heapMb: number): Record<string, string>;
}

export const languageRules: Record<Exclude<Language, "static">, LanguageRules> = { node, python, java, go, php, ruby, dotnet, elixir };
