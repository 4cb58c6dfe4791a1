/** Four bricks in a row: what is done, what runs now, and what failed. */

import { uploadTexts } from "../../../texts/upload.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { BrickMark, type BrickShape } from "../../../ui/marks/status-brick.tsx";
import { VisuallyHidden } from "../../../ui/marks/visually-hidden.tsx";
import { stageNames, type Stages, type StageState } from "./stages.ts";
import styles from "./step-bricks.module.css";

const shapes: Record<StageState, BrickShape> = {
  done: "whole",
  now: "rising",
  next: "outline",
  failed: "crossed",
};

export function StepBricks({ stages }: { stages: Pick<Stages, "states"> }) {
  const texts = useTexts(uploadTexts);
  const names = {
    send: texts.stepSend,
    install: texts.stepInstall,
    start: texts.stepStart,
    run: texts.stepRun,
  };
  const states = { done: texts.stepDone, now: texts.stepNow, next: texts.stepNext, failed: texts.stepFailed };
  return (
    <ol className={styles.steps} aria-label={texts.steps}>
      {stageNames.map((stage) => {
        const state = stages.states[stage];
        return (
          <li key={stage} className={styles[state]} {...(state === "now" ? { "aria-current": "step" } : {})}>
            <BrickMark shape={shapes[state]} size={28} />
            <span>{names[stage]}</span>
            <VisuallyHidden>: {states[state]}</VisuallyHidden>
          </li>
        );
      })}
    </ol>
  );
}
