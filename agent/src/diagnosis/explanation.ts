/** Recognizes in the last lines of a failed program what is wrong with it. */

import type { OwnerMessage, ProjectSettings } from "@tijolo/protocol";
import type { LogSection } from "../logs/writer/log-files.ts";
import { anyLanguageRules } from "./any-language.ts";
import { compiledRules } from "./compiled-languages.ts";
import { sinceLastError } from "./last-error.ts";
import { nodeRules } from "./node.ts";
import { phpRules, rubyRules } from "./php-ruby.ts";
import { pythonRules } from "./python.ts";
import type { Rule } from "./rule.ts";

const rules: Record<ProjectSettings["language"], readonly Rule[]> = {
  node: nodeRules,
  python: pythonRules,
  java: compiledRules,
  go: compiledRules,
  dotnet: compiledRules,
  elixir: compiledRules,
  php: phpRules,
  ruby: rubyRules,
  static: [],
};

export interface FailedProgram {
  settings: ProjectSettings;
  /** Section of the log: a run or an install. */
  section: LogSection;
}

/**
 * Explains a failure; returns undefined when no rule matches. `lines` are the program's last output, oldest
 * first. A run may have handled errors before, so only its output from the last error on counts. When several
 * rules match, the one with the latest match is used; a rule for a consequence only when no other matches.
 */
export function explainFailure(
  { settings, section }: FailedProgram,
  lines: readonly string[],
): OwnerMessage | undefined {
  const plain = lines.map((line) => withoutControls(line).slice(0, 1_000));
  const text = (section === "app" ? sinceLastError(settings.language, plain) : plain).join("\n");
  let newest: Match | undefined;
  for (const rule of [...rules[settings.language], ...anyLanguageRules]) {
    const find = findIn(text, rule);
    if (find !== undefined && (newest === undefined || isBetter({ rule, find }, newest)))
      newest = { rule, find };
  }
  return newest?.rule.explain(newest.find.shown, settings);
}

interface Match {
  rule: Rule;
  find: Find;
}

function isBetter({ rule, find }: Match, best: Match): boolean {
  const isConsequence = rule.isConsequence === true;
  return isConsequence === (best.rule.isConsequence === true)
    ? find.lastLine > best.find.lastLine
    : !isConsequence;
}

interface Find {
  shown: RegExpExecArray;
  /** Index of the line where its newest match ends. */
  lastLine: number;
}

function findIn(text: string, { pattern, shows = "last" }: Rule): Find | undefined {
  let first: RegExpExecArray | undefined;
  let last: RegExpExecArray | undefined;
  for (const found of text.matchAll(new RegExp(pattern, `${pattern.flags}g`))) {
    first ??= found;
    last = found;
  }
  if (first === undefined || last === undefined) return undefined;
  const end = last.index + last[0].trimEnd().length;
  return { shown: shows === "first" ? first : last, lastLine: text.slice(0, end).split("\n").length };
}

/** Removes colours and other terminal sequences, which do not belong into a message. */
function withoutControls(line: string): string {
  // eslint-disable-next-line no-control-regex
  return line
    .replaceAll(/\u001b\[[0-9;?]*[A-Za-z]/g, "")
    .replaceAll(/[\u0000-\u0008\u000b-\u001f\u007f]/g, "");
}
