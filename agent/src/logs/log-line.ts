/** Defines a log line's fields and the filters of a request for lines. */

import type { LogSection, LogStream } from "./writer/log-files.ts";

export interface LogLine {
  /** Cursor that continues after this line: see {@link LogCursor}. */
  cursor: string;
  at: Date;
  section: LogSection;
  stream: LogStream;
  /** Number of the project's version that wrote it; 0 where that is not known. */
  version: number;
  /** Text without the newline. Bytes that are not UTF-8 are U+FFFD; control characters and colours stay. */
  text: string;
}

/**
 * A line or a gap. A gap stands where lines of one stream were dropped before they could be delivered, and
 * says exactly how many.
 */
export type LogItem =
  | ({ type: "line" } & LogLine)
  | { type: "gap"; cursor: string; at: Date; droppedLines: number };

export interface LogFilter {
  /** Section to include. Default: both. */
  section?: LogSection | undefined;
  /** Stream to include. Default: all. */
  stream?: LogStream | undefined;
  /** Includes only lines written at this time or later. */
  since?: Date | undefined;
  /** Includes only lines written before this time. */
  until?: Date | undefined;
  /** Includes only lines that contain this text, in any case. */
  q?: string | undefined;
}

export interface LogPageQuery extends LogFilter {
  /** Most lines to return: the newest ones. */
  lines: number;
  /** Includes only lines that lie before this cursor. */
  before?: string | undefined;
  /** True to search, past the page, for an older line that matches. */
  tellsPrevious?: boolean | undefined;
}

export interface LogFollowQuery extends LogFilter {
  /** Cursor to continue after; null begins with the newest `lines`. */
  after: string | null;
  lines: number;
  /** True to end once the existing lines have been read, instead of following. */
  endsWhenRead?: boolean;
}
