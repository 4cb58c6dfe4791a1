import { exitCodes } from "../../command-failure.ts";
import { defineCommand } from "../../command.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";
import { showChannels } from "../../show/show-channels.ts";

/** `tijolo notices channels`: where notices go, and how the last try went. */
export const noticeChannelsShow = defineCommand({
  name: "notices channels",
  options: credentialOptions,
  examples: ["tijolo notices channels", "tijolo notices channels --json"],
  async run(context, { options }) {
    const { output, signal } = context;
    const answer = await withPanelSession(context, options, ({ client }) =>
      client.getNoticeChannels({}, { signal }),
    );
    output.json(answer);
    showChannels(context, answer.channels);
    return exitCodes.ok;
  },
});
