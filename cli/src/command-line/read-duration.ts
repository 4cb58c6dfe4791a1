import { UsageError } from "../command-failure.ts";
import type { Messages } from "../messages.ts";
import { parseSpan } from "./parse-span.ts";

const maxMs = 366 * 86_400_000;

/** Parses `24h`, `10m`, `90s`, `2d`, or `0` for at once. */
export function readDuration(
  text: string | undefined,
  option: string,
  messages: Messages,
): number | undefined {
  if (text === undefined) return undefined;
  const ms = text === "0" ? 0 : parseSpan(text);
  if (ms !== undefined && ms <= maxMs) return ms;
  throw new UsageError(messages.usage.badValue(option, messages.cluster.duration));
}
