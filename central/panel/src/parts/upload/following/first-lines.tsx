/** The last lines that the newest upload of a project has written while it comes up. */

import { useEffect, useMemo, useRef } from "react";
import { refresh, useRead } from "../../../api/use-read.ts";
import { useLog } from "../../../live/log/use-log.ts";
import { uploadTexts } from "../../../texts/upload.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { piecesOf } from "../../log-view/line-text.ts";
import styles from "./first-lines.module.css";

/** Lines that are drawn. */
const mostLines = 100;

interface Line {
  key: number;
  stream: string;
  text: string;
}

export function FirstLines({ projectId, label }: { projectId: string; label: string }) {
  const texts = useTexts(uploadTexts);
  const { lines, isGone } = useLines(projectId);
  const box = useRef<HTMLDivElement>(null);
  const isAtEnd = useRef(true);
  useEffect(() => {
    const { current } = box;
    if (current !== null && isAtEnd.current) current.scrollTop = current.scrollHeight;
  }, [lines]);
  return (
    <div
      ref={box}
      role="log"
      aria-live="off"
      aria-label={label}
      tabIndex={0}
      className={styles.log}
      onScroll={({ currentTarget: { scrollTop, clientHeight, scrollHeight } }) => {
        isAtEnd.current = scrollTop + clientHeight >= scrollHeight - 8;
      }}
    >
      {lines.length === 0 && <p className={styles.none}>{isGone ? texts.logGone : texts.noLines}</p>}
      {lines.map(({ key, stream, text }) => (
        <div key={key} className={stream === "system" ? styles.system : styles.line}>
          {text === "" ? "\u00a0" : text}
        </div>
      ))}
    </div>
  );
}

/** Follows the log; each change of the status in it makes the project's answer old. */
function useLines(projectId: string): { lines: readonly Line[]; isGone: boolean } {
  const { buffer, error } = useLog(projectId, {});
  const { entries } = buffer;
  const newest = useNewestVersion(projectId);
  const changes = entries.filter(({ kind }) => kind === "status").length;
  useEffect(() => {
    if (changes > 0) void refresh("getProject");
  }, [changes]);
  const lines = useMemo(
    () =>
      entries.slice(-mostLines).flatMap((entry) => {
        if (entry.kind !== "line" || newest === null || entry.line.version < newest) return [];
        const { stream, text } = entry.line;
        return [
          {
            key: entry.key,
            stream,
            text: piecesOf(text)
              .map((piece) => piece.text)
              .join(""),
          },
        ];
      }),
    [entries, newest],
  );
  return { lines, isGone: error !== null };
}

/** Null until it is known; what is read again later takes nothing away. */
function useNewestVersion(id: string): number | null {
  const { data, isFetching } = useRead("listVersions", { id }, { staleMs: 0 });
  const known = useRef<number | null>(null);
  if (data !== undefined && !isFetching)
    known.current = Math.max(...data.versions.map(({ number }) => number));
  return known.current;
}
