/** Defines names that people read in lists and choose by: of projects, keys, accounts and persons. */

import { z } from "zod";
import { inputReasons } from "../contract/input-reasons.ts";

/** Returns the schema of a name, trimmed, of at most `max` characters before that. */
export function visibleName(max: number) {
  return z
    .string()
    .max(max)
    .regex(/^[^\p{Cc}\u202a-\u202e\u2066-\u2069]*$/u, inputReasons.controlCharacter.pt)
    .refine((name) => name.isWellFormed(), inputReasons.halfCharacter.pt)
    .trim()
    .min(1)
    .refine(isVisible, inputReasons.noVisibleCharacter.pt);
}

/**
 * Characters that a name may not have: control characters, and those that turn the reading direction of what
 * follows.
 */
export const hiddenControls = /[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu;

/** True for a name with a visible character; the blank pattern of Braille counts as invisible. */
export function isVisible(name: string): boolean {
  return /[^\p{Z}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/u.test(name);
}

/**
 * {@link isVisible} for a JSON Schema, whose readers do not all know classes: what is not in the basic plane
 * counts as visible.
 */
export const visiblePattern =
  "[^\\s\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u034f\\u061c\\u115f\\u1160\\u17b4\\u17b5\\u180b-\\u180f" +
  "\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\u2800\\u3164\\ufe00-\\ufe0f\\ufeff\\uffa0]";
