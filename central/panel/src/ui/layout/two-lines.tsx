/** A value with a softer one below it, for a cell that names two things. */

import type { ReactNode } from "react";
import styles from "./two-lines.module.css";

export function TwoLines({ children, below }: { children: ReactNode; below: ReactNode }) {
  return (
    <>
      <div>{children}</div>
      {below !== "" && below !== null && <div className={styles.below}>{below}</div>}
    </>
  );
}
