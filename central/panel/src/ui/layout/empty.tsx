/** An empty state: drawn brickwork, a sentence, and one action. */

import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./empty.module.css";

/** `first`: nothing was made yet. `nothing`: a search or filter found nothing. `broken`: something failed. */
export type EmptyPicture = "first" | "nothing" | "broken";

export interface EmptyProps {
  sentence: ReactNode;
  picture?: EmptyPicture | undefined;
  /** A second, softer sentence. */
  children?: ReactNode;
  /** One button or link. */
  action?: ReactNode;
}

export function Empty({ sentence, picture = "first", children, action }: EmptyProps) {
  return (
    <div className={styles.empty}>
      <Brickwork picture={picture} />
      <p className={styles.sentence}>{sentence}</p>
      {children !== undefined && <div className={styles.more}>{children}</div>}
      {action !== undefined && <div className={styles.action}>{action}</div>}
    </div>
  );
}

/** Upper left corners of the bricks, course by course, from the ground up. */
const COURSES: Record<EmptyPicture, readonly (readonly [x: number, y: number])[]> = {
  first: [
    [4, 76],
    [40, 76],
    [76, 76],
    [112, 76],
    [22, 58],
    [58, 58],
  ],
  nothing: [
    [4, 76],
    [40, 76],
    [76, 76],
    [112, 76],
    [22, 58],
    [94, 58],
    [4, 40],
    [112, 40],
    [22, 22],
    [94, 22],
  ],
  broken: [
    [4, 76],
    [40, 76],
    [76, 76],
    [22, 58],
    [58, 58],
    [40, 40],
  ],
};

/** The brick that the picture is about: the next one to lay, the missing one, the fallen one. */
const LAST: Record<EmptyPicture, { x: number; y: number; turn: number }> = {
  first: { x: 76, y: 30, turn: -12 },
  nothing: { x: 58, y: 46, turn: 0 },
  broken: { x: 108, y: 72, turn: 38 },
};

function Brickwork({ picture }: { picture: EmptyPicture }) {
  const { x, y, turn } = LAST[picture];
  return (
    <svg width="148" height="96" viewBox="0 0 148 96" aria-hidden="true" className={styles.picture}>
      {COURSES[picture].map(([left, top]) => (
        <rect
          key={`${left} ${top}`}
          x={left}
          y={top}
          width="32"
          height="14"
          rx="2"
          className={styles.brick}
        />
      ))}
      <rect
        x={x}
        y={y}
        width="32"
        height="14"
        rx="2"
        transform={`rotate(${turn} ${x + 16} ${y + 7})`}
        className={classNames(picture === "nothing" ? styles.gap : styles.last)}
      />
      <path d="M0 93.5h148" className={styles.ground} />
    </svg>
  );
}
