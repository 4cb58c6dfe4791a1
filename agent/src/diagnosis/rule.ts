/** One thing that programs say when they fail, and what it means. */

import type { ProjectSettings } from "@tijolo/protocol";

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
  /** What it means and what to do, in one or two sentences. `found` is the match with its groups. */
  explain: (found: RegExpExecArray, settings: ProjectSettings) => string;
}

/** What a program can be quoted with. */
const quotedLength = 80;

/** A part of the program's own text, short enough for a sentence. */
export function quote(text: string | undefined): string {
  const short = (text ?? "").trim();
  return short.length > quotedLength ? `${short.slice(0, quotedLength)}…` : short;
}

/** `file.js, linha 3`, with the file as the upload has it. */
export function place(file: string | undefined, line: string | undefined): string {
  return `${quote(file?.replace(/^(file:\/\/)?\/app\//, ""))}, linha ${line ?? "?"}`;
}
