/**
 * Computes the status of a project from what central wants and what an agent observed (spec: "States and
 * transitions"), and the actions that it accepts. Nobody sets a status: {@link statusOf} is its only source.
 * Browsers load this file, so it imports no schema.
 */

import type { ErrorCode } from "../contract/errors.ts";
import type { ObservedState } from "./observed-state.ts";
import type { OwnerMessage } from "./owner-message.ts";
import type { ProjectSettings } from "./project-settings.ts";
import { installErrorCodes } from "./project-status.ts";
import type { InstallErrorCode, ProjectErrorCode, ProjectStatus } from "./project-status.ts";

/** The desired state of a run. Commands are not calls: they are changes of these fields. */
export interface DesiredRun {
  run: "on" | "off";
  /**
   * Count that grows with each start and restart that a person asks for; a higher number than the observed
   * one requests a new run.
   */
  restartCount: number;
  /** The upload that should be installed. */
  versionNumber: number;
}

export function statusOf(desired: DesiredRun, observed: ObservedState | null): ProjectStatus {
  if (observed === null || observed.versionNumber < desired.versionNumber) return "creating";
  const isUnheard = isStartUnheard(desired, observed);
  switch (observed.phase) {
    case "extracting":
      return "creating";
    case "installing":
      return "installing";
    case "ready":
      // A stop that overtook a start is done when the host has heard of both: until then it may have begun
      // the start. So with what had failed.
      return isUnheard ? "restarting" : "stopped";
    case "starting":
    case "waiting":
      return "restarting";
    case "running":
      return isUnheard && desired.run === "on" ? "restarting" : "running";
    case "stopping":
      return desired.run === "on" ? "restarting" : "running";
    case "failed":
      if (isUnheard && !isInstallError(observed.errorCode)) return "restarting";
      return observed.errorCode === "crash_loop" ? "crash_loop" : "error";
  }
}

/**
 * True when a person asked for a start or a restart that the host has not received yet, also when a stop came
 * after it.
 */
export function isStartUnheard(desired: DesiredRun, observed: ObservedState): boolean {
  return desired.restartCount > observed.restartCount;
}

/**
 * True while the project's host brings it back by itself after a crash, now or after a pause, and no person
 * has asked for a start since.
 */
export function isComingBack(desired: DesiredRun, observed: ObservedState | null): boolean {
  if (observed === null || desired.run === "off" || isStartUnheard(desired, observed)) return false;
  return observed.phase === "waiting" && observed.consecutiveCrashes > 0;
}

/**
 * True when a run may be up, or is about to be, as far as central knows. The host knows without delay:
 * visitors of a site are sent there, and it decides.
 */
export function mayHaveRun(desired: DesiredRun, observed: ObservedState | null): boolean {
  if (observed === null) return false;
  if (observed.servingVersion !== null) return true;
  switch (statusOf(desired, observed)) {
    case "running":
    case "restarting":
      return true;
    case "creating":
    case "installing":
      return desired.run === "on";
    case "stopped":
    case "error":
    case "crash_loop":
      return false;
  }
}

/**
 * Milliseconds of a run in which a site that does not listen on its port yet is starting, and not at fault.
 */
export const startingMs = 60_000;

type RunningSite = DesiredRun & {
  observed: ObservedState | null;
  settings: Pick<ProjectSettings, "port" | "language">;
};

/**
 * True in the first minute of a site's run while it does not listen on its port yet: its program runs, and
 * its visitors are told that it is starting.
 */
export function isSiteStarting(project: RunningSite, nowMs: number): boolean {
  const startedAt = project.observed?.startedAt ?? null;
  return isSiteSilent(project) && startedAt !== null && nowMs - Date.parse(startedAt) < startingMs;
}

/** True while a site's program runs and has not listened on its port since it was started, however long. */
export function isSiteSilent(project: RunningSite): boolean {
  const { observed, settings } = project;
  if (settings.port === null || settings.language === "static") return false;
  if (observed === null || observed.startedAt === null || observed.hasComeUp) return false;
  return statusOf(project, observed) === "running";
}

/** An action that a host may have under way for a person: `start` is a restart's, too. */
export type Action = "stop" | "start";

/**
 * Returns the action that was accepted and is not carried out yet, null when there is none. A stop lasts
 * until the run has ended, also that of an earlier version which serves in the place of one that failed; a
 * start or a restart until the run is up, has failed, or waits after a crash. What an agent does by itself is
 * no action, and neither is the preparation of code, which the status shows.
 */
export function actionInProgress(desired: DesiredRun, observed: ObservedState | null): Action | null {
  if (observed === null || isPreparing({ status: statusOf(desired, observed) })) return null;
  const { phase, restartCount, errorCode, servingVersion } = observed;
  // A failed version leaves nothing to stop, but an earlier version may serve in its place.
  if (phase === "failed" && servingVersion !== null && desired.run === "off") return "stop";
  // Of this nothing is begun before new code comes.
  if (phase === "failed" && isInstallError(errorCode)) return null;
  const isBehind = desired.restartCount > restartCount;
  if (desired.run === "off") return isBehind || (phase !== "ready" && phase !== "failed") ? "stop" : null;
  return isBehind || phase === "starting" || phase === "stopping" ? "start" : null;
}

export function isInstallError(code: ProjectErrorCode | null): code is InstallErrorCode {
  return (installErrorCodes as readonly (string | null)[]).includes(code);
}

/** The fields of a project that `projectCan` needs. */
export interface ActionableProject {
  status: ProjectStatus;
  error: { code: ProjectErrorCode } | null;
  /**
   * Action as {@link actionInProgress} returns it. A client, which cannot know it, passes null, and may still
   * be refused.
   */
  action: Action | null;
}

/**
 * Decides whether a project accepts an action now: null, or the error that it answers. Central decides by it;
 * panel and CLI draw their buttons by it. A stop pre-empts everything but the preparation of code; a start of
 * what is coming up already changes nothing, unless it comes back from a crash ({@link isComingBack}).
 */
export const projectCan = {
  start(project: ActionableProject): ErrorCode | null {
    if (isPreparing(project) || project.action === "stop") return "project_busy";
    return project.status === "error" && isInstallError(project.error?.code ?? null)
      ? "install_pending"
      : null;
  },
  restart(project: ActionableProject): ErrorCode | null {
    return isBusy(project) ? "project_busy" : projectCan.start(project);
  },
  stop(project: ActionableProject): ErrorCode | null {
    return isPreparing(project) ? "project_busy" : null;
  },
  receiveCode(project: ActionableProject): ErrorCode | null {
    return isBusy(project) ? "project_busy" : null;
  },
  changeSettings(project: ActionableProject): ErrorCode | null {
    return isBusy(project) ? "project_busy" : null;
  },
};

/** The names of `projectCan`. */
export type ProjectAction = keyof typeof projectCan;

/** Of each action null when the project accepts it now, or the error that it would answer. */
export type Actionable = Readonly<Record<ProjectAction, ErrorCode | null>>;

/**
 * Returns what {@link projectCan} decides of every action at once. Without `action`, which the live stream
 * tells beside a project, the answer is as far as the project itself shows it.
 */
export function actionableOf(
  project: Pick<ActionableProject, "status" | "error">,
  action: Action | null = null,
): Actionable {
  const actionable = { status: project.status, error: project.error, action };
  return {
    start: projectCan.start(actionable),
    restart: projectCan.restart(actionable),
    stop: projectCan.stop(actionable),
    receiveCode: projectCan.receiveCode(actionable),
    changeSettings: projectCan.changeSettings(actionable),
  };
}

function isBusy(project: ActionableProject): boolean {
  return isPreparing(project) || project.action !== null;
}

function isPreparing({ status }: Pick<ActionableProject, "status">): boolean {
  return status === "creating" || status === "installing";
}

/**
 * True when the reason is a fault of the service: nothing of the project is to be checked, and what was asked
 * for is still wanted, as the agent tries it again by itself.
 */
export function isServiceFault(errorDetails: readonly OwnerMessage[]): boolean {
  return errorDetails.some(({ code }) => code === "disk_damaged");
}
