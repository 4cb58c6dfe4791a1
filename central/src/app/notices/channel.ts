/** Shows and stores the channels that carry an account's notices. */

import {
  AppError,
  type DeliveryError,
  type NewNoticeChannels,
  type Notice,
  type NoticeChannelName,
  type NoticeChannels,
} from "@tijolo/protocol";
import { refusalDetails } from "@tijolo/protocol/texts/central";
import { transact, type Reader, type Transaction } from "../../store/store.ts";
import {
  deleteNoticeChannel,
  listNoticeChannels,
  saveNoticeChannel,
  type NoticeChannelRow,
} from "../../store/tables/notices/notice-channel.ts";
import { deleteDeliveriesOfChannel } from "../../store/tables/notices/notice-delivery.ts";
import { findPersonOfAccount } from "../../store/tables/people/person.ts";
import { recordActivity } from "../accounts/activity.ts";
import type { Principal } from "../identity/caller.ts";
import { isoOrNull } from "../iso-or-null.ts";
import { isForbiddenUrl } from "../outbound/private-address.ts";
import { VaultError } from "../secrets/vault.ts";
import { openAddress, sealAddress, type ChannelAddress } from "./channel-address.ts";
import { mailedByDefault, noteNotice } from "./note-notice.ts";
import { viewNotice, type NoticeLanguage } from "./notice-view.ts";
import type { NoticesContext } from "./notices-context.ts";

/** Milliseconds of nothing but failures after which a channel is shown as failing. */
export const failingAfterMs = 24 * 60 * 60 * 1000;

export function getChannels(
  app: NoticesContext,
  { account }: Pick<Principal, "account">,
): Promise<NoticeChannels> {
  return viewChannels(app, app.db, account.id);
}

/**
 * Replaces the channels. A webhook keeps its signing key, unless another one is given; the first one gets a
 * new key, which is in the answer. Throws `invalid_request` for a webhook that is an address of an internal
 * network; one whose name leads there is refused when something is sent.
 */
export async function setChannels(
  app: NoticesContext,
  { account, actor }: Principal,
  wanted: NewNoticeChannels,
): Promise<{ channels: NoticeChannels; signingKey: string | null }> {
  if (wanted.webhook !== null && isForbiddenUrl(wanted.webhook.url, app))
    throw new AppError("invalid_request", {
      extra: { field: "webhook" },
      detail: refusalDetails.privateWebhook,
    });
  const madeKey = Buffer.from(app.random(32)).toString("base64url");
  return transact(app.db, async (tx) => {
    const rows = await listNoticeChannels(tx, account.id);
    const before = await viewChannels(app, tx, account.id);
    const { email, discord, webhook } = wanted;
    const stored = rows.find(({ channel }) => channel === "webhook");
    const keptKey = stored === undefined ? null : (openAddress(app, stored)?.signingKey ?? null);
    const signingKey = webhook?.signingKey ?? keptKey ?? madeKey;
    await saveNoticeChannel(tx, {
      accountId: account.id,
      channel: "email",
      kinds: [...new Set(email.kinds)],
      sealed: null,
    });
    await storeAddress(app, tx, { accountId: account.id, channel: "discord" }, withKey(discord, null));
    await storeAddress(app, tx, { accountId: account.id, channel: "webhook" }, withKey(webhook, signingKey));
    const channels = await viewChannels(app, tx, account.id);
    await recordActivity(app, tx, {
      accountId: account.id,
      actor,
      action: "account.notice_channels",
      before: kindsOf(before),
      after: kindsOf(channels),
    });
    return { channels, signingKey: webhook !== null && signingKey === madeKey ? madeKey : null };
  });
}

/** Sends a test notice through all channels. Throws `too_many_requests` when the last one was just now. */
export async function testChannels(
  app: NoticesContext,
  { account }: Principal,
  language: NoticeLanguage,
): Promise<{ notice: Notice }> {
  app.testNoticePace.begin(account.id);
  // Each test has a subject of its own, so that it is never counted with another.
  const content = { kind: "test" } as const;
  return transact(app.db, async (tx) => {
    const subject = String(app.clock.now());
    const notice = await noteNotice(app, tx, { accountId: account.id, subject, content });
    return { notice: viewNotice(notice, language) };
  });
}

type NewChannel = { kinds: NoticeChannelRow["kinds"]; address: ChannelAddress };

function withKey(
  wanted: { url: string; kinds: NoticeChannelRow["kinds"] } | null,
  signingKey: string | null,
): NewChannel | null {
  if (wanted === null) return null;
  return { kinds: [...new Set(wanted.kinds)], address: { url: wanted.url, signingKey } };
}

async function storeAddress(
  app: NoticesContext,
  tx: Transaction,
  owner: { accountId: string; channel: NoticeChannelName },
  wanted: NewChannel | null,
): Promise<void> {
  if (wanted === null) {
    await deleteDeliveriesOfChannel(tx, owner);
    await deleteNoticeChannel(tx, owner);
    return;
  }
  try {
    await saveNoticeChannel(tx, {
      ...owner,
      kinds: wanted.kinds,
      sealed: sealAddress(app, owner, wanted.address),
    });
  } catch (cause) {
    if (cause instanceof VaultError) throw new AppError("variables_unavailable", { cause });
    throw cause;
  }
}

async function viewChannels(app: NoticesContext, db: Reader, accountId: string): Promise<NoticeChannels> {
  const rows = await listNoticeChannels(db, accountId);
  const now = app.clock.now();
  const find = (name: NoticeChannelName) => rows.find(({ channel }) => channel === name);
  const withUrl = (row: NoticeChannelRow | undefined) =>
    row === undefined ? null : { url: openAddress(app, row)?.url ?? null, ...stateOf(row, now) };
  const person = app.mail.isConfigured ? await findPersonOfAccount(db, accountId) : undefined;
  return {
    email: { address: person?.email ?? null, ...stateOf(find("email"), now) },
    discord: withUrl(find("discord")),
    webhook: withUrl(find("webhook")),
  };
}

function stateOf(row: NoticeChannelRow | undefined, now: number) {
  const failingSince = row?.failingSince ?? null;
  return {
    kinds: row?.kinds ?? [...mailedByDefault],
    lastSentAt: isoOrNull(row?.lastSentAt ?? null),
    lastError: errorOf(row?.lastError ?? null),
    failingSince: isoOrNull(failingSince),
    isFailing: failingSince !== null && now - failingSince >= failingAfterMs,
  };
}

function errorOf(error: NoticeChannelRow["lastError"]): DeliveryError | null {
  return error === null ? null : { ...error, at: new Date(error.at).toISOString() };
}

/** Returns which kinds each channel carries, without addresses: the activity holds no secret. */
function kindsOf({ email, discord, webhook }: NoticeChannels): Record<string, unknown> {
  return {
    emailKinds: email.kinds,
    discordKinds: discord?.kinds ?? null,
    webhookKinds: webhook?.kinds ?? null,
  };
}
