/** What each plan gives, as the cluster has it now. */

import { useRead } from "../../api/use-read.ts";
import { integer, megabytes } from "../../formats/formats.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { TwoLines } from "../../ui/layout/two-lines.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { Reading } from "../reading.tsx";

export function PlanTable() {
  const texts = useTexts(clusterAccountsTexts);
  const read = useRead("listPlans");
  return (
    <TitledCard title={texts.plans} description={texts.plansIntro} isFlush>
      <Reading of={read} skeleton={<Skeleton height="16rem" />}>
        {({ plans }) => (
          <Table
            caption={texts.plans}
            rows={plans}
            rowKey={({ name }) => name}
            columns={[
              { key: "name", header: texts.plan, isRowHeader: true, cell: ({ name }) => name },
              { key: "memory", header: texts.memory, align: "end", cell: (plan) => megabytes(plan.memoryMb) },
              {
                key: "projects",
                header: texts.projects,
                align: "end",
                cell: (plan) => integer(plan.projects),
              },
              {
                key: "sites",
                header: texts.sites,
                align: "end",
                cell: (plan) => (
                  <TwoLines below={texts.withDomains(integer(plan.domains))}>{integer(plan.sites)}</TwoLines>
                ),
              },
              {
                key: "requests",
                header: texts.requests,
                align: "end",
                cell: (plan) => (
                  <TwoLines below={texts.perDay(integer(plan.requestsPerDay))}>
                    {texts.perMinute(integer(plan.requestsPerMinute))}
                  </TwoLines>
                ),
              },
              { key: "zip", header: texts.zip, align: "end", cell: (plan) => megabytes(plan.zipMb) },
              {
                key: "disk",
                header: texts.disk,
                align: "end",
                cell: (plan) => megabytes(plan.diskMbPerProject),
              },
              {
                key: "versions",
                header: texts.versions,
                align: "end",
                cell: (plan) => integer(plan.versionsKept),
              },
              {
                key: "restart",
                header: texts.restart,
                cell: (plan) => (plan.hasAutoRestart ? texts.yes : texts.no),
              },
            ]}
          />
        )}
      </Reading>
    </TitledCard>
  );
}
