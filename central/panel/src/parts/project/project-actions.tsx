/** Start, stop and restart of a project: acts at once on the screen, and takes it back when it is refused. */

import type { LiveProject } from "@tijolo/protocol/live";
import { useState } from "react";
import { PlayIcon, RestartIcon, StopIcon } from "../../design/icons/icons.tsx";
import { useLive } from "../../live/live-store.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { Button } from "../../ui/actions/button.tsx";
import { IconButton } from "../../ui/actions/icon-button.tsx";
import { usePendingAction } from "./pending-actions.ts";
import { isDown, reasonsOf, type Run } from "./project-reasons.ts";
import { runProject } from "./run-project.ts";

export { runProject, type Run };

export const runIcons = { start: PlayIcon, stop: StopIcon, restart: RestartIcon };

/** What may be done with a project now: of each action null, or the sentence that says why it cannot act. */
export function useReasons(live: LiveProject): Record<Run, string | null> {
  const { why } = useTexts(projectTexts);
  const pending = usePendingAction(live.project.id);
  const isSuspended = useLive(({ account }) => (account?.suspendedAt ?? null) !== null);
  const isKept = useLive((state) => state.isKept);
  const { start, stop, restart } = reasonsOf(live, { pending, isSuspended, isKept });
  return {
    start: start && why[start],
    stop: stop && why[stop],
    restart: restart && why[restart],
  };
}

interface ProjectActionsProps {
  live: LiveProject;
  /** Icons alone, for a row of a list. */
  isSmall?: boolean;
  /** Receives what was refused, and null at the next try: it is shown beside the buttons. */
  onRefused: (error: Error | null) => void;
}

export function ProjectActions({ live, isSmall = false, onRefused }: ProjectActionsProps) {
  const texts = useTexts(projectTexts);
  const reasons = useReasons(live);
  const [running, setRunning] = useState<Run | null>(null);
  // Each keeps its place while its meaning changes, so that the focus stays where it was.
  const shown: Record<string, Run> = { up: isDown(live) ? "start" : "restart", down: "stop" };
  const press = async (run: Run) => {
    setRunning(run);
    onRefused(null);
    onRefused(await runProject(live.project.id, run));
    setRunning(null);
  };
  return (
    <>
      {Object.entries(shown).map(([place, run]) => {
        const Icon = runIcons[run];
        const why = reasons[run] ?? undefined;
        const common = { why, isBusy: running === run, onClick: () => void press(run) };
        return isSmall ? (
          <IconButton key={place} label={`${texts[run]}: ${live.project.name}`} icon={Icon} {...common} />
        ) : (
          <Button key={place} icon={<Icon />} {...common} variant={run === "start" ? "primary" : "plain"}>
            {texts[run]}
          </Button>
        );
      })}
    </>
  );
}
