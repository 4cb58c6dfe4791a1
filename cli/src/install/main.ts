/** Runs the program behind `./install` of a release, and behind `tijolo-agent`. */

import { parseArgs } from "node:util";
import { ignoreOutputErrors } from "@tijolo/protocol/kit";
import { loadMessages } from "../messages.ts";
import { chooseLanguage } from "../message-language.ts";
import { Output } from "../show/output.ts";
import { options, type InstallCommand } from "./command.ts";
import { all } from "./commands/all.ts";
import { central, removeCentral } from "./commands/central.ts";
import { countries } from "./commands/countries.ts";
import { gateway, removeGateway } from "./commands/gateway.ts";
import { host, removeHost } from "./commands/host.ts";
import { packages } from "./commands/packages.ts";

/** Every command, by its words. */
const commands: ReadonlyMap<string, InstallCommand> = new Map([
  ["central", central],
  ["all", all],
  ["host", host],
  ["gateway", gateway],
  ["packages bookworm", packages("bookworm")],
  ["packages trixie", packages("trixie")],
  ["countries", countries],
  ["uninstall central", removeCentral],
  ["uninstall gateway", removeGateway],
  ["uninstall host", removeHost],
  ["agent uninstall", removeHost],
]);

ignoreOutputErrors();
process.umask(0o022);
process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const { env, stdout, stderr } = process;
  let output = new Output({ stdout, stderr }, { isJson: false });
  let messages = await loadMessages(chooseLanguage(undefined, env));
  try {
    const { values, positionals } = parseArgs({ args: words, allowPositionals: true, options });
    messages = await loadMessages(chooseLanguage(values.lang, env));
    output = new Output({ stdout, stderr }, { isJson: values.json });
    const name = values.help ? "help" : positionals.join(" ");
    const exitCode = await commands.get(name)?.(values, { output, messages });
    if (typeof exitCode === "number") return exitCode;
    output.line(messages.install.help);
    return name === "help" ? 0 : 2;
  } catch (cause) {
    output.error(output.noteStyle("red", cause instanceof Error ? cause.message : String(cause)));
    return 1;
  }
}
