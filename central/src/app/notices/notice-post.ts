/** Writes a notice as a signed document for a webhook, and as an embed for Discord. */

import { createHmac } from "node:crypto";
import { noticeText } from "@tijolo/protocol/texts/central";
import type { NoticeRow } from "../../store/tables/notices/notice.ts";
import type { ChannelAddress } from "./channel-address.ts";
import { noticeData } from "./notice-view.ts";
import type { Post } from "./post-json.ts";

/** Largest numbers of characters that Discord accepts. */
const discordTitle = 256;
const discordDescription = 4_096;

/** Returns the request to a webhook, signed at `now`. Its `id` is the same in every try. */
export function webhookPost(notice: NoticeRow, { url, signingKey }: ChannelAddress, now: number): Post {
  const texts = textsOf(notice);
  const body = JSON.stringify({
    id: notice.id,
    kind: notice.content.kind,
    projectId: notice.projectId,
    at: new Date(notice.at).toISOString(),
    lastAt: new Date(notice.lastAt).toISOString(),
    count: notice.count,
    title: { "pt-BR": texts.pt.title, en: texts.en.title },
    message: { "pt-BR": texts.pt.message, en: texts.en.message },
    data: noticeData(notice),
  });
  const seconds = Math.floor(now / 1000);
  const signature = signatureOf(signingKey ?? "", seconds, body);
  return {
    url,
    body,
    headers: { "tijolo-notice-id": notice.id, "tijolo-signature": `t=${seconds},v1=${signature}` },
  };
}

/** Returns the HMAC-SHA256 of `<seconds>.<body>`, in hexadecimal. */
export function signatureOf(signingKey: string, seconds: number, body: string): string {
  return createHmac("sha256", signingKey).update(`${seconds}.${body}`).digest("hex");
}

/** Returns the request to Discord. No word in it notifies anybody, as a project's name may be `@everyone`. */
export function discordPost(notice: NoticeRow, { url }: ChannelAddress): Post {
  const { pt, en } = textsOf(notice);
  const embed = {
    title: cut(pt.title, discordTitle),
    description: cut(`${pt.message}\n\n*${en.title}* — ${en.message}`, discordDescription),
    timestamp: new Date(notice.at).toISOString(),
    footer: { text: `Tijolo · ${notice.content.kind} · ${notice.id}` },
  };
  return { url, headers: {}, body: JSON.stringify({ embeds: [embed], allowed_mentions: { parse: [] } }) };
}

function textsOf({ content }: NoticeRow) {
  return { pt: noticeText(content, "pt"), en: noticeText(content, "en") };
}

function cut(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, most - 1).toWellFormed()}…`;
}
