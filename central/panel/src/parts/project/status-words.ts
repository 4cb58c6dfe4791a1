/** Which brick and which word stand for a project now. Pure. */

import { startingMs } from "@tijolo/protocol/project";
import type { LiveAction, LiveProject } from "@tijolo/protocol/live";
import type { Texts } from "../../texts/in-both.ts";
import type { projectTexts } from "../../texts/project/project.ts";
import type { BrickShape } from "../../ui/marks/status-brick.tsx";

type Status = LiveProject["project"]["status"];

const statusShapes: Record<Status, BrickShape> = {
  creating: "rising",
  installing: "rising",
  running: "whole",
  stopped: "outline",
  restarting: "turning",
  crash_loop: "split",
  error: "crossed",
};

const actionShapes: Record<LiveAction, BrickShape> = {
  installing: "rising",
  starting: "turning",
  restarting: "turning",
  stopping: "turning",
};

export interface StatusNow {
  shape: BrickShape;
  label: string;
}

/** What is in progress comes before what the status says; `pending` was pressed and is not told of yet. */
export function statusNow(
  { project, action, isSilent }: Pick<LiveProject, "project" | "action" | "isSilent">,
  pending: LiveAction | null,
  { texts, now }: { texts: Texts<(typeof projectTexts)["pt"]>; now: number },
): StatusNow {
  const underWay = pending ?? action;
  if (underWay !== null) return { shape: actionShapes[underWay], label: texts.actions[underWay] };
  const { status, startedAt, port } = project;
  const isYoung = startedAt !== null && now - Date.parse(startedAt) < startingMs;
  if (isSilent && port !== null)
    return isYoung
      ? { shape: "turning", label: texts.notListening(String(port)) }
      : { shape: "split", label: texts.silent(String(port)) };
  return { shape: statusShapes[status], label: texts.statuses[status] };
}
