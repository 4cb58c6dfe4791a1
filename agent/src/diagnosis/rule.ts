/** Defines a rule: an error message that programs print, and its explanation. */

import { quote, type OwnerMessage, type ProjectSettings } from "@tijolo/protocol";

/**
 * A rule for an error message. The rule whose pattern is found last in the text explains the failure; a
 * pattern is tried on all lines together, joined by line feeds.
 */
export interface Rule {
  pattern: RegExp;
  /**
   * Which of several matches is explained. A compiler's later errors are often consequences of its first.
   * Default: last.
   */
  shows?: "first" | "last";
  /**
   * True when the matched line is only the consequence of another error: the rule is used only when no other
   * one matches, however late its match is. Default: false.
   */
  isConsequence?: boolean;
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
