/**
 * What an input breaks where a schema has a rule of its own: the Portuguese text is the schema's message, by
 * which the other is found.
 */

import { inputReasons as en } from "../texts/en/input-reasons.ts";
import { inBothLanguages } from "../texts/in-both-languages.ts";
import { inputReasons as pt } from "../texts/pt/input-reasons.ts";
import type { Words } from "../values/words.ts";

export const inputReasons = inBothLanguages(pt, en);

/** Undefined for a message that is none of ours. */
export function findInputReason(message: string): Words | undefined {
  return Object.values(inputReasons).find(({ pt }) => pt === message);
}
