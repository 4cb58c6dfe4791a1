/** Reads project and domain from a command line: a single word is the domain, of two the first is the project. */

import type { CommandContext } from "../../command-context.ts";
import { UsageError } from "../../command-failure.ts";
import { connectProject } from "../../project/find-project.ts";
import { splitProject } from "../../project/named-project.ts";

interface Given {
  words: readonly string[];
  options: { project?: string };
}

export async function readDomain(context: CommandContext, input: Given) {
  const { usage, help } = context.messages;
  const { given, words } = splitProject(input, () => input.words.length === 1);
  const [hostname, extra] = words;
  if (hostname === undefined) throw new UsageError(usage.missing(help.placeholders.domain));
  if (extra !== undefined) throw new UsageError(usage.tooMany(extra));
  return { ...(await connectProject(context, given)), hostname };
}
