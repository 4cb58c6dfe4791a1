/** What is said of one log line, and what can be asked for. */

import type { LogSection, LogStream } from "./writer/log-files.ts";

export interface LogLine {
  /** Continues after this line: see {@link LogCursor}. */
  cursor: string;
  at: Date;
  section: LogSection;
  stream: LogStream;
  /** Number of the project's version that wrote it; 0 where that is not known. */
  version: number;
  /**
   * Without the newline. Bytes that are not UTF-8 are U+FFFD; control characters and colour codes are kept.
   */
  text: string;
}

/**
 * A gap stands where lines of one stream were dropped before they could be delivered, and says exactly how
 * many.
 */
export type LogItem =
  | ({ type: "line" } & LogLine)
  | { type: "gap"; cursor: string; at: Date; droppedLines: number };

export interface LogFilter {
  /** Default: both. */
  section?: LogSection | undefined;
  /** Default: all. */
  stream?: LogStream | undefined;
  /** Only lines written at this time or later. */
  since?: Date | undefined;
  /** Only lines written before this time. */
  until?: Date | undefined;
  /** Only lines that contain this text, in whatever case. */
  q?: string | undefined;
}

export interface LogPageQuery extends LogFilter {
  /** How many lines at most: the newest ones. */
  lines: number;
  /** Only lines that lie before this cursor. */
  before?: string | undefined;
  /** Looks on, past the page, for an older line that matches. */
  tellsPrevious?: boolean | undefined;
}

export interface LogFollowQuery extends LogFilter {
  /** Continues after what this cursor has seen; null begins with the newest `lines`. */
  after: string | null;
  lines: number;
  /** Not live: it is over once what is there has been read. */
  endsWhenRead?: boolean;
}
