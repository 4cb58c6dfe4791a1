/** A bar that shows how much of a limit is used. The numbers stand beside it as text. */

import { classNames } from "../class-names.ts";
import styles from "./meter.module.css";

export type MeterTone = "ok" | "warn" | "bad" | "brick";

export interface MeterProps {
  /** Says what is measured: "Memória". */
  label: string;
  /** The value as people read it: "128 de 256 MB". */
  text: string;
  value: number;
  /** The limit; null when there is none, and then no bar is drawn. */
  max: number | null;
  tone?: MeterTone | undefined;
  /** Shows the bar alone, for narrow cells; label and text are still read aloud. */
  isBare?: boolean | undefined;
}

export function Meter({ label, text, value, max, tone = "brick", isBare = false }: MeterProps) {
  const share = max === null || max <= 0 ? 0 : Math.min(1, Math.max(0, value / max));
  return (
    <div className={styles.meter}>
      {!isBare && (
        <div className={styles.words} aria-hidden={max !== null}>
          <span>{label}</span>
          <span className={styles.value}>{text}</span>
        </div>
      )}
      {max !== null && (
        <div
          role="meter"
          aria-label={label}
          aria-valuemin={0}
          aria-valuemax={max}
          aria-valuenow={Math.min(max, Math.max(0, value))}
          aria-valuetext={text}
          className={styles.track}
        >
          <div className={classNames(styles.bar, styles[tone])} style={{ width: `${share * 100}%` }} />
        </div>
      )}
    </div>
  );
}
