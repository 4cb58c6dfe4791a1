/** Shows a long list a piece at a time, so that the page holds few rows however many there are. */

import { useState, type ReactNode } from "react";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import styles from "./windowed.module.css";

const mostRows = 100;

interface WindowedProps<Row> {
  rows: readonly Row[];
  /** For a list that is read page by page. */
  more?: { hasMore: boolean; isLoadingMore: boolean; loadMore: () => void };
  children: (rows: readonly Row[]) => ReactNode;
}

export function Windowed<Row>({ rows, more, children }: WindowedProps<Row>) {
  const texts = useTexts(clusterTexts);
  const [start, setStart] = useState(0);
  const first = start < rows.length ? start : 0;
  const shown = rows.slice(first, first + mostRows);
  const isMoreHere = rows.length > first + mostRows;
  const isMoreThere = more?.hasMore === true;
  const next = () => {
    if (!isMoreHere) more?.loadMore();
    if (shown.length === mostRows) setStart(first + mostRows);
  };
  return (
    <>
      {children(shown)}
      {(first > 0 || isMoreHere || isMoreThere) && (
        <div className={styles.buttons}>
          {first > 0 && <Button onClick={() => setStart(Math.max(0, first - mostRows))}>{texts.back}</Button>}
          {(isMoreHere || isMoreThere) && (
            <Button isBusy={more?.isLoadingMore} onClick={next}>
              {texts.more}
            </Button>
          )}
        </div>
      )}
    </>
  );
}
