/** A project's log as the API streams it: lines from its host, and the project's status when it changes. */

import { statusOf, type LogEvent, type LogQuery, type LogRequest } from "@tijolo/protocol";
import type { AccountRow } from "../../db/account.ts";
import { findRecentProject } from "../../db/project.ts";
import type { HostLink } from "../host/host-link.ts";
import type { AppContext } from "../context.ts";
import { collectPage, type LogPage } from "./log-page.ts";
import { merge } from "./merge-streams.ts";
import { getRecentOwned } from "./project.ts";

/** Batches of events until the caller goes, or the page is over. Throws `too_many_requests` at the limits of open streams. */
export async function* streamLogs(
  app: AppContext,
  link: HostLink,
  input: { account: AccountRow; id: string; query: LogQuery; signal: AbortSignal },
): AsyncIterable<LogEvent[]> {
  const { hostId } = await getRecentOwned(app, input.account, input.id);
  using slot = app.logStreamSlots.open(input.account.id, input.id);
  const stop = new AbortController();
  const signal = AbortSignal.any([input.signal, stop.signal]);
  const lines = logEvents(link, hostId, input.id, logRequest(input.query), signal);
  let isOpen = false;
  try {
    for await (const batch of input.query.follow ? merge(lines, statusEvents(app, input.id, signal)) : lines) {
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

export async function readLogs(
  app: AppContext,
  link: HostLink,
  input: { account: AccountRow; id: string; query: LogQuery; signal: AbortSignal },
): Promise<LogPage> {
  const { hostId } = await getRecentOwned(app, input.account, input.id);
  const request = { ...logRequest(input.query), follow: false };
  return collectPage(logEvents(link, hostId, input.id, request, input.signal), request.lines);
}

async function* logEvents(
  link: HostLink,
  hostId: string,
  projectId: string,
  request: LogRequest,
  signal: AbortSignal,
): AsyncIterable<LogEvent[]> {
  for await (const items of link.logs(hostId, projectId, request, signal)) {
    yield items.map((item) =>
      item.kind === "line"
        ? { event: "log", id: item.cursor, data: item.line }
        : { event: "gap", id: item.cursor, data: { at: item.at, droppedLines: item.droppedLines } },
    );
  }
}

async function* statusEvents(app: AppContext, projectId: string, signal: AbortSignal): AsyncIterable<LogEvent[]> {
  let wake = () => {};
  let isWoken = false;
  const unsubscribe = app.wakes.on(`project:${projectId}`, () => {
    isWoken = true;
    wake();
  });
  const onAbort = () => wake();
  signal.addEventListener("abort", onAbort);
  let known = "";
  try {
    while (!signal.aborted) {
      isWoken = false;
      const row = await findRecentProject(app.db, projectId);
      if (row === undefined) return; // deleted: there is nothing more to tell
      const data = {
        at: new Date(app.clock.now()).toISOString(),
        status: statusOf(row, row.observed),
        lastExit: row.observed?.lastExit ?? null,
      };
      const seen = JSON.stringify([data.status, data.lastExit]);
      if (seen !== known && known !== "") yield [{ event: "status", data }];
      known = seen;
      if (!isWoken && !signal.aborted) await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    unsubscribe();
    signal.removeEventListener("abort", onAbort);
  }
}

function logRequest(query: LogQuery): LogRequest {
  return {
    lines: query.lines,
    section: query.section,
    follow: query.follow,
    ...(query.since === undefined ? {} : { since: query.since }),
    ...(query.until === undefined ? {} : { until: query.until }),
    ...(query.q === undefined ? {} : { q: query.q }),
    ...(query.stream === undefined ? {} : { stream: query.stream }),
    ...(query.cursor === undefined ? {} : { cursor: query.cursor }),
  };
}
