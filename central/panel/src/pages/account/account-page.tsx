/** What the plan gives and what is used of it, beside what the other plans would give. */

import type { Account, OperationAnswer } from "@tijolo/protocol/client";
import { useRead } from "../../api/use-read.ts";
import { day, integer, megabytes } from "../../formats/formats.ts";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { accountPageTexts } from "../../texts/account/account.ts";
import { useTexts } from "../../texts/in-both.ts";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Badge } from "../../ui/marks/badge.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import styles from "./account-page.module.css";

export function Page() {
  const texts = useTexts(accountPageTexts);
  const read = useRead("getAccount");
  const service = useRead("getService");
  const account = read.data?.account;
  return (
    <PageHead title={texts.title} {...(account === undefined ? {} : { intro: texts.intro(account.plan) })}>
      <Reading of={read} skeleton={<Skeleton height="18rem" label={texts.title} />}>
        {({ account }) => <Usage account={account} />}
      </Reading>
      {service.data !== undefined && account !== undefined && (
        <Plans plans={service.data.plans} own={account.plan} />
      )}
    </PageHead>
  );
}

function Usage({ account }: { account: Account }) {
  const texts = useTexts(accountPageTexts);
  const { memoryMb, projects, sites, domains, requests } = account;
  const spent = ({ limit, remaining }: { limit: number; remaining: number }) => limit - remaining;
  const rows = [
    { label: texts.memory, value: memoryMb.used, max: memoryMb.limit, show: megabytes },
    { label: texts.projects, value: projects.used, max: projects.limit, show: integer },
    { label: texts.sites, value: sites.used, max: sites.limit, show: integer },
    { label: texts.domains, value: domains.used, max: domains.limit, show: integer },
    {
      label: texts.perMinute,
      value: spent(requests.perMinute),
      max: requests.perMinute.limit,
      show: integer,
    },
    { label: texts.perDay, value: spent(requests.perDay), max: requests.perDay.limit, show: integer },
  ];
  return (
    <>
      <TitledCard title={texts.usage} description={texts.memoryHint}>
        <div className={styles.meters}>
          {rows.map(({ label, value, max, show }) => (
            <Meter
              key={label}
              label={label}
              value={value}
              max={max}
              text={texts.used(show(value), show(max))}
            />
          ))}
        </div>
        <p className={styles.since}>{texts.created(day(account.createdAt))}</p>
      </TitledCard>
    </>
  );
}

type Plan = OperationAnswer<"getService">["plans"][number];

function Plans({ plans, own }: { plans: readonly Plan[]; own: string }) {
  const texts = useTexts(accountPageTexts);
  return (
    <TitledCard title={texts.plans} description={texts.plansIntro} isFlush>
      <Table
        caption={texts.plans}
        rows={plans}
        rowKey={({ name }) => name}
        columns={[
          {
            key: "name",
            header: texts.plan,
            isRowHeader: true,
            cell: ({ name }) => (
              <>
                {name} {name === own && <Badge tone="ok">{texts.yours}</Badge>}
              </>
            ),
          },
          { key: "memory", header: texts.memory, align: "end", cell: (plan) => megabytes(plan.memoryMb) },
          { key: "projects", header: texts.projects, align: "end", cell: (plan) => integer(plan.projects) },
          { key: "sites", header: texts.sites, align: "end", cell: (plan) => integer(plan.sites) },
          { key: "domains", header: texts.domains, align: "end", cell: (plan) => integer(plan.domains) },
          { key: "zip", header: texts.zip, align: "end", cell: (plan) => megabytes(plan.zipMb) },
          { key: "disk", header: texts.disk, align: "end", cell: (plan) => megabytes(plan.diskMbPerProject) },
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
    </TitledCard>
  );
}
