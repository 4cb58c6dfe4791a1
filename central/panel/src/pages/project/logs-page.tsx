/** The log of a project: live, searched over all that is stored, filtered over what is here. */

import { useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useMemo, useState } from "react";
import { useRead } from "../../api/use-read.ts";
import { useLiveProject } from "../../live/live-store.ts";
import { findMarked, findMoment, momentOf } from "../../live/log/line-mark.ts";
import type { LogEntry } from "../../live/log/log-buffer.ts";
import { spans, type LogSearch, type Span } from "../../live/log/log-search.ts";
import type { LogFilter } from "../../live/log/follow-log.ts";
import { useLog, type FollowedLog } from "../../live/log/use-log.ts";
import { Failure } from "../../parts/failure.tsx";
import { LogView } from "../../parts/log-view/log-view.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { logsTexts } from "../../texts/project/logs.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { ChosenLine, LogActions } from "./logs-actions.tsx";
import { LogFilters, type ChangeSearch } from "./logs-filters.tsx";

const route = "/projects/$projectId/logs";

export function Page() {
  const texts = useTexts(logsTexts);
  const { projectId } = useParams({ from: `/app${route}` });
  const search = useSearch({ from: `/app${route}` });
  const change = useChangeSearch(projectId);
  const filter = useAsked(search);
  const [isWrapped, setWrapped] = useState(false);
  const [hasTimes, setTimes] = useState(true);
  const [linkedLine, setLinkedLine] = useState(search.line);
  const moment = search.from ?? momentOf(linkedLine);
  const log = useLog(projectId, filter, moment);
  const entries = useShown(log, search);
  const hasAccess = useHasAccess(projectId, search);
  const versions = useVersions(log.buffer.entries, search.version);
  const toNow = () => {
    setLinkedLine(undefined);
    change({ from: undefined, until: undefined, line: undefined });
  };
  return (
    <PageHead
      title={texts.title}
      actions={
        <>
          <Switch label={texts.wrap} checked={isWrapped} onValue={setWrapped} />
          <Switch label={texts.times} checked={hasTimes} onValue={setTimes} />
          <LogActions projectId={projectId} search={search} filter={filter} entries={entries} />
        </>
      }
    >
      <LogFilters {...{ search, moment, versions, hasAccess, change }} onNow={toNow} />
      <Told log={log} />
      <Lines
        key={JSON.stringify([projectId, filter, moment])}
        log={log}
        entries={entries}
        search={search}
        look={{ isWrapped, hasTimes }}
        start={{ line: linkedLine, moment }}
        change={change}
      />
    </PageHead>
  );
}

function useChangeSearch(projectId: string): ChangeSearch {
  const navigate = useNavigate();
  return useCallback(
    (part) =>
      void navigate({
        to: route,
        params: { projectId },
        search: (before: LogSearch) => ({ ...before, ...part }) as LogSearch,
        replace: true,
        resetScroll: false,
      }),
    [navigate, projectId],
  );
}

/**
 * Returns what the server is asked for: text and span, and the visits, which are a log of their own. Section,
 * output and version filter what is here already.
 */
function useAsked({ section, q, since, until }: LogSearch): LogFilter {
  const isAccess = section === "access";
  return useMemo(
    () => ({
      ...(isAccess ? { section: "access" } : {}),
      ...(q === undefined ? {} : { q }),
      ...(since === undefined ? {} : { since: new Date(Date.now() - spans[since as Span]).toISOString() }),
      ...(until === undefined ? {} : { until }),
    }),
    [isAccess, q, since, until],
  );
}

function useShown({ buffer }: FollowedLog, { section, stream, version }: LogSearch): readonly LogEntry[] {
  return useMemo(() => {
    if (section === undefined && stream === undefined && version === undefined) return buffer.entries;
    return buffer.entries.filter(
      (entry) =>
        entry.kind !== "line" ||
        ((section === undefined || entry.line.section === section) &&
          (stream === undefined || entry.line.stream === stream) &&
          (version === undefined || entry.line.version === version)),
    );
  }, [buffer, section, stream, version]);
}

/** True for a site whose visits are logged, and where they are asked for all the same. */
function useHasAccess(id: string, { section }: LogSearch): boolean {
  const isSite = useLiveProject(id)?.project.type === "site";
  const { data } = useRead("getSiteSettings", { id }, { isEnabled: isSite });
  return section === "access" || (data !== undefined && data.siteSettings.accessLog !== "off");
}

/** Versions that wrote lines which are here, the newest first, and the one that is asked for. */
function useVersions(entries: readonly LogEntry[], asked: number | undefined): readonly number[] {
  const found = useMemo(() => {
    const versions = new Set<number>();
    for (const entry of entries)
      if (entry.kind === "line" && entry.line.version > 0) versions.add(entry.line.version);
    return versions;
  }, [entries]);
  const all = asked === undefined ? found : new Set([...found, asked]);
  return [...all].sort((one, other) => other - one).slice(0, 100);
}

/** What stands between the person and the lines. */
function Told({ log: { error, state, retry, buffer } }: { log: FollowedLog }) {
  const texts = useTexts(logsTexts);
  const isHidden = state === "waiting" && buffer.entries.length > 0; // the frame says that the connection is gone
  return (
    <>
      {error !== null && !isHidden && <Failure error={error} onRetry={retry} />}
      {state === "paged" && <Banner tone="info" role="status" title={texts.paged} />}
      {state === "paused" && <Banner tone="info" title={texts.paused} />}
    </>
  );
}

interface LinesProps {
  log: FollowedLog;
  entries: readonly LogEntry[];
  search: LogSearch;
  look: { isWrapped: boolean; hasTimes: boolean };
  /** Where the log was opened. */
  start: { line: string | undefined; moment: string | null };
  change: ChangeSearch;
}

function Lines({ log, entries, search, look, start, change }: LinesProps) {
  const texts = useTexts(logsTexts);
  const chosenKey = useMemo(() => findMarked(entries, search.line), [entries, search.line]);
  const chosen = entries.find(({ key }) => key === chosenKey);
  const choose = (mark: string | null) => change({ line: mark ?? undefined });
  const isUnknown = log.state === "loading" || (log.state === "waiting" && log.buffer.entries.length === 0);
  if (isUnknown) return log.error === null ? <Skeleton height="20rem" label={texts.title} /> : null;
  if (!entries.some(({ kind }) => kind !== "status")) return <NoLines search={search} change={change} />;
  const startKey =
    start.moment === null ? null : (findMarked(entries, start.line) ?? findMoment(entries, start.moment));
  const isGone = start.line !== undefined && start.line === search.line && chosen === undefined;
  return (
    <>
      {isGone && <Banner tone="warn" role="status" title={texts.lineGone} />}
      <LogView
        log={log}
        entries={entries}
        {...look}
        startKey={startKey}
        chosenKey={chosenKey}
        onChoose={choose}
      />
      {chosen?.kind === "line" && <ChosenLine line={chosen.line} onRelease={() => choose(null)} />}
    </>
  );
}

function NoLines({ search, change }: { search: LogSearch; change: ChangeSearch }) {
  const texts = useTexts(logsTexts);
  const { q, section, stream, version, since, until } = search;
  const isFiltered = [q, section, stream, version, since, until].some((value) => value !== undefined);
  if (!isFiltered) return <Empty sentence={texts.nothing}>{texts.noneHint}</Empty>;
  const clear = () =>
    change({
      q: undefined,
      section: undefined,
      stream: undefined,
      version: undefined,
      since: undefined,
      until: undefined,
    });
  return (
    <Empty picture="nothing" sentence={texts.none} action={<Button onClick={clear}>{texts.noFilter}</Button>}>
      {texts.noneHint}
    </Empty>
  );
}
