/** Runs the program behind `./install` of a release. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ignoreOutputErrors } from "@tijolo/protocol/kit";
import { loadMessages } from "../messages.ts";
import { chooseLanguage } from "../message-language.ts";
import { Output } from "../show/output.ts";
import { readCentralSettings } from "./central-settings.ts";
import { installCentral } from "./install-central.ts";
import { centralFiles } from "./places.ts";
import { uninstallCentral } from "./uninstall-central.ts";

ignoreOutputErrors();
process.umask(0o022);
process.exitCode = await main(process.argv.slice(2));

async function main(words: string[]): Promise<number> {
  const { env, stdout, stderr } = process;
  const output = new Output({ stdout, stderr }, { isJson: false });
  let messages = await loadMessages(chooseLanguage(undefined, env));
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        lang: { type: "string" },
        purge: { type: "boolean" },
        help: { type: "boolean", short: "h" },
      },
    });
    messages = await loadMessages(chooseLanguage(values.lang, env));
    const { install: texts } = messages;
    const command = positionals.join(" ");
    if (values.help === true || !["central", "uninstall central"].includes(command)) {
      output.line(texts.help);
      return values.help === true ? 0 : 2;
    }
    if (command === "uninstall central") {
      await uninstallCentral({ purge: values.purge === true });
      output.line(texts.centralUninstalled(values.purge === true));
      return 0;
    }
    const changed = await installCentral({ output, messages, environment: env });
    const { listen } = await readCentralSettings({});
    output.line(texts.centralInstalled(listen.api, changed > 0));
    const link = await readFile(join(centralFiles.data, "start-link"), "utf8").catch(() => null);
    if (link !== null) output.line(texts.startLink(link.trim()));
    return 0;
  } catch (cause) {
    output.error(output.noteStyle("red", cause instanceof Error ? cause.message : String(cause)));
    return 1;
  }
}
