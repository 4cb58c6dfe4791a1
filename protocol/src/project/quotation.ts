/** Words of programs and owners that stand in an {@link OwnerMessage}. */

import { shownText } from "../values/plain-text.ts";

/** Characters that are quoted of a program's words, and of a path or another program's error, at most. */
const shortLength = 80;
const longLength = 400;

/** The schemas of what {@link quote} and {@link quoteLong} return. */
export const quotation = shownText(shortLength + 1);
export const longQuotation = shownText(longLength + 1);

/** Returns a few words, short enough for a sentence. */
export function quote(text: string | undefined): string {
  return cut((text ?? "").trim(), shortLength);
}

/** Returns a path or an error of another program, short enough for a message. */
export function quoteLong(text: string): string {
  return cut(text, longLength);
}

/** Ends in "…" where the text was longer. No character is cut in two. */
function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const isWithinCharacter = !text.slice(0, length).isWellFormed();
  return `${text.slice(0, isWithinCharacter ? length - 1 : length)}…`;
}
