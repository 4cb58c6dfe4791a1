/** The notices, a page of them at a time, so that a long list stays light. */

import type { Notice } from "@tijolo/protocol/client";
import { Link } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { usePages } from "../../api/use-pages.ts";
import { ago, dateTime } from "../../formats/formats.ts";
import { useLiveProject } from "../../live/live-store.ts";
import { Failure } from "../../parts/failure.tsx";
import { Reading } from "../../parts/reading.tsx";
import { noticesTexts } from "../../texts/notices.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button, buttonClass } from "../../ui/actions/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { VisuallyHidden } from "../../ui/marks/visually-hidden.tsx";
import styles from "./notices-page.module.css";

const perPage = 25;

export function NoticeList({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const texts = useTexts(noticesTexts);
  const read = usePages("listNotices", {
    query: { limit: perPage, ...(isUnreadOnly ? { unread: true } : {}) },
  });
  const [wanted, setPage] = useState(0);
  return (
    <Reading of={read} skeleton={<Skeleton count={6} label={texts.list} />}>
      {(pages) => {
        // A page that is still on its way shows the one before it.
        const page = Math.min(wanted, pages.length - 1);
        const notices = pages[page]?.notices ?? [];
        if (notices.length === 0 && page === 0) return <NoNotices isUnreadOnly={isUnreadOnly} />;
        const isLast = page === pages.length - 1;
        const older = () => {
          if (isLast) read.loadMore();
          setPage(page + 1);
        };
        return (
          <>
            <Card isFlush>
              <Notices notices={notices} />
            </Card>
            {(pages.length > 1 || read.hasMore) && (
              <div className={styles.pages}>
                <Button onClick={() => setPage(page - 1)} why={page === 0 ? texts.noNewer : undefined}>
                  {texts.newer}
                </Button>
                <Button
                  onClick={older}
                  isBusy={read.isLoadingMore}
                  why={isLast && !read.hasMore ? texts.noOlder : undefined}
                >
                  {texts.older}
                </Button>
              </div>
            )}
          </>
        );
      }}
    </Reading>
  );
}

function NoNotices({ isUnreadOnly }: { isUnreadOnly: boolean }) {
  const texts = useTexts(noticesTexts);
  if (!isUnreadOnly) return <Empty sentence={texts.none}>{texts.noneHint}</Empty>;
  return (
    <Empty
      picture="nothing"
      sentence={texts.noneUnread}
      action={
        <Link to="/notices" search={{}} className={buttonClass()}>
          {texts.showAll}
        </Link>
      }
    />
  );
}

function Notices({ notices }: { notices: readonly Notice[] }) {
  const texts = useTexts(noticesTexts);
  const list = useRef<HTMLUListElement>(null);
  return (
    <ul ref={list} className={styles.list} aria-label={texts.list} tabIndex={-1}>
      {notices.map((notice) => (
        <li key={notice.id} className={styles.notice}>
          <NoticeItem notice={notice} onRead={(button) => focusAfter(button, list.current)} />
        </li>
      ))}
    </ul>
  );
}

/** The button of a read notice goes away: the focus goes to the next one, or to the list. */
function focusAfter(button: HTMLElement | null, list: HTMLElement | null): void {
  if (button === null || list === null || document.activeElement !== button) return;
  const buttons = [...list.querySelectorAll<HTMLElement>("button")];
  const next = buttons[buttons.indexOf(button) + 1] ?? buttons[buttons.indexOf(button) - 1] ?? list;
  next.focus();
}

function NoticeItem({ notice, onRead }: { notice: Notice; onRead: (button: HTMLElement | null) => void }) {
  const texts = useTexts(noticesTexts);
  const read = useAction("readNotice", { refreshes: ["listNotices"] });
  const button = useRef<HTMLButtonElement>(null);
  const { title, message, count, at, lastAt, isRead } = notice;
  return (
    <article className={isRead ? undefined : styles.unread}>
      <div className={styles.head}>
        <h2 className={styles.title}>
          {!isRead && <VisuallyHidden>{texts.isUnread} </VisuallyHidden>}
          {title}
        </h2>
        {count > 1 && <Badge>{texts.times(count)}</Badge>}
        <span className={styles.soft}>
          <time dateTime={lastAt} title={dateTime(lastAt)}>
            {ago(lastAt)}
          </time>
          {count > 1 && `, ${texts.firstAt(dateTime(at))}`}
        </span>
      </div>
      <p className={styles.message}>{message}</p>
      {read.error !== null && <Failure error={read.error} title={texts.read} />}
      <div className={styles.actions}>
        {notice.projectId !== null && <ProjectLink id={notice.projectId} />}
        {notice.kind === "channel_failing" && (
          <a href="#channels" className={buttonClass({ size: "small" })}>
            {texts.toChannels}
          </a>
        )}
        {!isRead && (
          <Button
            ref={button}
            size="small"
            variant="quiet"
            aria-label={texts.readOne(title)}
            isBusy={read.isRunning}
            onClick={() => void read.run({ noticeId: notice.id }, () => onRead(button.current))}
          >
            {texts.read}
          </Button>
        )}
      </div>
    </article>
  );
}

/** A link to the project, as long as there is one. */
function ProjectLink({ id }: { id: string }) {
  const texts = useTexts(noticesTexts);
  const live = useLiveProject(id);
  if (live === undefined) return null;
  return (
    <Link to="/projects/$projectId" params={{ projectId: id }} className={buttonClass({ size: "small" })}>
      {texts.toProject(live.project.name)}
    </Link>
  );
}
