import { createClient } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { askServerAndSecret } from "../../ask/ask-login.ts";
import { apiUrlOf } from "../../client/server-url.ts";

/** `tijolo login`: checks a key by using it, and keeps it. */
export const accountLogin = defineCommand({
  name: "login",
  options: {
    url: { type: "string", value: "URL", summary: "url" },
    key: { type: "string", value: "svc_…", summary: "key" },
  },
  examples: [
    "tijolo login --url https://tijolo.example.org",
    "tijolo login --url http://127.0.0.1:8080 < key.txt",
  ],
  async run(context, { options }) {
    const { url, secret } = await askServerAndSecret(context, {
      url: options.url,
      secret: options.key ?? context.environment["TIJOLO_KEY"],
      secretQuestion: context.messages.ask.key,
      secretOption: "--key",
    });
    const client = createClient({ baseUrl: apiUrlOf(url), token: secret, fetch: context.fetch });
    const { projects } = await client.listProjects({}, { signal: context.signal });
    await context.configuration.keep("account", { url, secret });
    context.output.json({ url, projects: projects.length });
    context.output.line(context.messages.account.loggedIn(url, projects.length));
    return exitCodes.ok;
  },
});
