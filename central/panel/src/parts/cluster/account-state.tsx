/** Suspends an account and lets it go on; ends its beta and takes that back. */

import type { AccountSummary } from "@tijolo/protocol/client";
import { useState } from "react";
import { useAction } from "../../api/use-action.ts";
import { dateTime } from "../../formats/formats.ts";
import { clusterAccountTexts } from "../../texts/cluster/account.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { NumberInput } from "../../ui/fields/number-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { fieldError } from "../entry/field-error.ts";
import { AccountStanding } from "./account-standing.tsx";
import styles from "./account-state.module.css";
import { ChangeDialog } from "./dialogs.tsx";
import { useWhyNot } from "./role.ts";

const hourMs = 3_600_000;
const minuteMs = 60_000;
const refreshes = ["getClusterAccount", "listAccounts"] as const;

type Question = "suspend" | "resume" | "endBeta" | "cancelBeta";
/** What a change says it did: a sentence, and the projects it is about. */
interface Outcome {
  title: string;
  text: string;
  projects: readonly { id: string; name: string }[];
}

interface QuestionProps {
  account: AccountSummary;
  onDone: (outcome: Outcome | null) => void;
  onClose: () => void;
}

export function AccountState({ account }: { account: AccountSummary }) {
  const texts = useTexts(clusterAccountTexts);
  const [asked, setAsked] = useState<Question | null>(null);
  const [outcome, setOutcome] = useState<Outcome | null>(null);
  const close = () => setAsked(null);
  const done = (result: Outcome | null) => {
    setOutcome(result);
    close();
  };
  return (
    <TitledCard title={texts.standing}>
      <div className={styles.rows}>
        <div>
          <AccountStanding account={account} />
        </div>
        {account.suspendedAt !== null && (
          <p>
            {texts.suspendedSince(dateTime(account.suspendedAt))}{" "}
            {account.stopsAt !== null && texts.stopsAt(dateTime(account.stopsAt))}
          </p>
        )}
        {account.betaEndsAt !== null && <p>{texts.betaEnds(account.name, dateTime(account.betaEndsAt))}</p>}
        {outcome !== null && <Told outcome={outcome} />}
        <Buttons account={account} onAsk={setAsked} />
      </div>
      {asked === "suspend" && <Suspension account={account} onDone={done} onClose={close} />}
      {asked === "resume" && <Resumption account={account} onDone={done} onClose={close} />}
      {asked === "endBeta" && <BetaEnd account={account} onDone={done} onClose={close} />}
      {asked === "cancelBeta" && <BetaKept account={account} onDone={done} onClose={close} />}
    </TitledCard>
  );
}

function Buttons({ account, onAsk }: { account: AccountSummary; onAsk: (question: Question) => void }) {
  const texts = useTexts(clusterAccountTexts);
  const whyNot = useWhyNot()();
  const isSuspended = account.suspendedAt !== null;
  return (
    <div className={styles.buttons}>
      <Button variant="warning" why={whyNot} onClick={() => onAsk("suspend")}>
        {texts.suspend}
      </Button>
      <Button why={whyNot ?? (isSuspended ? undefined : texts.notSuspended)} onClick={() => onAsk("resume")}>
        {texts.resume}
      </Button>
      {account.betaEndsAt === null ? (
        <Button
          why={whyNot ?? (account.plan === "Free" ? texts.alreadyFree : undefined)}
          onClick={() => onAsk("endBeta")}
        >
          {texts.endBeta}
        </Button>
      ) : (
        <Button why={whyNot} onClick={() => onAsk("cancelBeta")}>
          {texts.cancelBeta}
        </Button>
      )}
    </div>
  );
}

function Told({ outcome: { title, text, projects } }: { outcome: Outcome }) {
  return (
    <Banner role="status" tone="info" title={title}>
      <p>{text}</p>
      {projects.length > 0 && (
        <ul>
          {projects.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
    </Banner>
  );
}

function Suspension({ account, onDone, onClose }: QuestionProps) {
  const texts = useTexts(clusterAccountTexts);
  const suspend = useAction("suspendAccount", { refreshes: [...refreshes] });
  const [hours, setHours] = useState<number | null>(null);
  const confirm = () =>
    void suspend.run(
      { accountId: account.id, body: hours === null ? {} : { graceMs: Math.round(hours * hourMs) } },
      ({ running }) =>
        onDone({
          title: texts.suspendedNow(account.name),
          text: running.length === 0 ? texts.nothingRuns : texts.running,
          projects: running,
        }),
    );
  return (
    <ChangeDialog
      isDangerous
      title={texts.suspendTitle(account.name)}
      description={texts.suspendText}
      confirmWord={texts.suspend}
      action={suspend}
      fields={["graceMs"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.grace} hint={texts.graceHint} {...fieldError(suspend.error, "graceMs")}>
        <NumberInput value={hours} onValue={setHours} unit="h" min={0} />
      </Field>
    </ChangeDialog>
  );
}

function Resumption({ account, onDone, onClose }: QuestionProps) {
  const texts = useTexts(clusterAccountTexts);
  const resume = useAction("resumeAccount", { refreshes: [...refreshes] });
  const confirm = () =>
    void resume.run({ accountId: account.id }, ({ stopped }) =>
      onDone({
        title: texts.resumed(account.name),
        text: stopped.length === 0 ? texts.resumeText : texts.wereStopped,
        projects: stopped,
      }),
    );
  return (
    <ChangeDialog
      title={texts.resumeTitle(account.name)}
      description={texts.resumeText}
      confirmWord={texts.resume}
      action={resume}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}

function BetaEnd({ account, onDone, onClose }: QuestionProps) {
  const texts = useTexts(clusterAccountTexts);
  const end = useAction("endBeta", { refreshes: [...refreshes] });
  const [minutes, setMinutes] = useState<number | null>(10);
  const confirm = () =>
    void end.run({ accountId: account.id, body: { inMs: Math.round((minutes ?? 0) * minuteMs) } }, () =>
      onDone(null),
    );
  return (
    <ChangeDialog
      isDangerous
      title={texts.endBetaTitle(account.name)}
      description={texts.endBetaText}
      confirmWord={texts.endBeta}
      action={end}
      fields={["inMs"]}
      onConfirm={confirm}
      onClose={onClose}
    >
      <Field label={texts.betaIn} {...fieldError(end.error, "inMs")}>
        <NumberInput value={minutes} onValue={setMinutes} unit="min" min={0} />
      </Field>
    </ChangeDialog>
  );
}

function BetaKept({ account, onDone, onClose }: QuestionProps) {
  const texts = useTexts(clusterAccountTexts);
  const keep = useAction("cancelBetaEnd", { refreshes: [...refreshes] });
  const confirm = () =>
    void keep.run({ accountId: account.id }, () => {
      tell({ tone: "ok", text: texts.betaGoesOn(account.name) });
      onDone(null);
    });
  return (
    <ChangeDialog
      title={texts.cancelBetaTitle(account.name)}
      confirmWord={texts.cancelBeta}
      action={keep}
      onConfirm={confirm}
      onClose={onClose}
    />
  );
}
