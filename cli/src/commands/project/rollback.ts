import { randomUUID } from "node:crypto";
import { confirm } from "../../ask/confirm.ts";
import { defineCommand, projectOption } from "../../command.ts";
import { findLoggedVersion } from "../../deploy/find-logged-version.ts";
import { followDeploy } from "../../deploy/follow-deploy.ts";
import { connectProject } from "../../project/find-project.ts";
import { getEarlierVersion, getVersion, splitProjectAndVersion } from "../../project/kept-version.ts";
import { formatTime } from "../../show/format.ts";
import { printable } from "../../show/printable.ts";
import { originOf } from "../../show/show-version.ts";

/**
 * `tijolo rollback`: back to an earlier version; ends when the project runs again, or with the reason why
 * not.
 */
export const projectRollback = defineCommand({
  name: "rollback",
  argument: "version",
  takesMany: true,
  takesProject: true,
  options: {
    project: projectOption,
    yes: { type: "boolean", short: "y", summary: "yes" },
    start: { type: "boolean", summary: "startAfterRollback" },
  },
  examples: [
    "tijolo rollback",
    "tijolo rollback meu-bot",
    "tijolo rollback meu-bot 3 --yes",
    "tijolo rollback 3 --yes --json",
  ],
  async run(context, input) {
    const { messages, output, signal } = context;
    const { options } = input;
    const { given, number } = splitProjectAndVersion(input, messages);
    const { client, projectId: id } = await connectProject(context, given);
    const { project } = await client.getProject({ id }, { signal });
    const { versions } = await client.listVersions({ id }, { signal });
    const target =
      number === undefined ? getEarlierVersion(versions, messages) : getVersion(versions, number, messages);
    const [name, sentAt] = [
      printable(project.name),
      formatTime(Date.parse(target.createdAt), messages.locale),
    ];
    const what = messages.project.rollbackTo(name, target.number, `${sentAt}, ${originOf(target, messages)}`);
    if (options.yes !== true)
      await confirm(context, messages.project.confirmRollback(what), messages.project.wouldRollBack(what));
    else output.note(what);

    const loggedVersion = await findLoggedVersion(client, id, signal);
    const { project: uploaded } = await client.rollbackProject(
      { id, number: target.number },
      { signal, idempotencyKey: randomUUID() },
    );
    const wantsStart = options.start ?? project.status !== "stopped";
    return await followDeploy(context, { client, uploaded, loggedVersion, wantsStart });
  },
});
