/**
 * Writes the mails to people: in Portuguese, with the English below. No mail has a name in it: whoever signs
 * up with your e-mail would choose it.
 */

import type { NoticeContent } from "@tijolo/protocol";
import {
  anonymousNoticeText,
  mailSubjects,
  mailTexts,
  type MailParagraph,
} from "@tijolo/protocol/texts/central";
import type { Message } from "./mail.ts";

export function passwordResetMail({ to, link }: { to: string; link: string }): Message {
  const { pt, en } = mailTexts;
  return compose(to, mailSubjects.passwordReset, [...pt.passwordReset(link), ...en.passwordReset(link)]);
}

export function confirmSignUpMail({ to, link }: { to: string; link: string }): Message {
  const { pt, en } = mailTexts;
  return compose(to, mailSubjects.confirmSignUp, [...pt.confirmSignUp(link), ...en.confirmSignUp(link)]);
}

export function alreadySignedUpMail({ to, link }: { to: string; link: string }): Message {
  const { pt, en } = mailTexts;
  return compose(to, mailSubjects.alreadySignedUp, [
    ...pt.alreadySignedUp(link),
    ...en.alreadySignedUp(link),
  ]);
}

export function newSignInMail(event: {
  to: string;
  client: { address: string; userAgent: string };
  at: number;
  link: string;
}): Message {
  const { to, client, link } = event;
  const place = `${new Date(event.at).toISOString()}, ${client.address}, ${client.userAgent || "?"}`;
  const { pt, en } = mailTexts;
  return compose(to, mailSubjects.newSignIn, [
    ...pt.newSignIn({ place, link }),
    ...en.newSignIn({ place, link }),
  ]);
}

export function noticeMail({ to, content }: { to: string; content: NoticeContent }): Message {
  const { pt, en } = mailTexts;
  return compose(to, mailSubjects.notice, [
    ...pt.notice(anonymousNoticeText(content, "pt")),
    ...en.notice(anonymousNoticeText(content, "en")),
  ]);
}

function compose(to: string, subject: string, paragraphs: readonly MailParagraph[]): Message {
  const text = paragraphs
    .map((paragraph) => (typeof paragraph === "string" ? paragraph : paragraph.link))
    .join("\n\n");
  const html = paragraphs
    .map((paragraph) => {
      if (typeof paragraph === "string") return `<p>${escape(paragraph)}</p>`;
      return `<p><a href="${escape(paragraph.link)}">${escape(paragraph.link)}</a></p>`;
    })
    .join("\n");
  return { to, subject, text: `${text}\n`, html };
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
