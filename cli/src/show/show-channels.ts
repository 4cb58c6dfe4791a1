/** Shows the channels that carry notices, a line each. */

import type { NoticeChannels } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatTable, formatTime } from "./format.ts";
import { printable } from "./printable.ts";

export function showChannels(context: CommandContext, channels: NoticeChannels): void {
  const { output, messages } = context;
  const { notice: texts } = messages;
  const { email, discord, webhook } = channels;
  const [heading = "", ...lines] = formatTable([
    [texts.channel, texts.where, texts.kinds, texts.state],
    rowOf(context, "email", email, email.address ?? texts.noAddress),
    rowOf(context, "discord", discord, discord?.url ?? texts.unreadable),
    rowOf(context, "webhook", webhook, webhook?.url ?? texts.unreadable),
  ]);
  for (const line of [output.style("bold", heading), ...lines]) output.line(line);
}

type ChannelState = Omit<NoticeChannels["email"], "address">;

function rowOf(
  { messages }: CommandContext,
  name: string,
  state: ChannelState | null,
  where: string,
): string[] {
  const { notice: texts, locale } = messages;
  if (state === null) return [name, texts.off, "-", "-"];
  const kinds = state.kinds.length === 0 ? texts.noKinds : state.kinds.join(",");
  return [name, printable(where), kinds, stateOf(state)];

  function stateOf({ lastError, lastSentAt, isFailing, failingSince }: ChannelState): string {
    const time = (text: string) => formatTime(Date.parse(text), locale);
    if (lastError === null) return lastSentAt === null ? texts.never : texts.sent(time(lastSentAt));
    const failed = texts.failed(texts.errors[lastError.code](lastError.status), time(lastError.at));
    return isFailing && failingSince !== null ? `${texts.failing(time(failingSince))}; ${failed}` : failed;
  }
}
