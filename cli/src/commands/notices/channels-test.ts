import { exitCodes } from "../../command-failure.ts";
import { defineCommand } from "../../command.ts";
import { credentialOptions } from "../../panel/ask-credentials.ts";
import { withPanelSession } from "../../panel/with-panel-session.ts";

/** `tijolo notices channels test`: sends a test notice through all channels. */
export const noticeChannelsTest = defineCommand({
  name: "notices channels test",
  options: credentialOptions,
  examples: ["tijolo notices channels test"],
  async run(context, { options }) {
    const { output, messages, signal } = context;
    const answer = await withPanelSession(context, options, ({ client }) =>
      client.testNoticeChannels({}, { signal }),
    );
    output.json(answer);
    output.line(messages.notice.tested);
    return exitCodes.ok;
  },
});
