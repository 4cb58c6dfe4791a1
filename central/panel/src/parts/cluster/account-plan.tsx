/** The plan of an account with what it uses of it; changed here, with what no longer fits. */

import type { AccountSummary, PlanChange } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { day, integer, megabytes } from "../../formats/formats.ts";
import { clusterTexts } from "../../texts/cluster/cluster.ts";
import { clusterAccountTexts } from "../../texts/cluster/account.ts";
import { clusterAccountsTexts } from "../../texts/cluster/accounts.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { DescriptionList } from "../../ui/layout/description-list.tsx";
import { Meter } from "../../ui/marks/meter.tsx";
import { ChangeDialog } from "./dialogs.tsx";
import { PlanField } from "./plan-field.tsx";
import { useWhyNot } from "./role.ts";

export function AccountPlan({ account }: { account: AccountSummary }) {
  const texts = useTexts(clusterAccountTexts);
  const lists = useTexts(clusterAccountsTexts);
  const words = useTexts(clusterTexts);
  const whyNot = useWhyNot();
  const [isChanging, setChanging] = useState(false);
  const [change, setChange] = useState<PlanChange | null>(null);
  const meters = [
    { label: lists.memory, amount: account.memoryMb, show: megabytes },
    { label: lists.projects, amount: account.projects, show: integer },
    { label: lists.sites, amount: account.sites, show: integer },
    { label: lists.domains, amount: account.domains, show: integer },
  ];
  const button = (
    <Button why={whyNot()} onClick={() => setChanging(true)}>
      {texts.change}
    </Button>
  );
  return (
    <TitledCard title={texts.usage} actions={button}>
      {change !== null && <Changed change={change} />}
      {meters.map(({ label, amount, show }) => (
        <Meter
          key={label}
          label={label}
          value={amount.used}
          max={amount.limit}
          tone={amount.used > amount.limit ? "bad" : "brick"}
          text={words.of(show(amount.used), show(amount.limit))}
        />
      ))}
      <DescriptionList
        items={[
          { term: texts.plan, value: account.plan },
          { term: lists.since, value: day(account.createdAt) },
          { term: texts.id, value: <code>{account.id}</code> },
        ]}
      />
      {isChanging && (
        <PlanDialog account={account} onChanged={setChange} onClose={() => setChanging(false)} />
      )}
    </TitledCard>
  );
}

interface PlanDialogProps {
  account: AccountSummary;
  onChanged: (change: PlanChange) => void;
  onClose: () => void;
}

function PlanDialog({ account, onChanged, onClose }: PlanDialogProps) {
  const texts = useTexts(clusterAccountTexts);
  const action = useAction("changePlan", { refreshes: ["getClusterAccount", "listAccounts"] });
  const [plan, setPlan] = useState(account.plan);
  const confirm = () =>
    void action.run({ accountId: account.id, body: { plan } }, (answer) => {
      onChanged(answer);
      onClose();
    });
  return (
    <ChangeDialog
      title={texts.change}
      description={texts.changeText}
      confirmWord={texts.change}
      action={action}
      onConfirm={confirm}
      onClose={onClose}
    >
      <PlanField value={plan} onValue={setPlan} />
    </ChangeDialog>
  );
}

function Changed({ change }: { change: PlanChange }) {
  const texts = useTexts(clusterAccountTexts);
  const { excess, belowMinimum } = change;
  const isFitting = excess.length === 0 && belowMinimum.length === 0;
  return (
    <Banner
      role="status"
      tone={isFitting ? "ok" : "warn"}
      title={texts.changed(change.before, change.account.plan)}
    >
      {isFitting && <p>{texts.fits}</p>}
      {excess.length > 0 && (
        <>
          <p>{texts.excess}</p>
          <ul>
            {excess.map(({ of, used, limit }) => (
              <li key={of}>{texts.excessOf[of](integer(used), integer(limit))}</li>
            ))}
          </ul>
        </>
      )}
      {belowMinimum.length > 0 && (
        <>
          <p>{texts.belowMinimum}</p>
          <ul>
            {belowMinimum.map(({ id, name, memoryMb, minimumMb }) => (
              <li key={id}>{texts.below(name, megabytes(memoryMb), megabytes(minimumMb))}</li>
            ))}
          </ul>
        </>
      )}
    </Banner>
  );
}
