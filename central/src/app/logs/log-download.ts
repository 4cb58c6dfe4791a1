/** Makes the file of a project's log: all stored lines that match, page by page as its reader takes them. */

import { logStartCursor, type HostLogItem, type LogDownloadQuery, type LogLine } from "@tijolo/protocol";
import { logFileTexts } from "@tijolo/protocol/texts/central";
import type { HostLink } from "../hosts/host-link.ts";
import type { LimitsContext } from "../limits/limits-context.ts";

/** A log that is the caller's own to read, and the language of the lines that central adds. */
export interface DownloadedLog {
  accountId: string;
  projectId: string;
  hostId: string;
  query: LogDownloadQuery;
  language: "pt" | "en";
  signal: AbortSignal;
}

/** Lines of one request to the host: the most that it answers. */
const pageLines = 1_000;

/**
 * Yields the text of the log, oldest line first, up to `until` or to now: a log that grows faster than its
 * reader takes it has an end all the same. Throws `too_many_requests` at the limit of open logs, and
 * `server_unavailable`.
 */
export async function* downloadLog(
  app: LimitsContext,
  link: HostLink,
  { accountId, projectId, hostId, query, language, signal }: DownloadedLog,
): AsyncGenerator<string> {
  using _slot = app.logStreamSlots.openDownload(accountId);
  const filter = { ...query, until: query.until ?? new Date(app.clock.now()).toISOString() };
  const since = Date.parse(query.since ?? "");
  let cursor = logStartCursor;
  for (let lines = pageLines; lines >= pageLines;) {
    lines = 0;
    const page = { ...filter, lines: pageLines, follow: false, cursor };
    for await (const items of link.ask(hostId, { kind: "logs", projectId, query: page }, signal)) {
      lines += items.length;
      cursor = items.at(-1)?.cursor ?? cursor;
      const text = items.map((item) => textOf(item, { since, language })).join("");
      if (text !== "") yield text;
    }
    signal.throwIfAborted();
  }
}

function textOf(item: HostLogItem, { since, language }: { since: number; language: "pt" | "en" }): string {
  switch (item.kind) {
    case "line":
      return textOfLine(item.line);
    case "gap":
      // A gap from before the wanted time is nobody's loss.
      return Date.parse(item.at) < since
        ? ""
        : `${item.at} ${logFileTexts[language].gap(item.droppedLines)}\n`;
    case "previous":
      return "";
  }
}

function textOfLine({ at, section, stream, version, text }: LogLine): string {
  return `${at} ${section} ${stream} v${version} ${text}\n`;
}
