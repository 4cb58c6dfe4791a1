/** Runs the program behind `./install` of a release, and behind `tijolo-agent`. */

import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { packageSuites, releaseArchitectures } from "@tijolo/protocol";
import { ignoreOutputErrors } from "@tijolo/protocol/kit";
import { askLine } from "../ask/ask-line.ts";
import { loadMessages, type Messages } from "../messages.ts";
import { chooseLanguage } from "../message-language.ts";
import { linesOf, ownChecks, runChecks } from "../doctor/run-checks.ts";
import { Output } from "../show/output.ts";
import { askNames } from "./central/ask-names.ts";
import { readCentralSettings } from "./central/central-settings.ts";
import { bringCountryTables } from "./packages/country-tables.ts";
import { fetchPackages } from "./packages/fetch-packages.ts";
import { installAll } from "./install-all.ts";
import { installCentral } from "./central/install-central.ts";
import { installGateway, uninstallGateway } from "./gateway/install-gateway.ts";
import { installHost } from "./host/install-host.ts";
import type { JoiningRequest } from "./joining.ts";
import { findOwnPackages } from "./packages/package-source.ts";
import { centralFiles } from "./places.ts";
import { checkCentralMachine } from "./preflight.ts";
import { treeRoot } from "./release-tree.ts";
import { uninstallCentral } from "./central/uninstall-central.ts";
import { uninstallHost } from "./host/uninstall-host.ts";

const options = {
  lang: { type: "string" },
  purge: { type: "boolean", default: false },
  "with-projects": { type: "boolean", default: false },
  "no-gateway": { type: "boolean", default: false },
  yes: { type: "boolean", short: "y", default: false },
  central: { type: "string" },
  authority: { type: "string" },
  "token-file": { type: "string" },
  packages: { type: "string" },
  network: { type: "string" },
  architecture: { type: "string", default: process.arch },
  mirror: { type: "string" },
  output: { type: "string" },
  json: { type: "boolean", default: false },
  help: { type: "boolean", short: "h", default: false },
} as const;
interface Context {
  output: Output;
  messages: Messages;
}
type Values = ReturnType<typeof parseArgs<{ options: typeof options; allowPositionals: true }>>["values"];

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
    return await run(positionals.join(" "), values, { output, messages });
  } catch (cause) {
    output.error(output.noteStyle("red", cause instanceof Error ? cause.message : String(cause)));
    return 1;
  }
}

async function run(command: string, values: Values, context: Context): Promise<number> {
  const { output, messages } = context;
  const { install: texts } = messages;
  if (values.help) command = "help";
  switch (command) {
    case "central": {
      const hasGateway = !values["no-gateway"];
      const environment = await nameCluster(values, context);
      const changed = await installCentral({ ...context, environment, hasGateway });
      await showChecks(context);
      await showCentral(changed > 0, { hasGateway }, context);
      return 0;
    }
    case "all": {
      const { confirm } = await joiningRequest("", values, context);
      const changed = await installAll({
        ...context,
        environment: process.env,
        hasGateway: true,
        nameCluster: () => nameCluster(values, context),
        confirm,
      });
      if (changed === null) return nothingDone(context);
      await showChecks(context);
      await showCentral(changed > 0, { hasGateway: true }, context);
      return 0;
    }
    case "host": {
      if (values.central === undefined) break;
      const changed = await installHost(context, await joiningRequest(values.central, values, context));
      if (changed === null) return nothingDone(context);
      await showChecks(context);
      output.line(texts.hostInstalled(changed > 0));
      return 0;
    }
    case "gateway": {
      if (values.central === undefined) break;
      const changed = await installGateway(context, await joiningRequest(values.central, values, context));
      if (changed === null) return nothingDone(context);
      await showChecks(context);
      output.line(texts.farGatewayInstalled(changed > 0));
      return 0;
    }
    case "packages bookworm":
    case "packages trixie": {
      const suite = packageSuites.find((each) => command.endsWith(each));
      const architecture = releaseArchitectures.find((each) => each === values.architecture);
      if (suite === undefined || architecture === undefined) break;
      const made = await fetchPackages({
        suite,
        architecture,
        mirror: values.mirror ?? null,
        output: resolve(values.output ?? dirname(treeRoot)),
        messages,
        say: (step) => output.note(step),
      });
      output.line(texts.packagesFetched(made.file, made.packages, made.sizeBytes));
      output.json(made);
      return 0;
    }
    case "countries": // tijolo-countries.service
      await bringCountryTables(context);
      return 0;
    case "uninstall central":
      await uninstallCentral({ purge: values.purge });
      output.line(texts.centralUninstalled(values.purge));
      return 0;
    case "uninstall gateway":
      await uninstallGateway(context, { purge: values.purge });
      output.line(texts.gatewayUninstalled(values.purge));
      return 0;
    case "uninstall host":
    case "agent uninstall":
      await uninstallHost({
        purge: values.purge,
        withProjects: values["with-projects"],
        refusal: texts.hasProjects,
      });
      output.line(texts.hostUninstalled(values.purge));
      return 0;
    default:
  }
  output.line(texts.help);
  return command === "help" ? 0 : 2;
}

function nothingDone({ output, messages }: Context): number {
  output.line(messages.install.nothingDone);
  return 1;
}

/** Looks at what is installed as `tijolo doctor` does, and shows what is not well. */
async function showChecks({ output, messages }: Context): Promise<void> {
  let well = 0;
  for await (const report of runChecks(ownChecks(process.env), messages)) {
    if (report.status === "ok") well += 1;
    else for (const line of linesOf(report, messages)) output.line(line);
  }
  output.line(messages.install.checked(well));
}

/** Says where all is reached, and what to do next. */
async function showCentral(
  isChanged: boolean,
  { hasGateway }: { hasGateway: boolean },
  { output, messages }: Context,
): Promise<void> {
  const { install: texts } = messages;
  const { listen, siteUrlPattern, panelUrl } = await readCentralSettings({});
  output.line(texts.centralInstalled(listen.api, isChanged));
  if (hasGateway) output.line(texts.gatewayInstalled(siteUrlPattern));
  if (panelUrl === null) output.line(texts.panelIsLocal(listen.api));
  const link = await readFile(join(centralFiles.data, "start-link"), "utf8").catch(() => null);
  if (link !== null) output.line(texts.startLink(link.trim()));
}

async function joiningRequest(
  centralUrl: string,
  values: Values,
  { output, messages }: Context,
): Promise<JoiningRequest> {
  const { install: texts } = messages;
  return {
    centralUrl,
    authorityFile: values.authority ?? null,
    tokenFile: values["token-file"] ?? null,
    packagesFile: values.packages ?? (await findOwnPackages()),
    clusterNetwork: values.network,
    environment: process.env,
    askToken: async () => (await ask(texts.askToken, { isSecret: true })) ?? "",
    async confirm(plan) {
      output.note(plan);
      if (values.yes) return true;
      return /^(?:s|sim|y|yes)$/i.test((await ask(texts.goOn)) ?? "");
    },
  };
}

/**
 * Returns the environment that the first installation of central takes its settings from. A person at a terminal is
 * asked for the names of the cluster, once it is known that the machine can be one.
 */
async function nameCluster(values: Values, { output, messages }: Context): Promise<NodeJS.ProcessEnv> {
  const isFirst = !existsSync(centralFiles.settings);
  if (!isFirst || !process.stdin.isTTY || values.yes || values["no-gateway"]) return process.env;
  await checkCentralMachine(messages);
  return askNames(process.env, { ask, say: (sentence) => output.note(sentence), texts: messages.install });
}

function ask(question: string, options: { isSecret?: boolean } = {}): Promise<string | null> {
  return askLine(
    {
      stdin: process.stdin,
      stderr: process.stderr,
      signal: new AbortController().signal,
      interrupt: () => process.exit(130),
    },
    question,
    options,
  );
}
