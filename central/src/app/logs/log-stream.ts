/** Streams a project's log as the API shows it: lines from its host, and changes of the project's status. */

import {
  AppError,
  statusOf,
  type HostLogItem,
  type LogEvent,
  type LogQuery,
  type LogRequest,
} from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { findProject } from "../../store/tables/projects/project.ts";
import type { HostLink } from "../hosts/host-link.ts";
import type { LimitsContext } from "../limits/limits-context.ts";
import { collectPage, type LogPage } from "./log-page.ts";
import { merge } from "./merge.ts";

/** A log that is the caller's own to read. */
export interface OwnedLog {
  accountId: string;
  projectId: string;
  hostId: string;
  query: LogQuery;
  signal: AbortSignal;
}

/**
 * Yields batches of events until the caller disconnects, or `until` has passed. Throws `too_many_requests` at
 * the limits of open streams, and `invalid_request` for `before`, which only a page has.
 */
export async function* followLogs(
  app: LimitsContext,
  link: HostLink,
  input: OwnedLog,
): AsyncIterable<LogEvent[]> {
  if (input.query.before !== undefined)
    throw new AppError("invalid_request", {
      extra: { field: "before" },
      detail: refusalDetails.beforeOfStream,
    });
  using slot = app.logStreamSlots.open(input.accountId, input.projectId);
  const stop = new AbortController();
  const signal = AbortSignal.any([input.signal, stop.signal]);
  const lines = logEvents(link, input, signal);
  let isOpen = false;
  try {
    for await (const batch of merge(lines, statusEvents(app, input.projectId, signal))) {
      isOpen = true;
      yield batch;
    }
  } catch (cause) {
    if (!isOpen) slot.fail();
    throw cause;
  } finally {
    stop.abort();
  }
}

export async function readLogPage(
  link: HostLink,
  { hostId, projectId, query, signal }: OwnedLog,
): Promise<LogPage> {
  const page = { ...logRequest(query), follow: false, tellsPrevious: true };
  return collectPage(link.ask(hostId, { kind: "logs", projectId, query: page }, signal), page.lines);
}

async function* logEvents(
  link: HostLink,
  { hostId, projectId, query }: OwnedLog,
  signal: AbortSignal,
): AsyncIterable<LogEvent[]> {
  const request = { kind: "logs", projectId, query: { ...logRequest(query), follow: true } } as const;
  for await (const items of link.ask(hostId, request, signal)) {
    yield items.flatMap(eventsOf);
  }
}

function eventsOf(item: HostLogItem): LogEvent[] {
  switch (item.kind) {
    case "line":
      return [{ event: "log", id: item.cursor, data: item.line }];
    case "gap":
      return [{ event: "gap", id: item.cursor, data: { at: item.at, droppedLines: item.droppedLines } }];
    case "previous":
      return []; // of pages only
  }
}

async function* statusEvents(
  app: LimitsContext,
  projectId: string,
  signal: AbortSignal,
): AsyncIterable<LogEvent[]> {
  const news = new Latch();
  const unsubscribe = app.wakes.on(`project:${projectId}`, () => news.set());
  let known = "";
  try {
    do {
      const row = await findProject(app.db, projectId);
      if (row === undefined) return; // deleted: there is nothing more to tell
      const data = {
        at: new Date(app.clock.now()).toISOString(),
        status: statusOf(row, row.observed),
        lastExit: row.observed?.lastExit ?? null,
      };
      const seen = JSON.stringify([data.status, data.lastExit]);
      if (seen !== known && known !== "") yield [{ event: "status", data }];
      known = seen;
    } while ((await news.wait({ signal, timeoutMs: null })) === "set");
  } finally {
    unsubscribe();
  }
}

function logRequest(query: LogQuery): Omit<LogRequest, "follow"> {
  return {
    lines: query.lines,
    section: query.section,
    ...(query.since === undefined ? {} : { since: query.since }),
    ...(query.until === undefined ? {} : { until: query.until }),
    ...(query.q === undefined ? {} : { q: query.q }),
    ...(query.stream === undefined ? {} : { stream: query.stream }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
    ...(query.before === undefined ? {} : { before: query.before }),
  };
}
