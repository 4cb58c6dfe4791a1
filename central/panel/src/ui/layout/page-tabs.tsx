/** The pages of one thing, as links in a row. The link of the page on show carries `aria-current="page"`. */

import { useEffect, useRef, type ReactNode } from "react";
import styles from "./page-tabs.module.css";

export interface PageTabsProps {
  /** Says whose pages these are; read aloud. */
  label: string;
  /** Links: the router's, which set `aria-current` themselves. */
  children: ReactNode;
}

export function PageTabs({ label, children }: PageTabsProps) {
  const tabs = useRef<HTMLElement>(null);
  // On a phone the row scrolls: the tab of the page on show is brought into sight.
  useEffect(() => {
    const row = tabs.current;
    const current = row?.querySelector<HTMLElement>('[aria-current="page"]');
    if (row && current) row.scrollLeft = current.offsetLeft - (row.clientWidth - current.offsetWidth) / 2;
  });
  return (
    <nav ref={tabs} aria-label={label} className={styles.tabs}>
      {children}
    </nav>
  );
}
