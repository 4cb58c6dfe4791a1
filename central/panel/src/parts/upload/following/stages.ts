/** Says which of the four steps a project has reached on its way up. */

import type { Project } from "../use-upload.ts";

export const stageNames = ["send", "install", "start", "run"] as const;
export type StageName = (typeof stageNames)[number];
export type StageState = "done" | "now" | "next" | "failed";

export interface Stages {
  states: Record<StageName, StageState>;
  /** Null while it is on its way. `off`: installed, and nobody asked for a start. */
  end: "running" | "off" | "failed" | null;
  failedAt: "install" | "start" | null;
  isWaitingForPort: boolean;
}

export interface StageSigns {
  /** A site that runs and does not listen on its port yet. */
  isStarting: boolean;
  /** True when the page starts what is installed. */
  willStart: boolean;
}

export function stagesOf(project: Pick<Project, "status" | "error">, signs: StageSigns): Stages {
  const on = (stage: StageName) => ({ states: upTo(stage, "now"), end: null, failedAt: null }) as const;
  switch (project.status) {
    case "creating":
    case "installing":
      return { ...on("install"), isWaitingForPort: false };
    case "restarting":
      return { ...on("start"), isWaitingForPort: false };
    case "running":
      // A site is on the air once it answers.
      if (signs.isStarting) return { ...on("run"), isWaitingForPort: true };
      return { states: upTo("run", "done"), end: "running", failedAt: null, isWaitingForPort: false };
    case "stopped":
      if (signs.willStart) return { ...on("start"), isWaitingForPort: false };
      return { states: upTo("install", "done"), end: "off", failedAt: null, isWaitingForPort: false };
    case "error":
    case "crash_loop": {
      const failedAt = installErrors.has(project.error?.code ?? "") ? "install" : "start";
      return { states: upTo(failedAt, "failed"), end: "failed", failedAt, isWaitingForPort: false };
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
