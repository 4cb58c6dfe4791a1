/** The browsers in which the account is open; each can be ended, and all others at once. */

import type { PanelSession } from "@tijolo/protocol/client";
import { lazy, Suspense, useState } from "react";
import { useAction } from "../../../api/use-action.ts";
import { useRead } from "../../../api/use-read.ts";
import { ago, dateTime, day } from "../../../formats/formats.ts";
import { Failure } from "../../../parts/failure.tsx";
import { Reading } from "../../../parts/reading.tsx";
import { securityTexts } from "../../../texts/account/security.ts";
import { useTexts } from "../../../texts/in-both.ts";
import { Button } from "../../../ui/actions/button.tsx";
import { TitledCard } from "../../../ui/layout/card.tsx";
import { Table } from "../../../ui/layout/table.tsx";
import { Badge } from "../../../ui/marks/badge.tsx";
import { Skeleton } from "../../../ui/marks/skeleton.tsx";
import { tell } from "../../../ui/overlays/toast-store.ts";
import { browserName } from "./browser-name.ts";
import styles from "./security.module.css";

const ConfirmDialog = lazy(async () => ({
  default: (await import("../../../ui/overlays/confirm-dialog.tsx")).ConfirmDialog,
}));

export function SessionsCard() {
  const texts = useTexts(securityTexts);
  const read = useRead("listSessions", {}, { staleMs: 0 });
  const [isAsking, setAsking] = useState(false);
  const others = read.data?.sessions.filter(({ isCurrent }) => !isCurrent) ?? [];
  return (
    <TitledCard
      title={texts.sessions}
      description={texts.sessionsIntro}
      isFlush
      actions={
        <Button onClick={() => setAsking(true)} why={others.length === 0 ? texts.noOthers : undefined}>
          {texts.endOthers}
        </Button>
      }
    >
      <Reading of={read} skeleton={<Skeleton count={3} label={texts.sessions} />}>
        {({ sessions }) => (
          <Sessions sessions={[...sessions.filter(({ isCurrent }) => isCurrent), ...others]} />
        )}
      </Reading>
      {isAsking && (
        <Suspense>
          <EndOthers sessions={others} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </TitledCard>
  );
}

function Sessions({ sessions }: { sessions: readonly PanelSession[] }) {
  const texts = useTexts(securityTexts);
  const nameOf = useBrowserWords();
  const end = useAction("endSession", { refreshes: ["listSessions"] });
  const [ending, setEnding] = useState<string | null>(null);
  const endOne = (session: PanelSession) => {
    setEnding(session.id);
    void end.run({ sessionId: session.id }, () =>
      tell({ tone: "ok", text: texts.ended(nameOf(session.userAgent)) }),
    );
  };
  return (
    <>
      {end.error !== null && <Failure error={end.error} title={texts.end} />}
      <Table
        caption={texts.sessions}
        rows={sessions}
        rowKey={({ id }) => id}
        columns={[
          {
            key: "browser",
            header: texts.browser,
            isRowHeader: true,
            cell: ({ userAgent, isCurrent }) => (
              <span className={styles.names}>
                {nameOf(userAgent)} {isCurrent && <Badge tone="ok">{texts.thisOne}</Badge>}
              </span>
            ),
          },
          { key: "address", header: texts.address, cell: ({ address }) => address ?? texts.unknownAddress },
          {
            key: "since",
            header: texts.since,
            cell: ({ createdAt }) => (
              <time dateTime={createdAt} title={dateTime(createdAt)}>
                {ago(createdAt)}
              </time>
            ),
          },
          { key: "until", header: texts.until, cell: ({ expiresAt }) => day(expiresAt) },
          {
            key: "end",
            header: texts.end,
            isHeaderHidden: true,
            align: "end",
            cell: (session) =>
              !session.isCurrent && (
                <Button
                  size="small"
                  aria-label={texts.endOne(nameOf(session.userAgent), dateTime(session.createdAt))}
                  isBusy={end.isRunning && ending === session.id}
                  onClick={() => endOne(session)}
                >
                  {texts.end}
                </Button>
              ),
          },
        ]}
      />
    </>
  );
}

/** Ends them one after the other: the API ends one at a time. */
function EndOthers({ sessions, onClose }: { sessions: readonly PanelSession[]; onClose: () => void }) {
  const texts = useTexts(securityTexts);
  const end = useAction("endSession", { refreshes: ["listSessions"] });
  const [count] = useState(sessions.length);
  const endAll = async () => {
    for (const { id } of sessions) if (!(await end.run({ sessionId: id }))) return;
    tell({ tone: "ok", text: texts.othersEnded(count) });
    onClose();
  };
  return (
    <ConfirmDialog
      isOpen
      isDangerous
      title={texts.endOthersTitle}
      description={texts.endOthersText}
      confirmWord={texts.endOthers}
      cancelWord={texts.cancel}
      closeWord={texts.close}
      isBusy={end.isRunning}
      onConfirm={() => void endAll()}
      onClose={onClose}
    >
      {end.error !== null && <Failure error={end.error} title={texts.endOthers} />}
    </ConfirmDialog>
  );
}

/** Returns a function that says which browser a session is in. */
function useBrowserWords(): (userAgent: string | null) => string {
  const texts = useTexts(securityTexts);
  return (userAgent) => {
    const { browser, system } = browserName(userAgent ?? "");
    if (browser !== null && system !== null) return texts.browserOn(browser, system);
    return browser ?? system ?? texts.someBrowser;
  };
}
