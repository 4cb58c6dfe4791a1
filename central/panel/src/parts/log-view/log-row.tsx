/** One row of a log: a line, a place where lines were lost, or a change of the project's status. */

import { memo } from "react";
import { clockTime, dateTime, integer } from "../../formats/formats.ts";
import type { LogEntry } from "../../live/log/log-buffer.ts";
import { useTexts } from "../../texts/in-both.ts";
import { logsTexts } from "../../texts/project/logs.ts";
import { projectTexts } from "../../texts/project/project.ts";
import { classNames } from "../../ui/class-names.ts";
import { cutOf, piecesOf } from "./line-text.ts";
import styles from "./log-view.module.css";

/** Drawn once an entry, since entries never change. */
export const LogRow = memo(function LogRow({ entry, hasTimes }: { entry: LogEntry; hasTimes: boolean }) {
  const texts = useTexts(logsTexts);
  const { statuses } = useTexts(projectTexts);
  if (entry.kind === "gap")
    return <span className={styles.gap}>{texts.gap(entry.droppedLines, integer(entry.droppedLines))}</span>;
  if (entry.kind === "status")
    return (
      <span className={styles.status}>
        {hasTimes && <Time at={entry.at} />}
        {texts.status(statuses[entry.status])}
      </span>
    );
  const { at, stream, text } = entry.line;
  const cut = cutOf(text);
  return (
    <>
      {hasTimes && <Time at={at} />}
      <span
        className={classNames(
          styles.text,
          stream === "stderr" && styles.stderr,
          stream === "system" && styles.system,
        )}
      >
        {piecesOf(text).map(({ text: piece, classes }, index) => (
          <span key={index} className={classes.map((name) => styles[name]).join(" ")}>
            {piece}
          </span>
        ))}
        {cut > 0 && <span className={styles.cut}> {texts.cut(integer(cut))}</span>}
      </span>
    </>
  );
});

function Time({ at }: { at: string }) {
  return (
    <time dateTime={at} title={dateTime(at)} className={styles.time}>
      {clockTime(at)}
    </time>
  );
}
