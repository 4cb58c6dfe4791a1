/** The status of a project as a brick. The shape tells the status, the word beside it says it, the colour only helps. */

import type { ReactElement } from "react";
import { classNames } from "../class-names.ts";
import styles from "./status-brick.module.css";

/**
 * `whole`: on the air. `outline`: stopped. `rising`: sending or installing. `turning`: starting again.
 * `split`: crashing in a loop. `crossed`: failed.
 */
export type BrickShape = "whole" | "outline" | "rising" | "turning" | "split" | "crossed";

export interface StatusBrickProps {
  shape: BrickShape;
  /** The word of the status. */
  label: string;
  /** True when the status may be old: the word gets a dotted line. */
  isStale?: boolean | undefined;
}

export function StatusBrick({ shape, label, isStale = false }: StatusBrickProps) {
  return (
    <span className={classNames(styles.status, styles[shape])}>
      <BrickMark shape={shape} />
      <span className={classNames(isStale && styles.stale)}>{label}</span>
    </span>
  );
}

/** The brick alone, for a place where the word already stands. */
export function BrickMark({ shape, size = 16 }: { shape: BrickShape; size?: number }) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 16 16"
      fill="currentColor"
      stroke="none"
      aria-hidden="true"
      className={classNames(styles.mark, shape === "turning" && styles.turn)}
    >
      {DRAWINGS[shape]}
    </svg>
  );
}

const outline = { fill: "none", stroke: "currentColor", strokeWidth: 1.5 } as const;

const DRAWINGS: Record<BrickShape, ReactElement> = {
  whole: <rect x="1" y="4" width="14" height="8" rx="1.5" />,
  outline: <rect x="1.75" y="4.75" width="12.5" height="6.5" rx="1" {...outline} />,
  rising: (
    <>
      <rect x="1" y="11" width="6.5" height="4" rx="1" />
      <rect x="8.5" y="11" width="6.5" height="4" rx="1" />
      <rect x="4.5" y="6" width="7" height="4" rx="1" className={styles.second} />
      <rect x="5.1" y="1.6" width="5.8" height="2.8" rx="0.6" {...outline} strokeWidth={1.2} />
    </>
  ),
  turning: (
    <>
      <rect x="4.5" y="6" width="7" height="4" rx="1" />
      <path d="M14 8a6 6 0 0 1-10.2 4.3M2 8a6 6 0 0 1 10.2-4.3" {...outline} strokeLinecap="round" />
    </>
  ),
  split: (
    <>
      <path d="M2.5 4h5L5.8 7.2l1.6 1.6L5.4 12H2.5A1.5 1.5 0 0 1 1 10.5v-5A1.5 1.5 0 0 1 2.5 4Z" />
      <path d="M9.8 4h3.7A1.5 1.5 0 0 1 15 5.5v5a1.5 1.5 0 0 1-1.5 1.5H7.7l2-3.2-1.6-1.6Z" />
    </>
  ),
  crossed: (
    <>
      <path
        d="M5 4.75H2.75a1 1 0 0 0-1 1v4.5a1 1 0 0 0 1 1H5M11 4.75h2.25a1 1 0 0 1 1 1v4.5a1 1 0 0 1-1 1H11"
        {...outline}
      />
      <path d="m4.5 2.5 7 11M11.5 2.5l-7 11" {...outline} strokeWidth={2} strokeLinecap="round" />
    </>
  ),
};
