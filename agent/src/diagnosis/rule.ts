/** One thing that programs say when they fail, and what it means. */

import { quote, type OwnerMessage, type ProjectSettings } from "@tijolo/protocol";

/**
 * The rule whose pattern is found last in the text explains; a pattern is tried on all lines together, joined
 * by line feeds.
 */
export interface Rule {
  pattern: RegExp;
  /**
   * Which of several finds is explained. What a compiler says after its first error often only follows from
   * that. Default last.
   */
  shows?: "first" | "last";
  /** Returns what it means. `found` is the match with its groups. */
  explain: (found: RegExpExecArray, settings: ProjectSettings) => OwnerMessage;
}

/** Returns the file as the upload has it, and the line in it. */
export function place(file: string | undefined, line: string | undefined): { file: string; line: string } {
  return { file: quote(file?.replace(/^(file:\/\/)?\/app\//, "")), line: quote(line ?? "?") };
}

/** Like {@link quote}, of what may not have been found. */
export function quoteFound(text: string | undefined): string | undefined {
  return text === undefined ? undefined : quote(text);
}
