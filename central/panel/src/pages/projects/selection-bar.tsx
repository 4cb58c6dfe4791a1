/** What can be done with several projects at once. */

import type { LiveProject } from "@tijolo/protocol/live";
import { useState } from "react";
import { runIcons } from "../../parts/project/project-actions.tsx";
import { pendingAction, usePendingCount } from "../../parts/project/pending-actions.ts";
import { runs, takers, type Run } from "../../parts/project/project-reasons.ts";
import { runProject } from "../../parts/project/run-project.ts";
import { useLive } from "../../live/live-store.ts";
import { useTexts } from "../../texts/in-both.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { projectsTexts } from "../../texts/projects.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import styles from "./projects-page.module.css";

interface SelectionBarProps {
  chosen: readonly LiveProject[];
  onAll: () => void;
  onNone: () => void;
}

export function SelectionBar({ chosen, onAll, onNone }: SelectionBarProps) {
  const texts = useTexts(projectsTexts);
  const words = useTexts(projectTexts);
  const [running, setRunning] = useState<Run | null>(null);
  const [asked, setAsked] = useState(0);
  const [refused, setRefused] = useState<readonly Error[]>([]);
  const isSuspended = useLive(({ account }) => (account?.suspendedAt ?? null) !== null);
  const isKept = useLive((state) => state.isKept);
  usePendingCount(); // a mark that comes or goes changes who can take an action
  const takersOf = (run: Run) =>
    takers(chosen, run, ({ project }) => ({ pending: pendingAction(project.id), isSuspended, isKept }));
  const press = async (run: Run) => {
    const taking = takersOf(run);
    setAsked(taking.length);
    setRunning(run);
    setRefused([]);
    const errors: Error[] = [];
    // One after the other: an account's requests have a rate.
    for (const { project } of taking) {
      const error = await runProject(project.id, run);
      if (error !== null) errors.push(error);
    }
    setRefused(errors);
    setRunning(null);
  };
  const [first] = refused;
  return (
    <div className={styles.selection}>
      <span role="status">{texts.selected(chosen.length)}</span>
      {runs.map((run) => {
        const Icon = runIcons[run];
        const count = takersOf(run).length;
        const isOther = running !== null && running !== run;
        const why = isOther ? words.why.project_busy : count === 0 ? texts.noneTakes[run] : undefined;
        return (
          <Button
            key={run}
            size="small"
            icon={<Icon />}
            isBusy={running === run}
            why={running === run ? undefined : why}
            onClick={() => void press(run)}
          >
            {count === chosen.length || count === 0 ? words[run] : texts.onMany(words[run], count)}
          </Button>
        );
      })}
      <Button size="small" variant="quiet" onClick={onAll}>
        {texts.selectAll}
      </Button>
      <Button size="small" variant="quiet" onClick={onNone}>
        {texts.unselect}
      </Button>
      {first !== undefined && (
        <Banner tone="warn" role="status" title={texts.refusedOf(refused.length, asked, first.message)} />
      )}
    </div>
  );
}
