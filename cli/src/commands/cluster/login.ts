import { createClient } from "@tijolo/protocol";
import { askServerAndSecret } from "../../ask/ask-login.ts";
import { defineCommand } from "../../command.ts";
import { apiUrlOf } from "../../client/server-url.ts";
import { exitCodes } from "../../command-failure.ts";

/** `tijolo cluster login`: checks an operator's token by using it, and keeps it. */
export const clusterLogin = defineCommand({
  name: "cluster login",
  options: {
    url: { type: "string", value: "URL", summary: "url" },
    token: { type: "string", value: "tjo_…", summary: "token" },
  },
  examples: [
    "tijolo cluster login --url http://127.0.0.1:8080",
    "tijolo cluster login --url http://127.0.0.1:8080 < token.txt",
  ],
  async run(context, { options }) {
    const { url, secret } = await askServerAndSecret(context, {
      url: options.url,
      secret: options.token ?? context.environment["TIJOLO_OPERATOR_TOKEN"],
      secretQuestion: context.messages.ask.token,
      secretOption: "--token",
    });
    const client = createClient({ baseUrl: apiUrlOf(url), token: secret, fetch: context.fetch });
    await client.listHosts({}, { signal: context.signal });
    await context.configuration.keep("operator", { url, secret });
    context.output.json({ url });
    context.output.line(context.messages.cluster.operatorLoggedIn(url));
    return exitCodes.ok;
  },
});
