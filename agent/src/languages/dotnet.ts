/**
 * Defines the rules of .NET projects: published on each upload; `entry` is the project to publish or a ready
 * `.dll` (spec: "Language behaviour").
 */

import { join, posix } from "node:path";
import { dotnetProgram, isBuilt, shellWord, type ProjectSettings } from "@tijolo/protocol";
import type { InstallStep, SourceTree, LanguageRules } from "./language-rules.ts";

/**
 * Targets file for a published project. The test machines have no .NET SDK: what is tested here is the
 * command, not what MSBuild makes of it and of this file.
 */
const publishedTargets = "/usr/local/lib/dotnet-published.targets";

export const dotnet: LanguageRules = {
  plan,
  files: [{ source: join(import.meta.dirname, "dotnet-published.targets"), target: publishedTargets }],
  path: [],
  environment: {
    DOTNET_CLI_TELEMETRY_OPTOUT: "1",
    DOTNET_NOLOGO: "1",
    DOTNET_SKIP_FIRST_TIME_EXPERIENCE: "1",
  },
  installEnvironment: (heapMb) => ({
    ...heapLimit(heapMb),
    CustomBeforeMicrosoftCommonTargets: publishedTargets,
  }),
  runEnvironment: heapLimit,
};

function heapLimit(heapMb: number): Record<string, string> {
  return { DOTNET_GCHeapHardLimit: `0x${(heapMb * 1024 * 1024).toString(16)}` };
}

function plan(tree: SourceTree, { entry }: ProjectSettings): InstallStep[] {
  // What the publishing makes is a ready .dll only where the upload has it.
  const isReady = entry !== null && !isBuilt("dotnet", entry) && (entry !== dotnetProgram || tree.has(entry));
  if (isReady) return [];
  const project = entry === dotnetProgram ? null : entry;
  const publish = `dotnet publish ${project === null ? "" : `${shellWord(project)} `}--configuration Release --output out`;
  // A project file or its folder, as MSBuild writes it. MSBuild's properties come from the environment too,
  // there without its own escapes.
  return [
    {
      name: "build",
      command: `TijoloPublishedProject="$(pwd -P)"${below(project)} ${publish}`,
      inputs: null,
    },
  ];
}

/** Returns the part of the path after the project's folder. */
function below(entry: string | null): string {
  const path = posix.normalize(entry ?? ".").replace(/\/$/, "");
  return path === "." ? "" : shellWord(`/${path}`);
}
