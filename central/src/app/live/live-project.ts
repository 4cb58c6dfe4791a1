/** Builds a project as the live stream shows it. */

import { isDeepStrictEqual } from "node:util";
import { isSiteSilent, type LiveAction, type LiveProject, type Plan } from "@tijolo/protocol";
import type { TextLanguage } from "@tijolo/protocol/texts/project";
import type { ProjectRow } from "../../store/tables/projects/project.ts";
import { viewProject } from "../projects/project-view.ts";
import { isReachable } from "../projects/project.ts";
import { isRestartRequired } from "../runs/config-tag.ts";
import { waitingFieldsOf } from "../runs/waiting-fields.ts";
import { liveActionOf } from "./live-action.ts";
import type { LiveContext } from "./live-context.ts";

export interface LiveSurroundings {
  plan: Plan;
  language: TextLanguage;
  hostSeenAt: string | null;
  /** Action that was shown before; null when none was. */
  actionBefore: LiveAction | null;
}

/** While the host is away nothing counts as in progress, as for the actions that a person asks for. */
export function viewLiveProject(
  app: Pick<LiveContext, "clock" | "usage" | "siteUrl" | "hostStates" | "heldBack">,
  row: ProjectRow,
  { plan, language, hostSeenAt, actionBefore }: LiveSurroundings,
): LiveProject {
  const isHostAway = !isReachable(app, row);
  return {
    project: viewProject(app, plan, row, language),
    action: isHostAway ? null : liveActionOf(row, row.observed, actionBefore),
    isSilent: !isHostAway && isSiteSilent(row),
    isRestartRequired: isRestartRequired(row),
    waiting: waitingFieldsOf(row),
    isHostAway,
    hostSeenAt,
  };
}

/** True when both are the same but for what changes all the time: the usage, and when the host was heard. */
export function isSameLiveProject(one: LiveProject, other: LiveProject): boolean {
  return isDeepStrictEqual(lasting(one), lasting(other));
}

function lasting(live: LiveProject): LiveProject {
  return { ...live, hostSeenAt: null, project: { ...live.project, usage: null } };
}
