/** Who did what in the account, the newest first. */

import type { ActivityEntry } from "@tijolo/protocol/client";
import { accountTexts } from "@tijolo/protocol/texts/account";
import { Link } from "@tanstack/react-router";
import { usePages } from "../../api/use-pages.ts";
import { dateTime } from "../../formats/formats.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { activityTexts } from "../../texts/account/activity.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { TwoLines } from "../../ui/layout/two-lines.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { changeOf } from "../../parts/change-of.ts";

export function Page() {
  const texts = useTexts(activityTexts);
  const read = usePages("listActivity");
  return (
    <PageHead title={texts.title} intro={texts.intro}>
      <p>
        <Link to="/account/security">{texts.notYou}</Link>
      </p>
      <Reading of={read} skeleton={<Skeleton count={8} label={texts.title} />}>
        {(pages) => {
          const entries = pages.flatMap(({ activity }) => activity);
          return entries.length === 0 ? (
            <Empty sentence={texts.none} />
          ) : (
            <>
              <Card isFlush>
                <Entries entries={entries} />
              </Card>
              {read.hasMore && (
                <div>
                  <Button onClick={read.loadMore} isBusy={read.isLoadingMore}>
                    {texts.more}
                  </Button>
                </div>
              )}
            </>
          );
        }}
      </Reading>
    </PageHead>
  );
}

function Entries({ entries }: { entries: readonly ActivityEntry[] }) {
  const texts = useTexts(activityTexts);
  const words = useTexts(accountTexts);
  return (
    <Table
      caption={texts.title}
      rows={entries}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "what",
          header: texts.what,
          isRowHeader: true,
          cell: ({ action, project }) => (
            <TwoLines below={project?.name ?? ""}>{words.actions[action]}</TwoLines>
          ),
        },
        { key: "change", header: texts.change, isLong: true, cell: (entry) => changeOf(entry, words) },
        {
          key: "who",
          header: texts.who,
          cell: ({ actor, address }) => (
            <TwoLines below={address}>{`${words.actors[actor.kind]} ${actor.name}`.trim()}</TwoLines>
          ),
        },
        {
          key: "when",
          header: texts.when,
          cell: ({ at }) => <time dateTime={at}>{dateTime(at)}</time>,
        },
      ]}
    />
  );
}
