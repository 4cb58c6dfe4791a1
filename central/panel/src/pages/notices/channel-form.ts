/** What the form of the channels holds: each channel with its address and kinds, also while it is off. */

import type { NewNoticeChannels, NoticeChannels } from "@tijolo/protocol/client";

export type NoticeKind = NoticeChannels["email"]["kinds"][number];

export interface AddressedChannel {
  isOn: boolean;
  url: string;
  kinds: readonly NoticeKind[];
}

export interface ChannelForm {
  email: readonly NoticeKind[];
  discord: AddressedChannel;
  webhook: AddressedChannel;
}

/** All kinds that a channel can carry, in the order in which they are shown. */
export const noticeKinds: readonly NoticeKind[] = [
  "out_of_memory",
  "crash_loop",
  "install_failed",
  "start_failed",
  "limit",
  "domain_proof_gone",
  "domain_failed",
  "certificate_ending",
  "host_maintenance",
  "announcement",
];

/** A channel that was off begins with all kinds. */
export function formOf({ email, discord, webhook }: NoticeChannels): ChannelForm {
  const fields = (channel: NoticeChannels["discord"]) => ({
    isOn: channel !== null,
    url: channel?.url ?? "",
    kinds: inOrder(channel?.kinds ?? noticeKinds),
  });
  return { email: inOrder(email.kinds), discord: fields(discord), webhook: fields(webhook) };
}

/** Returns the document that stores what the form says. */
export function channelsOf({ email, discord, webhook }: ChannelForm): NewNoticeChannels {
  const stored = ({ isOn, url, kinds }: AddressedChannel) =>
    isOn ? { url: url.trim(), kinds: [...kinds] } : null;
  return { email: { kinds: [...email] }, discord: stored(discord), webhook: stored(webhook) };
}

export function isSameForm(one: ChannelForm, other: ChannelForm): boolean {
  return JSON.stringify(channelsOf(one)) === JSON.stringify(channelsOf(other));
}

export function withKind(kinds: readonly NoticeKind[], kind: NoticeKind, isOn: boolean): NoticeKind[] {
  return inOrder(isOn ? [...kinds, kind] : kinds.filter((other) => other !== kind));
}

function inOrder(kinds: readonly NoticeKind[]): NoticeKind[] {
  return noticeKinds.filter((kind) => kinds.includes(kind));
}
