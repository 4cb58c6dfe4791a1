/**
 * Defines texts that a terminal shows unchanged: one line, with no character that controls a terminal or
 * turns the reading direction.
 */

import { z } from "zod";
import { inputReasons } from "../contract/input-reasons.ts";

/**
 * Matches control characters, separators of lines and paragraphs, controls of the reading direction, and
 * halves of characters.
 */
const steering = String.raw`\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\p{Cs}`;
const plain = new RegExp(`^[^${steering}]*$`, "u");
const eachSteering = new RegExp(`[${steering}]`, "gu");

/** Returns the schema of such a text. */
export function plainText(maxLength: number) {
  return z.string().max(maxLength).regex(plain, inputReasons.notOneLine.pt);
}

/**
 * Returns the schema of a text that is only shown to people. It accepts any characters and makes them plain,
 * so that a message is not lost for what an older agent wrote into it.
 */
export function shownText(maxLength: number) {
  return z.string().max(maxLength).transform(toPlainText).pipe(plainText(maxLength));
}

/**
 * Returns the text as {@link plainText} takes it, of the same length: white space becomes a space, another
 * such character U+FFFD.
 */
export function toPlainText(text: string): string {
  return text.replace(eachSteering, (character) => (/\s/.test(character) ? " " : "\ufffd"));
}

/** Returns the value with {@link toPlainText} of each text in it, however deep. */
export function withPlainTexts<Value>(value: Value): Value {
  return plainTextsIn(value) as Value;
}

function plainTextsIn(value: unknown): unknown {
  if (typeof value === "string") return toPlainText(value);
  if (Array.isArray(value)) return value.map(plainTextsIn);
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, entry]) => [name, plainTextsIn(entry)]));
}
