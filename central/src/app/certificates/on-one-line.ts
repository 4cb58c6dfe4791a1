const maxLength = 500;

/** Bounds a text that others wrote: one line, nothing that controls a terminal. */
export function onOneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\p{Cf}\u2028\u2029]+/gu, " ")
    .trim()
    .slice(0, maxLength);
}
