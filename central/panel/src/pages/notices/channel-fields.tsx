/** Fields of one channel: on or off, its address, the kinds that it carries, and how its last try went. */

import type { NoticeChannels } from "@tijolo/protocol/client";
import { dateTime } from "../../formats/formats.ts";
import { channelsTexts } from "../../texts/notices.ts";
import { useTexts } from "../../texts/in-both.ts";
import { Checkbox } from "../../ui/fields/checkbox.tsx";
import { Field } from "../../ui/fields/field.tsx";
import { Switch } from "../../ui/fields/switch.tsx";
import { TextInput } from "../../ui/fields/text-input.tsx";
import { Banner } from "../../ui/layout/banner.tsx";
import { noticeKinds, withKind, type AddressedChannel, type NoticeKind } from "./channel-form.ts";
import styles from "./notices-page.module.css";

interface AddressedFieldsProps {
  words: { title: string; on: string; url: string; hint: string };
  value: AddressedChannel;
  /** As it is at the server; null when it is off. */
  stored: NoticeChannels["discord"];
  onValue: (value: AddressedChannel) => void;
  error?: string;
}

export function AddressedFields({ words, value, stored, onValue, error }: AddressedFieldsProps) {
  const texts = useTexts(channelsTexts);
  return (
    <fieldset className={styles.channel}>
      <legend>{words.title}</legend>
      <Switch label={words.on} checked={value.isOn} onValue={(isOn) => onValue({ ...value, isOn })} />
      {value.isOn && (
        <>
          <div className={styles.address}>
            <Field label={words.url} hint={words.hint} error={error}>
              <TextInput
                type="url"
                isMono
                inputMode="url"
                autoComplete="off"
                value={value.url}
                onValue={(url) => onValue({ ...value, url })}
              />
            </Field>
          </div>
          <Kinds kinds={value.kinds} onKinds={(kinds) => onValue({ ...value, kinds })} />
        </>
      )}
      {stored !== null && stored.url === null && <Banner tone="bad" title={texts.unreadable} />}
      {stored !== null && <DeliveryState state={stored} />}
    </fieldset>
  );
}

interface KindsProps {
  kinds: readonly NoticeKind[];
  onKinds: (kinds: readonly NoticeKind[]) => void;
}

export function Kinds({ kinds, onKinds }: KindsProps) {
  const texts = useTexts(channelsTexts);
  return (
    <fieldset className={styles.kinds}>
      <legend>{texts.kinds}</legend>
      {noticeKinds.map((kind) => (
        <Checkbox
          key={kind}
          label={texts.kindNames[kind]}
          checked={kinds.includes(kind)}
          onValue={(isOn) => onKinds(withKind(kinds, kind, isOn))}
        />
      ))}
    </fieldset>
  );
}

type ChannelState = Omit<NoticeChannels["email"], "address" | "kinds">;

export function DeliveryState({ state }: { state: ChannelState }) {
  const texts = useTexts(channelsTexts);
  const { lastError, lastSentAt, isFailing, failingSince } = state;
  if (lastError === null)
    return (
      <p className={styles.soft}>{lastSentAt === null ? texts.never : texts.sent(dateTime(lastSentAt))}</p>
    );
  const { code, status, at } = lastError;
  const reason = code === "status" && status !== null ? texts.status(status) : texts.reasons[code];
  return (
    <Banner tone={isFailing ? "bad" : "warn"} title={texts.failed(dateTime(at), reason)}>
      {isFailing && failingSince !== null ? texts.failing(dateTime(failingSince)) : undefined}
    </Banner>
  );
}
