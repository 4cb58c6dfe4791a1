/** Explains in the person's language what `parseArgs` found wrong with an option. */

import type { Messages } from "../messages.ts";
import { findNearestName } from "./nearest-name.ts";

/** Explains the fault. `names` are the options that the command has. */
export function explainOption(cause: TypeError, names: readonly string[], { usage }: Messages): string {
  const option = /'(?:-\w, )?(--?[^'\s]+)/.exec(cause.message)?.[1] ?? "";
  if ("code" in cause && cause.code === "ERR_PARSE_ARGS_UNKNOWN_OPTION") {
    const nearest = findNearestName(option.replace(/^-+/, ""), names);
    const advice =
      nearest === null || !option.startsWith("--") ? "" : ` ${usage.didYouMeanWord(`--${nearest}`)}`;
    return `${usage.unknownOption(option)}${advice}`;
  }
  return cause.message.includes("does not take") ? usage.noValueTaken(option) : usage.valueNeeded(option);
}
