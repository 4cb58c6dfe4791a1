import { defineCommand } from "../../../command.ts";
import { exitCodes, UsageError } from "../../../command-failure.ts";
import { confirm } from "../../../ask/confirm.ts";
import { printable } from "../../../show/printable.ts";

/**
 * `tijolo cluster host revoke`: cuts a machine off, such as one that somebody broke into; names the projects
 * that are lost with it.
 */
export const hostRevoke = defineCommand({
  name: "cluster host revoke",
  argument: "machine",
  options: { yes: { type: "boolean", short: "y", summary: "yes" } },
  examples: ["tijolo cluster host revoke host-2", "tijolo cluster host revoke 01K… --yes --json"],
  async run(context, { argument, options }) {
    const { messages, output, signal } = context;
    const texts = messages.host;
    if (argument === undefined) throw new UsageError(messages.usage.missing(texts.machine));
    const { client } = await context.connectOperator();
    const { host, projects } = await client.getHost({ host: argument }, { signal });
    const name = printable(host.name);
    if (options.yes !== true)
      await confirm(
        context,
        texts.sureToRevoke(name, projects.length),
        texts.wouldRevoke(name, projects.length),
      );
    await client.revokeHost({ host: host.id }, { signal });
    output.json({
      revoked: { id: host.id, name: host.name },
      projects: projects.map((project) => ({ id: project.id, name: project.name, account: project.account })),
    });
    output.line(texts.revoked(name));
    if (projects.length > 0) output.line(texts.stranded);
    for (const project of projects)
      output.line(`  ${printable(project.name)} (${project.id}), ${printable(project.account.name)}`);
    if (projects.length > 0) output.note(texts.runsOn);
    return exitCodes.ok;
  },
});
