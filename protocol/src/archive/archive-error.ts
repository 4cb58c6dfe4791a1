/** Why an archive is not accepted: for the log, and in words for the one who sent it. */

import type { Words } from "../contract/app-error.ts";

export type UnsafeArchiveReason =
  | "path"
  | "link"
  | "special_file"
  | "size"
  | "file_count"
  | "compression_ratio";

/**
 * An archive that is not accepted: `invalid_zip` when it is no readable .zip, `unsafe_zip` (always with a
 * reason and `words`) when it breaks a rule, `invalid_config` when its svc.json is too long or no text.
 * `detail` is English and for the log; both name entries as {@link printableName} has them.
 */
export class ArchiveError extends Error {
  override name = "ArchiveError";
  readonly code: "invalid_zip" | "unsafe_zip" | "invalid_config";
  readonly reason: UnsafeArchiveReason | undefined;
  readonly detail: string;
  /** A sentence for the one who sent it. */
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

/** What can be wrong with one entry; its name follows. */
export const entryFaults = {
  notUtf8: { pt: "O nome não está em UTF-8", en: "The name is not UTF-8" },
  longPath: { pt: "O caminho é longo demais", en: "The path is too long" },
  deepPath: { pt: "O caminho tem pastas demais", en: "The path has too many folders" },
  longName: { pt: "O nome passa de 255 bytes", en: "The name is longer than 255 bytes" },
  controlCharacter: { pt: "O nome tem um caractere de controle", en: "The name has a control character" },
  absolutePath: { pt: "O caminho é absoluto", en: "The path is absolute" },
  drive: { pt: "O caminho começa com a letra de um disco", en: "The path begins with the letter of a drive" },
  climbingPath: { pt: 'O caminho tem uma parte ".."', en: 'The path has a part ".."' },
  emptyPart: { pt: 'O caminho tem uma parte vazia ou "."', en: 'The path has a part that is empty or "."' },
  link: { pt: "É um link", en: "It is a link" },
  specialFile: { pt: "Não é arquivo nem pasta", en: "It is neither a file nor a folder" },
  sameName: { pt: "O mesmo nome aparece duas vezes", en: "The same name is there twice" },
  sameButForCase: {
    pt: "Dois nomes só diferem em maiúsculas ou na codificação dos acentos",
    en: "Two names differ only in case or in how their accents are encoded",
  },
  fileAndFolder: {
    pt: "Um arquivo e uma pasta têm o mesmo nome",
    en: "A file and a folder have the same name",
  },
} as const satisfies Record<string, Words>;

/** `other`: a second entry that the fault is shared with. */
export function faultOf(fault: keyof typeof entryFaults, name: string, other?: string): Words {
  const { pt, en } = entryFaults[fault];
  const first = printableName(name);
  if (other === undefined) return { pt: `${pt}: ${first}.`, en: `${en}: ${first}.` };
  return {
    pt: `${pt}: ${first} e ${printableName(other)}.`,
    en: `${en}: ${first} and ${printableName(other)}.`,
  };
}

/** In quotes, not too long, and with what steers a terminal or the direction of text made visible. */
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
