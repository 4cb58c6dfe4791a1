/** A key of the keyboard. */

import styles from "./kbd.module.css";

export function Kbd({ children }: { children: string }) {
  return <kbd className={styles.key}>{children}</kbd>;
}
