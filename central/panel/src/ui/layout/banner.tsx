/** A message inside the page: what happened, what to do, and the buttons that do it. */

import type { ReactNode } from "react";
import { AlertIcon, DoneIcon, InfoIcon, WarningIcon } from "../../design/icons/icons.tsx";
import { classNames } from "../class-names.ts";
import styles from "./banner.module.css";

export type BannerTone = "info" | "ok" | "warn" | "bad";

export interface BannerProps {
  tone: BannerTone;
  title?: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
  /** Read aloud as soon as it appears: `alert` interrupts, `status` waits. Left out for what stood there from the start. */
  role?: "alert" | "status" | undefined;
}

const ICONS = { info: InfoIcon, ok: DoneIcon, warn: WarningIcon, bad: AlertIcon };

export function Banner({ tone, title, children, actions, role }: BannerProps) {
  const Picture = ICONS[tone];
  return (
    <div role={role} className={classNames(styles.banner, styles[tone])}>
      <Picture size={20} className={styles.icon} />
      <div className={styles.words}>
        {title !== undefined && <div className={styles.title}>{title}</div>}
        {children !== undefined && <div className={styles.text}>{children}</div>}
      </div>
      {actions !== undefined && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}
