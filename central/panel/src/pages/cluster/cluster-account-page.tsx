/** One account, as those who run the cluster see and change it. */

import { Link, useParams } from "@tanstack/react-router";
import { useRead } from "../../api/use-read.ts";
import { AccountAccess } from "../../parts/cluster/account-access.tsx";
import { AccountPlan } from "../../parts/cluster/account-plan.tsx";
import { AccountState } from "../../parts/cluster/account-state.tsx";
import { Page as PageHead } from "../../parts/page.tsx";
import { Reading } from "../../parts/reading.tsx";
import { clusterAccountTexts } from "../../texts/cluster/account.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Skeleton } from "../../ui/marks/skeleton.tsx";

export function Page() {
  const { accountId } = useParams({ from: "/app/cluster/accounts/$accountId" });
  const texts = useTexts(clusterAccountTexts);
  const read = useRead("getClusterAccount", { accountId });
  return (
    <PageHead
      title={read.data?.account.name ?? texts.title}
      intro={<Link to="/cluster/accounts">{texts.back}</Link>}
    >
      <Reading of={read} skeleton={<Skeleton count={3} height="12rem" label={texts.title} />}>
        {({ account }) => (
          <>
            <AccountPlan account={account} />
            <AccountState account={account} />
            <AccountAccess account={account} />
          </>
        )}
      </Reading>
    </PageHead>
  );
}
