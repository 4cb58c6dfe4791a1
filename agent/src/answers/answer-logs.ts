/** Answers central's requests for a project's log. */

import type { HostLogItem, LogRequest } from "@tijolo/protocol";
import { LogRequestError } from "../link/link-options.ts";
import { InvalidCursorError } from "../logs/reading/log-cursor.ts";
import type { LogFilter, LogItem, LogLine } from "../logs/log-line.ts";
import type { AccessLogs } from "../logs/access-logs.ts";
import type { ProjectLogs } from "../logs/project-logs.ts";

export interface AnsweredLogs {
  logs: ProjectLogs;
  accessLogs: AccessLogs;
}

export async function* answerLogs(
  { logs: own, accessLogs }: AnsweredLogs,
  projectId: string,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<HostLogItem[], void, undefined> {
  const isAccess = request.section === "access";
  const logs = isAccess ? accessLogs.reader : own;
  const filter = filterOf(request);
  const itemOf = (item: LogItem) => hostItemOf(item, isAccess);
  try {
    if (request.follow) {
      const after = request.cursor ?? null;
      for await (const items of logs.follow(projectId, { ...filter, after, lines: request.lines }, signal))
        yield items.map(itemOf);
    } else if (request.cursor === undefined) {
      const { lines, before, tellsPrevious } = request;
      const page = await logs.readLast(projectId, { ...filter, lines, before, tellsPrevious });
      yield [...previousOf(page.previousCursor), ...page.lines.map((line) => lineOf(line, isAccess))];
    } else {
      yield* readAfter({ logs, itemOf }, projectId, request, signal);
    }
  } catch (cause) {
    if (cause instanceof InvalidCursorError) throw new LogRequestError("bad_cursor");
    throw cause;
  }
}

/** Yields the page after a cursor: the existing lines, at most `lines` of them. */
async function* readAfter(
  { logs, itemOf }: { logs: ProjectLogs; itemOf: (item: LogItem) => HostLogItem },
  projectId: string,
  request: LogRequest,
  signal: AbortSignal,
): AsyncGenerator<HostLogItem[], void, undefined> {
  const query = {
    ...filterOf(request),
    after: request.cursor ?? null,
    lines: request.lines,
    endsWhenRead: true,
  };
  let previous = request.tellsPrevious === true ? previousOf(query.after) : [];
  let left = request.lines;
  for await (const batch of logs.follow(projectId, query, signal)) {
    const taken = batch.slice(0, left);
    left -= taken.length;
    yield [...previous, ...taken.map(itemOf)];
    previous = [];
    if (left <= 0) return;
  }
  if (previous.length > 0) yield previous;
}

function previousOf(cursor: string | null): HostLogItem[] {
  return cursor === null ? [] : [{ kind: "previous", cursor }];
}

function filterOf(request: LogRequest): LogFilter {
  return {
    // A log of visits is a log of its own, in which everything is asked for.
    section: request.section === "all" || request.section === "access" ? undefined : request.section,
    stream: request.stream,
    since: request.since === undefined ? undefined : new Date(request.since),
    until: request.until === undefined ? undefined : new Date(request.until),
    q: request.q,
  };
}

function hostItemOf(item: LogItem, isAccess: boolean): HostLogItem {
  return item.type === "line"
    ? lineOf(item, isAccess)
    : { kind: "gap", cursor: item.cursor, at: item.at.toISOString(), droppedLines: item.droppedLines };
}

function lineOf({ cursor, at, stream, version, text, ...line }: LogLine, isAccess: boolean): HostLogItem {
  const section = isAccess ? "access" : line.section;
  return { kind: "line", cursor, line: { at: at.toISOString(), section, stream, version, text } };
}
