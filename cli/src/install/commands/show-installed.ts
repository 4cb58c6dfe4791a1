/** Shows the result of an installation. */

import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { linesOf, ownChecks, runChecks } from "../../doctor/run-checks.ts";
import { readCentralSettings } from "../central/central-settings.ts";
import type { InstallContext } from "../command.ts";
import { centralFiles } from "../places.ts";

/** Runs the checks of `tijolo doctor` for what is installed, and shows those that are not well. */
export async function showChecks({ output, messages }: InstallContext): Promise<void> {
  let well = 0;
  for await (const report of runChecks(ownChecks(process.env), messages)) {
    if (report.status === "ok") well += 1;
    else for (const line of linesOf(report, messages)) output.line(line);
  }
  output.line(messages.install.checked(well));
}

/** Shows the addresses of central and of its gateway, and what to do next. */
export async function showCentral(
  isChanged: boolean,
  { hasGateway }: { hasGateway: boolean },
  { output, messages: { install: texts } }: InstallContext,
): Promise<void> {
  const { listen, siteUrlPattern, panelUrl } = await readCentralSettings({});
  output.line(texts.centralInstalled(listen.api, isChanged));
  if (hasGateway) output.line(texts.gatewayInstalled(siteUrlPattern));
  if (panelUrl === null) output.line(texts.panelIsLocal(listen.api));
  const link = await readFile(join(centralFiles.data, "start-link"), "utf8").catch(() => null);
  if (link !== null) output.line(texts.startLink(link.trim()));
}

/** Shows that the operator declined the plan; returns the exit code of that. */
export function showNothingDone({ output, messages }: InstallContext): number {
  output.line(messages.install.nothingDone);
  return 1;
}
