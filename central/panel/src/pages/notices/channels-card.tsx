/** The channels that carry notices: which kinds, where to, how the last try went, and a test. */

import type { NoticeChannels } from "@tijolo/protocol/client";
import { lazy, Suspense, useState, type FormEvent } from "react";
import { useAction } from "../../api/use-action.ts";
import { refresh, useRead } from "../../api/use-read.ts";
import { fieldError, isErrorOf } from "../../parts/entry/field-error.ts";
import { useFocusInvalid } from "../../parts/entry/use-focus-invalid.ts";
import { Failure } from "../../parts/failure.tsx";
import { useLeaveGuard } from "../../parts/leave-guard.ts";
import { Reading } from "../../parts/reading.tsx";
import { channelsTexts } from "../../texts/notices.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Button } from "../../ui/actions/button.tsx";
import { TitledCard } from "../../ui/layout/card.tsx";
import { Skeleton } from "../../ui/marks/skeleton.tsx";
import { tell } from "../../ui/overlays/toast-store.ts";
import { channelsOf, formOf, isSameForm } from "./channel-form.ts";
import { AddressedFields, DeliveryState, Kinds } from "./channel-fields.tsx";
import styles from "./notices-page.module.css";

const SigningKey = lazy(async () => ({ default: (await import("./signing-key.tsx")).SigningKey }));

export function ChannelsCard() {
  const texts = useTexts(channelsTexts);
  const read = useRead("getNoticeChannels");
  return (
    <div id="channels">
      <TitledCard title={texts.title} description={texts.intro}>
        <Reading of={read} skeleton={<Skeleton height="18rem" label={texts.title} />}>
          {({ channels }) => <Channels channels={channels} />}
        </Reading>
      </TitledCard>
    </div>
  );
}

function Channels({ channels }: { channels: NoticeChannels }) {
  const texts = useTexts(channelsTexts);
  const save = useAction("setNoticeChannels", { refreshes: ["getNoticeChannels"] });
  // What was typed stays when the channels are read again.
  const stored = formOf(channels);
  const [typed, setTyped] = useState<typeof stored | null>(null);
  const [signingKey, setSigningKey] = useState<string | null>(null);
  const form = typed ?? stored;
  const isChanged = typed !== null && !isSameForm(typed, stored);
  useLeaveGuard(isChanged);
  const element = useFocusInvalid(save.error);
  const isAtField = ["discord", "webhook"].some((field) => isErrorOf(save.error, field));
  const send = (event: FormEvent) => {
    event.preventDefault();
    if (!isChanged) return;
    void save.run({ body: channelsOf(form) }, (answer) => {
      setTyped(formOf(answer.channels));
      setSigningKey(answer.signingKey);
      tell({ tone: "ok", text: texts.saved });
    });
  };
  const { email, discord, webhook } = channels;
  return (
    <form ref={element} noValidate className={styles.channels} onSubmit={send}>
      <fieldset className={styles.channel}>
        <legend>{texts.email}</legend>
        <p className={styles.soft}>{email.address === null ? texts.noMail : texts.emailTo(email.address)}</p>
        {email.address !== null && (
          <Kinds kinds={form.email} onKinds={(kinds) => setTyped({ ...form, email: kinds })} />
        )}
        {email.address !== null && email.kinds.length > 0 && <DeliveryState state={email} />}
      </fieldset>
      <AddressedFields
        words={{ title: texts.discord, on: texts.discordOn, url: texts.discordUrl, hint: texts.discordHint }}
        value={form.discord}
        stored={discord}
        onValue={(value) => setTyped({ ...form, discord: value })}
        {...fieldError(save.error, "discord")}
      />
      <AddressedFields
        words={{ title: texts.webhook, on: texts.webhookOn, url: texts.webhookUrl, hint: texts.webhookHint }}
        value={form.webhook}
        stored={webhook}
        onValue={(value) => setTyped({ ...form, webhook: value })}
        {...fieldError(save.error, "webhook")}
      />
      {save.error !== null && !isAtField && <Failure error={save.error} title={texts.title} />}
      <div className={styles.pages}>
        <Button
          type="submit"
          variant="primary"
          isBusy={save.isRunning}
          why={isChanged ? undefined : texts.nothingToSave}
        >
          {texts.save}
        </Button>
        {isChanged && <Button onClick={() => setTyped(null)}>{texts.discard}</Button>}
        <TestButton channels={channels} isChanged={isChanged} />
      </div>
      {signingKey !== null && (
        <Suspense>
          <SigningKey secret={signingKey} onClose={() => setSigningKey(null)} />
        </Suspense>
      )}
    </form>
  );
}

/** Sends a test; how it went is known a moment later, and read when the person asks. */
function TestButton({ channels, isChanged }: { channels: NoticeChannels; isChanged: boolean }) {
  const texts = useTexts(channelsTexts);
  const test = useAction("testNoticeChannels", { refreshes: ["listNotices"] });
  const [isTested, setTested] = useState(false);
  const { email, discord, webhook } = channels;
  const isOff = (email.address === null || email.kinds.length === 0) && discord === null && webhook === null;
  const why = isChanged ? texts.saveFirst : isOff ? texts.noChannel : undefined;
  return (
    <>
      <Button
        isBusy={test.isRunning}
        why={why}
        onClick={() => void test.run(undefined, () => setTested(true))}
      >
        {texts.test}
      </Button>
      {isTested && <Button onClick={() => void refresh("getNoticeChannels")}>{texts.seeResult}</Button>}
      <span role="status" className={styles.soft}>
        {isTested && texts.tested}
      </span>
      {test.error !== null && <Failure error={test.error} title={texts.test} />}
    </>
  );
}
