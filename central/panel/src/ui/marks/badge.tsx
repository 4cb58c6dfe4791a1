/** A short word on a coloured ground. The word carries the meaning, the colour only helps. */

import type { ReactNode } from "react";
import { classNames } from "../class-names.ts";
import styles from "./badge.module.css";

export type BadgeTone = "neutral" | "brick" | "ok" | "warn" | "bad" | "info";

export interface BadgeProps {
  tone?: BadgeTone | undefined;
  children: ReactNode;
}

export function Badge({ tone = "neutral", children }: BadgeProps) {
  return <span className={classNames(styles.badge, styles[tone])}>{children}</span>;
}
