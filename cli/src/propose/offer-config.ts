/** Offers a proposal to a person whose folder has no svc.json, and writes it when the person accepts. */

import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { proposeConfig, svcJson, type ProjectConfig, type Proposal, configOfChange } from "@tijolo/protocol";
import type { SelectedFile } from "../archive/select-files.ts";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure, UsageError } from "../command-failure.ts";
import { getKeyValue } from "../command-line/key-value.ts";
import { checkSettingName, readSetting } from "../settings/read-setting.ts";
import { formatTable } from "../show/format.ts";
import { printable } from "../show/printable.ts";
import { folderTree } from "./folder-tree.ts";

const missingConfig = { code: "missing_config" };
/** Largest number of changes to one proposal, so that an endless input ends. */
const maxChanges = 100;

export interface OfferedFolder {
  folder: string;
  files: readonly SelectedFile[];
  /** True to write the proposal without asking (`--yes`). */
  isAccepted: boolean;
}

/** Writes the svc.json. Throws CommandFailure when nothing can be proposed, or nobody accepts it. */
export async function offerConfig(
  context: CommandContext,
  { folder, files, isAccepted }: OfferedFolder,
): Promise<void> {
  const { messages, output } = context;
  const { deploy } = messages;
  const proposal = await proposeConfig(folderTree(files));
  if (proposal === null) throw new CommandFailure(deploy.noProposal, missingConfig);
  const mayAsk = context.isInteractive && !output.isJson;
  if (!isAccepted && !mayAsk)
    throw new CommandFailure(deploy.proposalUnattended(linesOf(context, proposal).join("\n")), missingConfig);
  output.note(deploy.proposal);
  for (const line of linesOf(context, proposal)) output.note(line);
  const config = isAccepted ? proposal.config : await askFor(context, proposal);
  const path = join(folder, "svc.json");
  await writeFile(path, `${JSON.stringify(config, null, 2)}\n`, { flag: "wx" });
  output.note(deploy.proposalWritten(path));
}

/** Returns a line per field: name, value, and the reason where it has one. */
function linesOf({ messages }: CommandContext, { config, fields }: Proposal): string[] {
  const { reasons } = messages.deploy;
  const rows = Object.entries(config).map(([name, value]) => {
    const field = fields.find((each) => each.name === name && each.value === value);
    const reason = field === undefined ? "" : `(${reasons[field.reason.code](field.reason)})`;
    return [`  ${name}`, printable(String(value)), reason];
  });
  return formatTable(rows);
}

/** Asks until the proposal is accepted, with the person's changes. */
async function askFor(context: CommandContext, proposal: Proposal): Promise<ProjectConfig> {
  const { messages, output } = context;
  let { config } = proposal;
  for (let count = 0; count < maxChanges; count++) {
    const answer = await context.ask(messages.deploy.acceptProposal);
    if (answer === null || /^n(.?o)?$/iu.test(answer)) break;
    if (/^(s|sim|y|yes)?$/i.test(answer)) return config;
    try {
      config = withChange(context, config, answer);
    } catch (cause) {
      if (!(cause instanceof UsageError)) throw cause;
      output.note(cause.message);
    }
    for (const line of linesOf(context, { ...proposal, config })) output.note(line);
  }
  throw new CommandFailure(messages.deploy.proposalRefused, missingConfig);
}

/**
 * Returns the configuration with `field=value` applied. Throws UsageError for what svc.json does not take.
 */
function withChange({ messages }: CommandContext, before: ProjectConfig, answer: string): ProjectConfig {
  const { name, value: text } = getKeyValue(answer, messages);
  checkSettingName(name, messages);
  const { [name as keyof ProjectConfig]: _before, ...others } = before;
  if (text === "") return others;
  const parsed = svcJson.safeParse({ ...others, [name]: readSetting(name, text) });
  if (!parsed.success) throw new UsageError(messages.deploy.wrongField(name));
  const { $schema: _schema, ...config } = parsed.data;
  return configOfChange(config);
}
