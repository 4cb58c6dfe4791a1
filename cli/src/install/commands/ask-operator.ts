/** Collects what an installation needs: from the options, from the environment, and by questions. */

import { existsSync } from "node:fs";
import { askLine } from "../../ask/ask-line.ts";
import { askNames } from "../central/ask-names.ts";
import type { InstallContext, OptionValues } from "../command.ts";
import type { JoiningRequest } from "../joining.ts";
import { findOwnPackages } from "../packages/package-source.ts";
import { centralFiles } from "../places.ts";
import { checkCentralMachine } from "../preflight.ts";

/** Returns what a machine joins the cluster with. */
export async function joiningRequest(
  centralUrl: string,
  values: OptionValues,
  { output, messages: { install: texts } }: InstallContext,
): Promise<JoiningRequest> {
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
 * Returns the environment that the first installation of central takes its settings from. An operator at a terminal
 * is asked for the names of the cluster, once it is known that the machine can be central's.
 */
export async function nameCluster(
  values: OptionValues,
  { output, messages }: InstallContext,
): Promise<NodeJS.ProcessEnv> {
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
