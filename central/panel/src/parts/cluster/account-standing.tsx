/** Whether an account is in good standing, in words and tone. */

import type { AccountSummary } from "@tijolo/protocol/client";
import { day } from "../../formats/formats.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Badge } from "../../ui/marks/badge.tsx";

interface AccountStandingProps {
  account: Pick<AccountSummary, "suspendedAt" | "betaEndsAt">;
}

export function AccountStanding({ account }: AccountStandingProps) {
  const texts = useTexts(clusterAccountsTexts);
  if (account.suspendedAt !== null) return <Badge tone="bad">{texts.suspended}</Badge>;
  if (account.betaEndsAt !== null)
    return <Badge tone="warn">{texts.betaEnds(day(account.betaEndsAt))}</Badge>;
  return <Badge tone="ok">{texts.good}</Badge>;
}
