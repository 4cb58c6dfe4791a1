/** A small turning ring for something that takes a moment. It stops after a minute: what lasts longer needs words. */

import styles from "./spinner.module.css";

export interface SpinnerProps {
  /** Says what is awaited; without it the spinner is decoration beside a word. */
  label?: string | undefined;
  size?: number | undefined;
}

export function Spinner({ label, size = 16 }: SpinnerProps) {
  return (
    <span {...(label === undefined ? { "aria-hidden": true } : { role: "status" })} className={styles.place}>
      <svg
        width={size}
        height={size}
        viewBox="0 0 16 16"
        fill="none"
        className={styles.ring}
        aria-hidden="true"
      >
        <circle cx="8" cy="8" r="6" stroke="currentColor" strokeWidth="2" opacity="0.3" />
        <path d="M8 2a6 6 0 0 1 6 6" stroke="currentColor" strokeWidth="2" strokeLinecap="round" />
      </svg>
      {label !== undefined && <span className="visually-hidden">{label}</span>}
    </span>
  );
}
