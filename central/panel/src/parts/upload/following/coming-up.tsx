/** Follows a project from the upload until it runs: four bricks, its log, and what to do when it does not come up. */

import { lazy, useState } from "react";
import { useRead } from "../../../api/use-read.ts";
import { duration } from "../../../formats/formats.ts";
import { useLiveProject } from "../../../live/live-store.ts";
import { uploadTexts } from "../../../texts/upload.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Failure } from "../../failure.tsx";
import { Lazily } from "../../lazily.tsx";
import type { Project } from "../use-upload.ts";
import styles from "./coming-up.module.css";
import { Ended } from "./ended.tsx";
import { stagesOf } from "./stages.ts";
import { StepBricks } from "./step-bricks.tsx";
import { useSettled } from "./use-settled.ts";
import { useStart, type VariablesToStore } from "./use-start.ts";

const FirstLines = lazy(async () => ({ default: (await import("./first-lines.tsx")).FirstLines }));

interface ComingUpProps {
  /** As the answer of the upload had it. */
  sent: Project;
  /** Milliseconds since 1970 when the upload began. */
  beganAt: number;
  /**
   * Given when what was sent asks for no start: once it is installed it gets these variables, perhaps none, and
   * is started. While a project is being prepared it takes neither.
   */
  variables?: VariablesToStore | null;
  /** Goes back to the form, after a failure. */
  onAgain?: () => void;
}

export function ComingUp({ sent, beganAt, variables = null, onAgain }: ComingUpProps) {
  const texts = useTexts(uploadTexts);
  const { project, isSilent } = useNewest(sent);
  const isSettled = useSettled({ ...project, isSilent });
  const start = useStart(project, variables);
  const willStart = variables !== null && start.error === null;
  const stages = stagesOf(project, { isSilent, isSettled, willStart });
  const seconds = useSecondsUntil(
    project.status === "running" && !isSilent ? project.startedAt : null,
    beganAt,
  );
  const isTrouble = stages.end === "failed" || stages.end === "crashing";
  return (
    <div className={styles.comingUp}>
      <StepBricks stages={stages} />
      <Ended
        project={project}
        stages={stages}
        runningAfter={duration(seconds)}
        onAgain={onAgain}
        onStart={() => void start.run()}
        isStarting={start.isRunning}
      />
      {start.error !== null && (
        <Failure
          error={start.error}
          onRetry={() => void start.run()}
          title={start.isOfVariables ? texts.variablesFailed : texts.startFailed}
        />
      )}
      <section aria-label={texts.logTitle}>
        <h2 className={styles.logTitle}>{isTrouble ? texts.lastLines : texts.logTitle}</h2>
        <Lazily>
          <FirstLines projectId={project.id} label={texts.logTitle} />
        </Lazily>
      </section>
    </div>
  );
}

/** The newest that is known: the live stream is ahead of what was read, and both of the upload's answer. */
function useNewest(sent: Project): { project: Project; isSilent: boolean } {
  const live = useLiveProject(sent.id);
  const { data } = useRead("getProject", { id: sent.id }, { staleMs: 0 });
  const project = [sent, data?.project, live?.project]
    .filter((one) => one !== undefined)
    .reduce((one, other) => (other.updatedAt >= one.updatedAt ? other : one));
  const isSilent = live?.isSilent ?? data?.isStarting === true;
  return { project, isSilent: isSilent && project.status === "running" };
}

/** Whole and tenth seconds from the beginning until this run was first up; null while none is. */
function useSecondsUntil(startedAt: string | null, beganAt: number): number {
  const [up, setUp] = useState<{ startedAt: string; seconds: number } | null>(null);
  if (startedAt !== null && up?.startedAt !== startedAt)
    setUp({ startedAt, seconds: (Date.now() - beganAt) / 1000 });
  return up?.seconds ?? 0;
}
