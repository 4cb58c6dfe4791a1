/** What the operators changed, and from where. */

import type { AuditEntry } from "@tijolo/protocol/client";
import { accountTexts } from "@tijolo/protocol/texts/account";
import { changes } from "virtual:changes";
import { usePages } from "../../api/use-pages.ts";
import { dateTime } from "../../formats/formats.ts";
import { changeOf } from "../../parts/change-of.ts";
import { Windowed } from "../../parts/cluster/windowed.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { usePreferences } from "../../preferences/preferences.ts";
import { clusterAuditTexts } from "../../texts/cluster/audit.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { TwoLines } from "../../ui/layout/two-lines.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";

export function Page() {
  const texts = useTexts(clusterAuditTexts);
  const read = usePages("listAudit");
  return (
    <PageHead title={texts.title} intro={texts.intro}>
      <Reading of={read} skeleton={<Skeleton count={8} height="2.5rem" label={texts.title} />}>
        {(pages) => {
          const entries = pages.flatMap((page) => page.entries);
          if (entries.length === 0) return <Empty sentence={texts.none} />;
          return (
            <Windowed rows={entries} more={read}>
              {(rows) => (
                <Card isFlush>
                  <Entries entries={rows} />
                </Card>
              )}
            </Windowed>
          );
        }}
      </Reading>
    </PageHead>
  );
}

function Entries({ entries }: { entries: readonly AuditEntry[] }) {
  const texts = useTexts(clusterAuditTexts);
  const words = useTexts(accountTexts);
  const { language } = usePreferences();
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
          cell: ({ action, subject }) => (
            <TwoLines below={subject.name ?? subject.id}>{changes[action]?.[language] ?? action}</TwoLines>
          ),
        },
        { key: "change", header: texts.change, isLong: true, cell: (entry) => changeOf(entry, words) },
        {
          key: "who",
          header: texts.who,
          cell: ({ operator, address }) => <TwoLines below={address}>{operator.name}</TwoLines>,
        },
        { key: "when", header: texts.when, cell: ({ at }) => <time dateTime={at}>{dateTime(at)}</time> },
      ]}
    />
  );
}
