/** One line that says why a project is as it is. */

import type { LiveProject } from "@tijolo/protocol/live";
import { ago, clockTime } from "../../formats/formats.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectReasonTexts } from "../../texts/project/project-reason.ts";
import { useNow } from "../use-now.ts";

/** Empty when there is nothing to say. */
export function useProjectReason(live: LiveProject): string {
  const texts = useTexts(projectReasonTexts);
  const now = useNow();
  const { project, isHostAway, hostSeenAt, isRestartRequired } = live;
  const { error, lastExit, startedAt, status, consecutiveCrashes } = project;
  if (isHostAway) return hostSeenAt === null ? texts.awayUnknown : texts.away(clockTime(hostSeenAt));
  if (error !== null && error.message !== "") return error.message;
  if (status === "restarting" && consecutiveCrashes > 0) return texts.crashed(consecutiveCrashes);
  if (startedAt !== null) {
    const since = texts.since(ago(startedAt, now));
    return isRestartRequired ? `${since} · ${texts.waits}` : since;
  }
  if (lastExit === null) return project.description;
  const time = ago(lastExit.exitedAt, now);
  if (lastExit.isOutOfMemory) return texts.outOfMemory(time);
  return status === "stopped" ? texts.stopped(time) : texts.exited(lastExit.code, time);
}
