/** Explains why an archive is not accepted: for the log, and in words for the person who sent it. */

import type { Words } from "../values/words.ts";
import { archiveTexts } from "../texts/archive.ts";

export type UnsafeArchiveReason =
  | "path"
  | "link"
  | "special_file"
  | "size"
  | "file_count"
  | "compression_ratio";

/**
 * Thrown for an archive that is not accepted: `invalid_zip` when it is no readable .zip, `unsafe_zip` (always
 * with a reason and `words`) when it breaks a rule, `invalid_config` when its svc.json is too long or no
 * text. `detail` is English and for the log; both name entries as {@link printableName} returns them.
 */
export class ArchiveError extends Error {
  override name = "ArchiveError";
  readonly code: "invalid_zip" | "unsafe_zip" | "invalid_config";
  readonly reason: UnsafeArchiveReason | undefined;
  readonly detail: string;
  /** Sentence for the person who sent it. */
  readonly words: Words | null;

  constructor(refusal: "invalid_zip" | "invalid_config", detail: string, cause?: unknown);
  constructor(refusal: UnsafeArchiveReason, words: Words, cause?: unknown);
  constructor(
    refusal: "invalid_zip" | "invalid_config" | UnsafeArchiveReason,
    told: string | Words,
    cause?: unknown,
  ) {
    const detail = typeof told === "string" ? told : told.en;
    super(`${refusal}: ${detail}`, { cause });
    const isUnsafe = refusal !== "invalid_zip" && refusal !== "invalid_config";
    this.code = isUnsafe ? "unsafe_zip" : refusal;
    this.reason = isUnsafe ? refusal : undefined;
    this.detail = detail;
    this.words = typeof told === "string" ? null : told;
  }
}

/** Returns the words for a fault. `other` is a second entry that has the fault in common with the first. */
export function faultOf(
  fault: keyof typeof archiveTexts.pt.entryFaults,
  name: string,
  other?: string,
): Words {
  const textIn = (language: "pt" | "en") => {
    const { entryFaults, archiveDetails } = archiveTexts[language];
    return other === undefined
      ? `${entryFaults[fault]}: ${printableName(name)}.`
      : archiveDetails.sharedFault(entryFaults[fault], printableName(name), printableName(other));
  };
  return { pt: textIn("pt"), en: textIn("en") };
}

/**
 * Returns the name in quotes, not too long, and with characters that control a terminal or the direction of
 * text made visible.
 */
export function printableName(name: string): string {
  const characters = Array.from(name.slice(0, 2 * maxPrintedCharacters + 2));
  const text =
    characters.length > maxPrintedCharacters
      ? `${characters.slice(0, maxPrintedCharacters).join("")}…`
      : name;
  return JSON.stringify(text).replaceAll(
    /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

const maxPrintedCharacters = 120;
