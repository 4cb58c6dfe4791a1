import {
  sentNoticeKinds,
  type NewNoticeChannels,
  type NoticeChannels,
  type SentNoticeKind,
} from "@tijolo/protocol";
import { exitCodes, UsageError } from "../../command-failure.ts";
import { defineCommand } from "../../command.ts";
import type { Messages } from "../../messages.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";
import { showChannels } from "../../show/show-channels.ts";

/** `tijolo notices channels set`: changes the channels that are named; the others stay as they are. */
export const noticeChannelsSet = defineCommand({
  name: "notices channels set",
  options: {
    mail: { type: "string", value: "KINDS", summary: "mailKinds" },
    discord: { type: "string", value: "URL", summary: "discord" },
    "discord-kinds": { type: "string", value: "KINDS", summary: "discordKinds" },
    webhook: { type: "string", value: "URL", summary: "webhook" },
    "webhook-kinds": { type: "string", value: "KINDS", summary: "webhookKinds" },
    ...credentialOptions,
  },
  examples: [
    "tijolo notices channels set --mail crash_loop,start_failed",
    "tijolo notices channels set --webhook https://example.com/tijolo --webhook-kinds limit",
    "tijolo notices channels set --discord none",
  ],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const changes = {
      mail: readKinds(options.mail, "--mail", messages),
      discord: {
        url: options.discord,
        kinds: readKinds(options["discord-kinds"], "--discord-kinds", messages),
      },
      webhook: {
        url: options.webhook,
        kinds: readKinds(options["webhook-kinds"], "--webhook-kinds", messages),
      },
    };
    if (changes.mail === undefined && !isNamed(changes.discord) && !isNamed(changes.webhook))
      throw new UsageError(messages.notice.noChange);
    const answer = await withPanelSession(context, options, async ({ client }) => {
      const { channels } = await client.getNoticeChannels({}, { signal });
      const body: NewNoticeChannels = {
        email: { kinds: changes.mail ?? channels.email.kinds },
        discord: merge(channels.discord, changes.discord, () => missing("--discord", messages)),
        webhook: merge(channels.webhook, changes.webhook, () => missing("--webhook", messages)),
      };
      return client.setNoticeChannels({ body }, { signal });
    });
    output.json(answer);
    showChannels(context, answer.channels);
    output.note(messages.notice.stored);
    if (answer.signingKey !== null) {
      output.note(messages.notice.signingKey);
      output.line(answer.signingKey);
    }
    return exitCodes.ok;
  },
});

interface ChannelChange {
  url: string | undefined;
  kinds: SentNoticeKind[] | undefined;
}

function isNamed({ url, kinds }: ChannelChange): boolean {
  return url !== undefined || kinds !== undefined;
}

/**
 * Returns the channel with the changes. A channel is stored whole, so options that are not given keep its
 * values.
 */
function merge(
  before: NoticeChannels["discord"],
  { url, kinds }: ChannelChange,
  noAddress: () => UsageError,
): { url: string; kinds: SentNoticeKind[] } | null {
  if (url === "none" || (url === undefined && before === null && kinds === undefined)) return null;
  const address = url ?? before?.url;
  if (address == null) throw noAddress();
  return { url: address, kinds: kinds ?? before?.kinds ?? [...sentNoticeKinds] };
}

function missing(option: string, { usage }: Messages): UsageError {
  return new UsageError(usage.missing(option));
}

function readKinds(
  text: string | undefined,
  option: string,
  { usage }: Messages,
): SentNoticeKind[] | undefined {
  if (text === undefined) return undefined;
  if (text === "all") return [...sentNoticeKinds];
  if (text === "none") return [];
  const words = text.split(",").map((word) => word.trim());
  const kinds = sentNoticeKinds.filter((kind) => words.includes(kind));
  if (kinds.length === new Set(words).size) return kinds;
  throw new UsageError(usage.badChoice(option, [...sentNoticeKinds, "all", "none"].join(", ")));
}
