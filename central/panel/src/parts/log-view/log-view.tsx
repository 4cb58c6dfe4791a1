/**
 * The lines of a log in a box that scrolls. Only rows in sight are in the document; at the end it follows, and
 * scrolling up stops that and counts what is new.
 */

import { useVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useRef, type KeyboardEvent, type MouseEvent } from "react";
import { integer } from "../../formats/formats.ts";
import { markOf } from "../../live/log/line-mark.ts";
import type { LogEntry } from "../../live/log/log-buffer.ts";
import type { FollowedLog } from "../../live/log/use-log.ts";
import { useTexts } from "../../texts/in-both.ts";
import { logsTexts } from "../../texts/project/logs.ts";
import { Button } from "../../ui/actions/button.tsx";
import { classNames } from "../../ui/class-names.ts";
import { LogRow } from "./log-row.tsx";
import styles from "./log-view.module.css";
import { useFollowing } from "./use-following.ts";

interface LogViewProps {
  log: FollowedLog;
  /** What to show of it. */
  entries: readonly LogEntry[];
  isWrapped: boolean;
  hasTimes: boolean;
  /** Key of the entry to begin at; null for the end. */
  startKey: number | null;
  chosenKey: number | null;
  /** Called with the mark of a line; null when none is chosen any more. */
  onChoose: (mark: string | null) => void;
}

const rowHeight = 20;
const olderHeight = 48;
/** Pixels from the start within which older lines are loaded. */
const nearStart = 400;

export function LogView(props: LogViewProps) {
  const { log, entries, isWrapped, hasTimes, startKey, chosenKey } = props;
  const texts = useTexts(logsTexts);
  const box = useRef<HTMLDivElement>(null);
  const rows = useVirtualizer({
    count: entries.length,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeight,
    overscan: 8,
    paddingStart: log.older === "none" ? 0 : olderHeight,
    getItemKey: (index) => entries[index]?.key ?? index,
    anchorTo: "end",
  });
  const size = rows.getTotalSize();
  const { isFollowing, unseen, onScroll, toEnd, stop } = useFollowing(box, entries, {
    size,
    isAtFirst: startKey === null,
  });
  const started = useRef(startKey === null);
  useEffect(() => {
    const index = entries.findIndex(({ key }) => key === startKey);
    if (started.current || index === -1) return;
    started.current = true;
    rows.scrollToIndex(index, { align: "center" });
  }, [entries, startKey, rows]);
  const scrolled = () => {
    onScroll();
    const isNearStart = started.current && (box.current?.scrollTop ?? 0) < nearStart;
    if (isNearStart && !isFollowing && log.older === "more") log.loadOlder();
  };
  const { onKeyDown, onClick } = useChoice(props, {
    visible: () => rows.range?.endIndex ?? entries.length - 1,
    show: (index) => {
      stop();
      rows.scrollToIndex(index, { align: "auto" });
    },
  });
  return (
    <div className={styles.frame}>
      {/* oxlint-disable jsx-a11y/no-noninteractive-tabindex, jsx-a11y/no-noninteractive-element-interactions -- it
          scrolls, and its keys choose a line */}
      <div
        ref={box}
        role="log"
        aria-live={isFollowing && log.isCalm ? "polite" : "off"}
        aria-label={texts.log}
        tabIndex={0}
        className={styles.log}
        onScroll={scrolled}
        onKeyDown={onKeyDown}
        onClick={onClick}
      >
        <div className={styles.rows} style={{ height: size }}>
          {log.older !== "none" && <Older log={log} />}
          {rows.getVirtualItems().map(({ index, key, start }) => {
            const entry = entries[index];
            return entry === undefined ? null : (
              <div
                key={key}
                ref={rows.measureElement}
                data-index={index}
                className={classNames(
                  isWrapped ? styles.wrapped : styles.row,
                  entry.key === chosenKey && styles.chosen,
                )}
                style={{ transform: `translateY(${start}px)` }}
              >
                <LogRow entry={entry} hasTimes={hasTimes} />
              </div>
            );
          })}
        </div>
      </div>
      {/* oxlint-enable */}
      {!isFollowing && (
        <div className={styles.toEnd}>
          <Button variant="primary" size="small" onClick={toEnd}>
            {unseen > 0 ? texts.newLines(unseen, integer(unseen)) : texts.toEnd}
          </Button>
        </div>
      )}
    </div>
  );
}

function Older({ log }: { log: FollowedLog }) {
  const texts = useTexts(logsTexts);
  return (
    <div className={styles.older}>
      {log.older === "full" ? (
        texts.full
      ) : (
        <Button size="small" isBusy={log.isLoadingOlder} onClick={log.loadOlder}>
          {texts.older}
        </Button>
      )}
    </div>
  );
}

interface Sight {
  /** Index of the last row in sight. */
  visible: () => number;
  show: (index: number) => void;
}

/** Chooses a line: by a press on its time, or with Enter and the arrows while the log has the focus. */
function useChoice({ entries, chosenKey, onChoose }: LogViewProps, { visible, show }: Sight) {
  const choose = (from: number, step: 1 | -1) => {
    for (let index = from; entries[index] !== undefined; index += step) {
      const entry = entries[index];
      if (entry?.kind !== "line") continue;
      show(index);
      return onChoose(markOf(entry.line));
    }
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const chosen = chosenKey === null ? -1 : entries.findIndex(({ key }) => key === chosenKey);
    const isArrow = event.key === "ArrowUp" || event.key === "ArrowDown";
    if (event.key === "Enter" && chosen === -1) choose(visible(), -1);
    else if (event.key === "Escape" && chosen !== -1) onChoose(null);
    else if (isArrow && chosen !== -1)
      choose(chosen + (event.key === "ArrowUp" ? -1 : 1), event.key === "ArrowUp" ? -1 : 1);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target }: MouseEvent) => {
    const row = (target as Element).closest("time")?.closest("[data-index]");
    const entry = entries[Number(row?.getAttribute("data-index") ?? -1)];
    if (entry?.kind === "line") onChoose(entry.key === chosenKey ? null : markOf(entry.line));
  };
  return { onKeyDown, onClick };
}
