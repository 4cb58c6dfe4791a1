/** Reads project and page from a command line: the first word is the project where it is no page. */

import { sitePageStatuses, type SitePageStatus } from "@tijolo/protocol";
import { readChoice } from "../../command-line/parse-arguments.ts";
import { UsageError } from "../../command-failure.ts";
import type { Messages } from "../../messages.ts";
import { splitProject } from "../../project/named-project.ts";

interface Given {
  words: readonly string[];
  options: { project?: string };
}

/** Returns also the words after the page. Throws UsageError where there is no page. */
export function readPage(
  input: Given,
  messages: Messages,
): { given: string | undefined; status: SitePageStatus; rest: readonly string[] } {
  const isPage = (word: string) => sitePageStatuses.some((status) => status === word);
  const { given, words } = splitProject(input, isPage);
  const [word, ...rest] = words;
  const name = messages.help.placeholders.page;
  const status = readChoice(word, name, sitePageStatuses, messages);
  if (status === undefined) throw new UsageError(messages.usage.missing(name));
  return { given, status, rest };
}
