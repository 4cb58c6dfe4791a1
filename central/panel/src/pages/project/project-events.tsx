/** What happened to the project, the newest first, and by whom. */

import type { OperationAnswer } from "@tijolo/protocol/client";
import { useEffect } from "react";
import { usePages } from "../../api/use-pages.ts";
import { refresh } from "../../api/use-read.ts";
import { dateTime } from "../../formats/formats.ts";
import { Reading } from "../../parts/reading.tsx";
import { useTexts } from "../../texts/in-both.ts";
import { overviewTexts } from "../../texts/project/overview.ts";
import { Button } from "../../ui/actions/button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import styles from "./overview-page.module.css";

type Event = OperationAnswer<"listProjectEvents">["events"][number];

/** `updatedAt`: changes with the project, and then its events are read again. */
export function ProjectEvents({ projectId, updatedAt }: { projectId: string; updatedAt: string }) {
  const texts = useTexts(overviewTexts);
  const read = usePages("listProjectEvents", { id: projectId });
  useEffect(() => {
    void refresh("listProjectEvents");
  }, [updatedAt]);
  return (
    <TitledCard title={texts.events}>
      <Reading of={read} skeleton={<Skeleton count={5} label={texts.events} />}>
        {(pages) => {
          const events = pages.flatMap((page) => page.events);
          if (events.length === 0) return <Empty sentence={texts.noEvents} />;
          return (
            <>
              <ol className={styles.events}>
                {events.map((event) => (
                  <li key={event.id} className={styles.event}>
                    <span>
                      <strong>{texts.kinds[event.kind]}</strong> <Details event={event} />
                    </span>
                    <time dateTime={event.at} className={styles.soft}>
                      {dateTime(event.at)}
                    </time>
                  </li>
                ))}
              </ol>
              {read.hasMore && (
                <div className={styles.more}>
                  <Button onClick={read.loadMore} isBusy={read.isLoadingMore}>
                    {texts.moreEvents}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Reading>
    </TitledCard>
  );
}

function Details({ event }: { event: Event }) {
  const texts = useTexts(overviewTexts);
  const { exit, versionNumber, rolledBackFrom, error, actor, replaced, domain } = event;
  const parts = [
    domain,
    rolledBackFrom !== null && texts.backTo(rolledBackFrom),
    versionNumber !== null && rolledBackFrom === null && texts.version(versionNumber),
    exit !== null && texts.exit(exit.code, exit.isOutOfMemory ? texts.outOfMemory : "").replace(/, $/, ""),
    replaced !== null && texts.kept(replaced.count),
    actor !== null && actor.name !== "" && texts.byWhom(actor.name),
    error?.message,
  ].filter((part) => typeof part === "string");
  return <span className={styles.soft}>{parts.join(" · ")}</span>;
}
