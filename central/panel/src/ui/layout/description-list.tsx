/** Facts about one thing: names on the left, values on the right; below each other where it is narrow. */

import type { ReactNode } from "react";
import styles from "./description-list.module.css";

export interface Description {
  term: string;
  value: ReactNode;
}

export function DescriptionList({ items }: { items: readonly Description[] }) {
  return (
    <dl className={styles.list}>
      {items.map((item) => (
        <div key={item.term} className={styles.item}>
          <dt className={styles.term}>{item.term}</dt>
          <dd className={styles.value}>{item.value}</dd>
        </div>
      ))}
    </dl>
  );
}
