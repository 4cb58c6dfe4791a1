/** Returns the texts of a notice in the reader's language. */

import { projectOfNotice, type NoticeContent, type NoticeTexts } from "../nouns/notice-content.ts";
import { notice as en } from "./en/notice.ts";
import { projectErrorMessage } from "./project-error.ts";
import { notice as pt } from "./pt/notice.ts";
import type { TextLanguage } from "./text-language.ts";

const texts: Readonly<Record<TextLanguage, NoticeTexts>> = { pt, en };

export interface NoticeText {
  title: string;
  message: string;
}

export function noticeText(content: NoticeContent, language: TextLanguage): NoticeText {
  // TypeScript does not see that the kind chooses the texts whose parameters are the notice's own.
  const { title, message } = texts[language][content.kind] as {
    title: (content: NoticeContent) => string;
    message: (content: NoticeContent, reason: string) => string;
  };
  const reason = "error" in content ? projectErrorMessage(content.error, language) : "";
  return { title: title(content), message: message(content, reason) };
}

/**
 * Returns the texts for mail, without any words that a person chose: somebody who signs up with your address
 * could otherwise send you text, as a project's name or its output. An operator's words stay.
 */
export function anonymousNoticeText(content: NoticeContent, language: TextLanguage): NoticeText {
  const project = projectOfNotice(content);
  if (project === null) return noticeText(content, language);
  const named = {
    ...content,
    project: { ...project, name: project.id },
    ...("hostname" in content ? { hostname: "(…)" } : {}),
  } as NoticeContent;
  return noticeText(
    "error" in named ? { ...named, error: { ...named.error, details: [] } } : named,
    language,
  );
}
