import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { isReservedVariable, type Client } from "@tijolo/protocol";
import { defineCommand, projectOption, restartOption } from "../../command.ts";
import type { CommandContext } from "../../command-context.ts";
import { CommandFailure } from "../../command-failure.ts";
import { confirm } from "../../ask/confirm.ts";
import { parseDotenv, splitDotenv, type UnreadableLine } from "@tijolo/protocol/dotenv";
import { checkVariableName } from "../../environment/check-name.ts";
import { compareVariables, type VariablesDifference } from "../../environment/compare-variables.ts";
import { connectProject } from "../../project/find-project.ts";
import { finishChange } from "../../project/finish-change.ts";
import type { Messages } from "../../messages.ts";
import { splitProjectAndFile } from "../../project/named-project.ts";

const toldLines = 5;

/**
 * `tijolo env push`: takes the variables of a `.env` file; only `--replace` removes those that it does not
 * name.
 */
export const environmentPush = defineCommand({
  name: "env push",
  argument: "file",
  takesMany: true,
  takesProject: true,
  options: {
    project: projectOption,
    replace: { type: "boolean", summary: "replaceVariables" },
    yes: { type: "boolean", short: "y", summary: "yes" },
    restart: restartOption,
  },
  examples: [
    "tijolo env push",
    "tijolo env push producao.env --restart",
    "tijolo env push meu-bot --replace --yes",
  ],
  async run(context, input) {
    const { messages, signal } = context;
    const { options } = input;
    const { given, words } = await splitProjectAndFile(context, input);
    const wanted = await readVariables(context, resolve(context.workingDirectory, words[0] ?? ".env"));
    const connection = await connectProject(context, given);
    const { client, projectId: id } = connection;
    const { variables } = await client.listVariables({ id }, { signal });
    const compared = compareVariables(new Map(Object.entries(variables)), wanted);
    const difference = options.replace === true ? compared : { ...compared, removed: [] };
    tellDifference(context, difference);
    if (difference.removed.length > 0 && options.yes !== true) {
      const { sureToRemove } = messages.settings;
      await confirm(
        context,
        sureToRemove(difference.removed.length),
        messages.errors.wouldRemove(difference.removed.join(", ")),
      );
    }
    const isRestartRequired = await push(client, { id, wanted, difference, signal });
    return await finishChange(context, connection, {
      isRestartRequired,
      wantsRestart: options.restart,
      document: difference,
    });
  },
});

/**
 * Leaves out the variables that the service sets itself, and reports them: files from elsewhere often name a
 * port.
 */
async function readVariables(context: CommandContext, file: string): Promise<Map<string, string>> {
  const { output, messages } = context;
  const text = await readFile(file, "utf8").catch((cause: NodeJS.ErrnoException) => {
    throw new CommandFailure(
      cause.code === "ENOENT"
        ? messages.errors.noFile(file)
        : messages.errors.fileFailed(file, cause.message),
    );
  });
  const { unreadable } = splitDotenv(text);
  if (unreadable.length > 0)
    throw new CommandFailure(messages.errors.unreadableLines(file, tellLines(unreadable, messages)));
  const variables = parseDotenv(text);
  if (variables.size === 0) throw new CommandFailure(messages.errors.emptyFile(file));
  for (const name of variables.keys()) {
    if (!isReservedVariable(name)) {
      checkVariableName(name, messages);
      continue;
    }
    variables.delete(name);
    output.note(output.noteStyle("yellow", messages.settings.leftOutReserved(name)));
  }
  return variables;
}

/** Reports the first of the lines: a file that does not hold variables has many. */
function tellLines(lines: readonly UnreadableLine[], { errors }: Messages): string {
  const told = lines
    .slice(0, toldLines)
    .map(({ number, problem }) => errors.unreadableLine(number, errors.lineProblems[problem]));
  return [...told, ...(lines.length > toldLines ? [errors.moreLines(lines.length - toldLines)] : [])].join(
    "\n",
  );
}

function tellDifference(
  { output, messages }: CommandContext,
  { added, changed, removed }: VariablesDifference,
): void {
  for (const name of added) output.line(output.style("green", `+ ${name}`));
  for (const name of changed) output.line(output.style("yellow", `~ ${name}`));
  for (const name of removed) output.line(output.style("red", `- ${name}`));
  const isSame = added.length + changed.length + removed.length === 0;
  output.line(
    isSame
      ? messages.settings.sameVariables
      : messages.settings.difference(added.length, changed.length, removed.length),
  );
}

interface Push {
  id: string;
  wanted: ReadonlyMap<string, string>;
  difference: VariablesDifference;
  signal: AbortSignal;
}

/**
 * Sends one request that names only what changes, so that what another changed meanwhile stays. Resolves with
 * whether a restart is needed.
 */
async function push(client: Client, { id, wanted, difference, signal }: Push): Promise<boolean> {
  const { added, changed, removed } = difference;
  const set = [...added, ...changed].map((name) => [name, wanted.get(name) ?? null] as const);
  if (set.length + removed.length === 0) return false;
  const change = Object.fromEntries([...set, ...removed.map((name) => [name, null] as const)]);
  return (await client.changeVariables({ id, body: { variables: change } }, { signal })).isRestartRequired;
}
