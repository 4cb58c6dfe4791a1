/** The accounts of the cluster, with the ways to a new one and the plans. */

import type { AccountSummary } from "@tijolo/protocol/client";
import { Link, useSearch } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import { usePages } from "../../api/use-pages.ts";
import { LinkIcon, PlusIcon } from "../../design/icons/icons.tsx";
import { day, integer, megabytes } from "../../formats/formats.ts";
import { AccountFilters } from "../../parts/cluster/account-filters.tsx";
import { isShown } from "../../parts/cluster/account-search.ts";
import { AccountStanding } from "../../parts/cluster/account-standing.tsx";
import { NewAccount, NewInvitation } from "../../parts/cluster/new-account.tsx";
import { PlanTable } from "../../parts/cluster/plan-table.tsx";
import { useWhyNot } from "../../parts/cluster/role.ts";
import { Windowed } from "../../parts/cluster/windowed.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Card } from "../../ui/layout/card.tsx";
import { Empty } from "../../ui/layout/empty.tsx";
import { Table } from "../../ui/layout/table.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";

/** Matches for which a filter reads on by itself. */
const enough = 50;

export function Page() {
  const texts = useTexts(clusterAccountsTexts);
  const whyNot = useWhyNot();
  const search = useSearch({ from: "/app/cluster/accounts" });
  const [open, setOpen] = useState<"account" | "invitation" | null>(null);
  const close = () => setOpen(null);
  const actions = (
    <>
      <Button icon={<LinkIcon />} why={whyNot()} onClick={() => setOpen("invitation")}>
        {texts.invite}
      </Button>
      <Button variant="primary" icon={<PlusIcon />} why={whyNot()} onClick={() => setOpen("account")}>
        {texts.create}
      </Button>
    </>
  );
  return (
    <PageHead title={texts.title} intro={texts.intro} actions={actions}>
      <AccountFilters search={search} />
      <Accounts />
      <PlanTable />
      {open === "account" && <NewAccount onClose={close} />}
      {open === "invitation" && <NewInvitation onClose={close} />}
    </PageHead>
  );
}

function Accounts() {
  const texts = useTexts(clusterAccountsTexts);
  const search = useSearch({ from: "/app/cluster/accounts" });
  const read = usePages("listAccounts", search.q === undefined ? {} : { query: { reference: search.q } });
  const shown = (read.data ?? []).flatMap(({ accounts }) => accounts.filter((one) => isShown(one, search)));
  const isFiltered = search.plan !== undefined || search.state !== undefined;
  const { hasMore, isLoadingMore, loadMore, error } = read;
  const readsOn = isFiltered && hasMore && error === null && shown.length < enough;
  // The server does not know these filters: a page without a match says nothing about the next one.
  useEffect(() => {
    if (readsOn && !isLoadingMore) loadMore();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- `loadMore` is another function each time
  }, [readsOn, isLoadingMore]);
  return (
    <Reading of={read} skeleton={<Skeleton count={6} height="2.5rem" label={texts.title} />}>
      {() => {
        if (shown.length > 0)
          return (
            <Windowed rows={shown} more={read}>
              {(rows) => (
                <Card isFlush>
                  <Rows accounts={rows} />
                </Card>
              )}
            </Windowed>
          );
        if (readsOn) return <Skeleton count={6} height="2.5rem" label={texts.reading} />;
        const isSearched = isFiltered || search.q !== undefined;
        return isSearched ? (
          <Empty picture="nothing" sentence={texts.noMatch} />
        ) : (
          <Empty sentence={texts.none} />
        );
      }}
    </Reading>
  );
}

function Rows({ accounts }: { accounts: readonly AccountSummary[] }) {
  const texts = useTexts(clusterAccountsTexts);
  const words = useTexts(clusterTexts);
  return (
    <Table
      caption={texts.title}
      rows={accounts}
      rowKey={({ id }) => id}
      columns={[
        {
          key: "name",
          header: texts.name,
          isRowHeader: true,
          cell: ({ id, name }) => (
            <Link to="/cluster/accounts/$accountId" params={{ accountId: id }}>
              {name}
            </Link>
          ),
        },
        { key: "plan", header: texts.plan, cell: ({ plan }) => plan },
        { key: "state", header: texts.state, cell: (account) => <AccountStanding account={account} /> },
        {
          key: "memory",
          header: texts.memory,
          align: "end",
          cell: ({ memoryMb }) => words.of(megabytes(memoryMb.used), megabytes(memoryMb.limit)),
        },
        {
          key: "projects",
          header: texts.projects,
          align: "end",
          cell: ({ projects }) => words.of(integer(projects.used), integer(projects.limit)),
        },
        { key: "since", header: texts.since, cell: ({ createdAt }) => day(createdAt) },
      ]}
    />
  );
}
