/**
 * Finds the project that a command line names. One rule for all commands: `-p` always; else the first word,
 * where it cannot be one of the command's own words; else the folder's.
 */

import { variableName } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { UsageError } from "../command-failure.ts";
import { findNamedProject } from "./find-project.ts";
import type { Messages } from "../messages.ts";

export interface NamedProject {
  /** Id, folder or name of the project, or nothing for this folder. */
  given: string | undefined;
  /** The words of the command that are left. */
  words: readonly string[];
}

interface Given {
  words: readonly string[];
  options: { project?: string };
}

/** Reads the project for commands whose only word is the project. Throws UsageError if `-p` names one too. */
export function readProject(
  { words: [word], options: { project } }: Given,
  { usage }: Messages,
): string | undefined {
  if (project !== undefined && word !== undefined) throw new UsageError(usage.tooMany(word));
  return project ?? word;
}

/** Splits off the project for commands with words of their own, which `isOwn` tells from a project. */
export function splitProject(
  { words, options: { project } }: Given,
  isOwn: (word: string) => boolean,
): NamedProject {
  const [first, ...others] = words;
  if (project !== undefined || first === undefined || isOwn(first)) return { given: project, words };
  return { given: first, words: others };
}

/**
 * Splits off the project for commands whose words are variables. Throws UsageError where the first word may
 * be a project as well as a variable.
 */
export async function splitProjectAndVariables(
  context: CommandContext,
  { words, options }: Given,
): Promise<NamedProject> {
  const [first = ""] = words;
  const isVariable = (word: string) =>
    words.length === 1 || word.includes("=") || variableName.safeParse(word).success;
  const named = splitProject({ words, options }, isVariable);
  const mayBeBoth = named.given === undefined && words.length > 1 && !first.includes("=");
  if (mayBeBoth && (await isProject(context, first)))
    throw new UsageError(context.messages.errors.projectOrVariable(first));
  return named;
}

/**
 * Splits off the project for commands whose word is a file: two words are the project and the file, a single
 * one is the project where it names one.
 */
export async function splitProjectAndFile(
  context: CommandContext,
  { words, options }: Given,
): Promise<NamedProject> {
  const [first, ...others] = words;
  const extra = words[options.project === undefined ? 2 : 1];
  if (extra !== undefined) throw new UsageError(context.messages.usage.tooMany(extra));
  if (options.project !== undefined || first === undefined) return { given: options.project, words };
  const isNamed = others.length > 0 || (await isProject(context, first));
  return isNamed ? { given: first, words: others } : { given: undefined, words };
}

async function isProject(context: CommandContext, word: string): Promise<boolean> {
  return (await findNamedProject(context, await context.connect(), word)) !== null;
}
