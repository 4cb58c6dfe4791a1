/** Says which of the four steps a project has reached on its way up. */

import type { Project } from "../use-upload.ts";

export const stageNames = ["send", "install", "start", "run"] as const;
export type StageName = (typeof stageNames)[number];
export type StageState = "done" | "now" | "next" | "failed";

export interface Stages {
  states: Record<StageName, StageState>;
  /**
   * Null while it is on its way. `off`: installed, and nobody asked for a start. `crashing`: it falls and comes
   * back by itself. `silent`: it runs, and has not listened on its port although it had the time.
   */
  end: "running" | "off" | "failed" | "crashing" | "silent" | null;
  failedAt: "install" | "start" | null;
}

export interface StageSigns {
  /** A site that runs and does not listen on its port yet. */
  isSilent: boolean;
  /** True once it has been as it is for long enough to be believed. */
  isSettled: boolean;
  /** True when the page starts what is installed. */
  willStart: boolean;
}

type Told = Pick<Project, "status" | "error" | "consecutiveCrashes">;

export function stagesOf(project: Told, signs: StageSigns): Stages {
  const on = (stage: StageName, end: Stages["end"] = null) =>
    ({ states: upTo(stage, "now"), end, failedAt: null }) as const;
  const hasCrashed = project.consecutiveCrashes > 0;
  switch (project.status) {
    case "creating":
    case "installing":
      return on("install");
    case "restarting":
      return on("start", hasCrashed ? "crashing" : null);
    case "running":
      // A site is on the air once it answers, and a program that fell before once it has stayed up for a while.
      if (signs.isSilent) return on("run", signs.isSettled ? "silent" : null);
      if (!signs.isSettled) return on("run", hasCrashed ? "crashing" : null);
      return { states: upTo("run", "done"), end: "running", failedAt: null };
    case "stopped":
      if (signs.willStart) return on("start");
      return { states: upTo("install", "done"), end: "off", failedAt: null };
    case "error":
    case "crash_loop": {
      const failedAt = installErrors.has(project.error?.code ?? "") ? "install" : "start";
      return { states: upTo(failedAt, "failed"), end: "failed", failedAt };
    }
  }
}

/** `installErrorCodes` of the protocol. */
const installErrors: ReadonlySet<string> = new Set([
  "install_failed",
  "install_timeout",
  "install_out_of_memory",
  "install_interrupted",
  "system_packages_failed",
]);

function upTo(stage: StageName, state: StageState): Record<StageName, StageState> {
  const at = stageNames.indexOf(stage);
  const states = stageNames.map((name, index) => [name, index < at ? "done" : index === at ? state : "next"]);
  return Object.fromEntries(states) as Record<StageName, StageState>;
}
