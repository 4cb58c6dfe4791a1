/** Finds the version that a command line names among those of a project that are kept. */

import type { Version } from "@tijolo/protocol";
import { CommandFailure, UsageError } from "../command-failure.ts";
import { readInteger } from "../command-line/parse-arguments.ts";
import type { Messages } from "../messages.ts";
import { splitProject, type NamedProject } from "./named-project.ts";

interface Given {
  words: readonly string[];
  options: { project?: string };
}

/** Splits off the project; a word of digits alone is a version. */
export function splitProjectAndVersion(
  input: Given,
  messages: Messages,
): Pick<NamedProject, "given"> & { number: number | undefined } {
  const { given, words } = splitProject(input, (word) => /^\d+$/.test(word));
  const [text, extra] = words;
  if (extra !== undefined) throw new UsageError(messages.usage.tooMany(extra));
  const range = { min: 1, max: 999_999_999 };
  return { given, number: readInteger(text, messages.help.placeholders.version, range, messages) };
}

/** Returns the version with this number. Throws CommandFailure when it is not kept. */
export function getVersion(versions: readonly Version[], number: number, { errors }: Messages): Version {
  const found = versions.find((version) => version.number === number);
  if (found === undefined) throw new CommandFailure(errors.noSuchVersion(number));
  return found;
}

/** Returns the newest version before the current one that came up. Throws CommandFailure without one. */
export function getEarlierVersion(versions: readonly Version[], { errors }: Messages): Version {
  const current = versions.find(({ isCurrent }) => isCurrent)?.number ?? Number.POSITIVE_INFINITY;
  const earlier = versions.filter(({ number, cameUpAt }) => number < current && cameUpAt !== null);
  const [newest] = earlier.toSorted((one, other) => other.number - one.number);
  if (newest === undefined) throw new CommandFailure(errors.noEarlierVersion);
  return newest;
}
