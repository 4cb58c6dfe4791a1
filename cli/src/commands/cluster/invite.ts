import { planNames } from "@tijolo/protocol";
import { defineCommand } from "../../command.ts";
import { exitCodes } from "../../command-failure.ts";
import { formatTime } from "../../show/format.ts";
import { readChoice } from "../../command-line/parse-arguments.ts";

/** `tijolo cluster invite`: a link with which one person signs up. */
export const clusterInvite = defineCommand({
  name: "cluster invite",
  options: { plan: { type: "string", value: "PLAN", summary: "plan" } },
  examples: ["tijolo cluster invite", "tijolo cluster invite --plan Stack"],
  async run(context, { options }) {
    const { messages, output, signal } = context;
    const plan = readChoice(options.plan, "--plan", planNames, messages) ?? "Free";
    const { client } = await context.connectOperator();
    const { invitation } = await client.createInvitation({ body: { plan } }, { signal });
    output.json({ invitation });
    output.note(
      messages.cluster.invitation(plan, formatTime(Date.parse(invitation.expiresAt), messages.locale)),
    );
    output.line(invitation.url);
    return exitCodes.ok;
  },
});
