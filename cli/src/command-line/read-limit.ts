/** Parses how many entries of a long list are shown. */

import type { CommandOption } from "../command.ts";
import type { Messages } from "../messages.ts";
import { readInteger } from "./parse-arguments.ts";

export const limitOption = {
  type: "string",
  short: "n",
  value: "N",
  summary: "limit",
} as const satisfies CommandOption;

export function readLimit(text: string | undefined, messages: Messages): number {
  return readInteger(text, "--limit", { min: 1, max: 200 }, messages) ?? 20;
}
