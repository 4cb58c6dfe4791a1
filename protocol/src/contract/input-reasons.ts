/**
 * Holds the messages of the schemas' own rules: the Portuguese text is the schema's message, by which the
 * English one is found.
 */

import { inputReasons as en } from "../texts/en/input-reasons.ts";
import { inBothLanguages } from "../texts/in-both-languages.ts";
import { inputReasons as pt } from "../texts/pt/input-reasons.ts";
import type { Words } from "../values/words.ts";

export const inputReasons = inBothLanguages(pt, en);

/** Returns the reason; undefined for a message that is none of ours. */
export function findInputReason(message: string): Words | undefined {
  return Object.values(inputReasons).find(({ pt }) => pt === message);
}
