/** A grey block of the size of what is being loaded. It appears after 150 ms, so quick answers do not flicker. */

import styles from "./skeleton.module.css";

export interface SkeletonProps {
  /** A length of CSS; the whole width when left out. */
  width?: string | undefined;
  /** A length of CSS; one row when left out. */
  height?: string | undefined;
  /** How many blocks stand below each other; 1 when left out. */
  count?: number | undefined;
  /** Says that something loads. Give it to one skeleton of a page only. */
  label?: string | undefined;
}

export function Skeleton({ width = "100%", height = "var(--row)", count = 1, label }: SkeletonProps) {
  return (
    <div className={styles.blocks} {...(label === undefined ? { "aria-hidden": true } : { role: "status" })}>
      {label !== undefined && <span className="visually-hidden">{label}</span>}
      {Array.from({ length: count }, (_, index) => (
        <div key={index} className={styles.block} style={{ width, height }} />
      ))}
    </div>
  );
}
