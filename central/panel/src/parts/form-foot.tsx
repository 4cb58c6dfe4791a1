/** The buttons at the end of a long form. They stay in sight, so that the way on is never looked for. */

import type { ReactNode } from "react";
import styles from "./form-foot.module.css";

/** `isInSight`: false while there is nothing to do with them; then they stand where the form ends. */
export function FormFoot({ isInSight = true, children }: { isInSight?: boolean; children: ReactNode }) {
  return <div className={isInSight ? styles.inSight : styles.foot}>{children}</div>;
}
