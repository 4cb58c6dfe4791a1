import { confirm } from "../../../ask/confirm.ts";
import { defineCommand } from "../../../command.ts";
import { exitCodes } from "../../../command-failure.ts";
import { printable } from "../../../show/printable.ts";
import { getAccount } from "../find-account.ts";
import { readProjectId } from "../read-project-id.ts";

/** `tijolo cluster orphan adopt`: central has the project again, as its machine knows it. */
export const orphanAdopt = defineCommand({
  name: "cluster orphan adopt",
  argument: "project",
  options: {
    host: { type: "string", value: "HOST", summary: "orphanHost" },
    account: { type: "string", value: "ACCOUNT", summary: "orphanAccount" },
    "trust-host": { type: "boolean", summary: "trustHost" },
    yes: { type: "boolean", short: "y", summary: "yes" },
  },
  examples: [
    "tijolo cluster orphan adopt 01K…",
    "tijolo cluster orphan adopt 01K… --host host-1 --account ana@exemplo.com --yes",
  ],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.orphan;
    const projectId = readProjectId(argument, messages);
    const { client } = await context.connectOperator();
    const account =
      options.account === undefined ? undefined : await getAccount(context, client, options.account);
    if (options.yes !== true)
      await confirm(context, texts.sureToAdopt(projectId), texts.wouldAdopt(projectId));
    const body = {
      isHostTrusted: options["trust-host"] === true,
      ...(options.host === undefined ? {} : { host: options.host }),
      ...(account === undefined ? {} : { accountId: account.id }),
    };
    const adopted = await client.adoptOrphan({ projectId, body }, { signal });
    output.json(adopted);
    const { project, host, hasArchive, hasVariables } = adopted;
    output.line(texts.adopted(printable(project.name), project.versionNumber, printable(host.name)));
    if (!hasArchive) output.note(texts.noArchive);
    if (!hasVariables) output.note(texts.noVariables);
    return exitCodes.ok;
  },
});
