/** The state of a project as a brick with its word. */

import type { LiveProject } from "@tijolo/protocol/live";
import { useLive } from "../../live/live-store.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { StatusBrick } from "../../ui/marks/status-brick.tsx";
import { useNow } from "../use-now.ts";
import { usePendingAction } from "./pending-actions.ts";
import { statusNow } from "./status-words.ts";

type StatusOf = Pick<LiveProject, "project" | "action" | "isHostAway" | "isSilent">;

export function ProjectStatus({ live }: { live: StatusOf }) {
  const texts = useTexts(projectTexts);
  const pending = usePendingAction(live.project.id);
  const isOld = useLive(({ connection }) => connection !== "live") || live.isHostAway;
  return <StatusBrick {...statusNow(live, pending, { texts, now: useNow() })} isStale={isOld} />;
}
