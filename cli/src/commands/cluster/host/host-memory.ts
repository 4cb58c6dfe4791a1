import { maxMemoryMb } from "@tijolo/protocol";
import type { CommandOption } from "../../../command.ts";
import { readInteger } from "../../../command-line/parse-arguments.ts";
import type { Messages } from "../../../messages.ts";

/** Option for the most memory that is counted of a machine. */
export const memoryOption = {
  type: "string",
  value: "MB",
  summary: "hostMemory",
} as const satisfies CommandOption;

export function readMemory(text: string | undefined, messages: Messages): number | undefined {
  return readInteger(text, "--memory", { min: 1, max: maxMemoryMb }, messages);
}
