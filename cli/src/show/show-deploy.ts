/** Reports how a deploy ended, in words and as a document. */

import type { Project } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../command-failure.ts";
import type { Deploy, DeployResult } from "../deploy/deploy.ts";
import { formatLogLine } from "./show-log.ts";
import { printable } from "./printable.ts";
import { formatProject, tellSuccess } from "./show-project.ts";
import { formatReplaced } from "./show-replaced.ts";

/** Reports the result; returns the exit code. */
export function tellDeploy(context: CommandContext, deploy: Deploy, result: DeployResult): number {
  const { messages, output } = context;
  const { project, isStarting, versionNumber, lastLines, end } = result;
  const isWell = hasGoneWell(deploy, result);
  const serving = servingVersionOf(result);
  const replaced = keptOf(result, serving);
  output.json({
    result: end,
    version: versionNumber,
    servingVersion: serving,
    status: project.status,
    error: errorOf(result),
    url: project.url,
    crashes: project.consecutiveCrashes,
    warnings: deploy.warnings ?? [],
    replaced,
    project,
    ...(isWell ? {} : { lastLines }),
  });
  for (const line of replaced === null ? [] : formatReplaced(context, project.id, replaced))
    output.note(line);
  if (isWell) {
    tellSuccess(context, project, { wantedRun: deploy.wantsStart, isStarting });
    if (end === "off") output.line(messages.deploy.staysStopped);
    if (end === "up") output.note(messages.project.followLogs);
    return exitCodes.ok;
  }
  for (const line of failureLines(context, result, serving)) output.line(line);
  if (lastLines.length > 0) output.line(messages.project.lastLines);
  for (const line of lastLines) output.line(`  ${formatLogLine(context, line)}`);
  output.note(messages.project.readLogs);
  return exitCodes.failure;
}

/**
 * Returns the program's files that are kept; those that a version had replaced came back when it was taken
 * back.
 */
function keptOf({ replaced }: DeployResult, serving: number | null): DeployResult["replaced"] {
  return replaced === null || (serving ?? replaced.version) < replaced.version ? null : replaced;
}

/** True for what came up, for a bot that did its work and ended, and for what was not to run. */
function hasGoneWell({ wantsStart }: Deploy, { end, project }: DeployResult): boolean {
  if (end === "up") return true;
  if (end === "off") return !wantsStart;
  if (end !== "ended") return false;
  return !wantsStart || (project.type === "bot" && project.lastExit?.code === 0);
}

function errorOf({ end, project, ...result }: DeployResult): Project["error"] {
  return (end === "failed" ? ownVersionOf(result)?.error : null) ?? project.error;
}

function ownVersionOf({ versions, versionNumber }: Pick<DeployResult, "versions" | "versionNumber">) {
  return versions.find(({ number }) => number === versionNumber);
}

/** Returns the version that serves; null when none does, or when versions cannot be read. */
function servingVersionOf({ versions }: DeployResult): number | null {
  return versions.find(({ isServing }) => isServing)?.number ?? null;
}

function failureLines(context: CommandContext, result: DeployResult, serving: number | null): string[] {
  const { output, messages } = context;
  const { deploy } = messages;
  const { project, versionNumber, end } = result;
  const red = (text: string) => output.style("red", text);
  const error = errorOf(result);
  const reason = error === null ? "" : `${printable(error.message)} (${error.code})`;
  switch (end) {
    case "failed": {
      const isUpdate = versionNumber !== null && versionNumber > 1;
      const headline = isUpdate
        ? deploy.versionDidNotComeUp(versionNumber, reason)
        : deploy.didNotComeUp(project.name);
      const rest =
        serving === null
          ? [...(isUpdate ? [deploy.nothingServes] : []), ...formatProject(context, project)]
          : [
              deploy.stillServes(serving),
              ...(project.url === null ? [] : [messages.project.runsAt(project.url)]),
            ];
      return [red(headline), ...rest];
    }
    case "crashing":
      return [
        red(deploy.keepsCrashing(project.name, project.consecutiveCrashes)),
        ...formatProject(context, project),
      ];
    case "silent":
      return [
        red(
          project.port === null
            ? deploy.notSeenUp(project.name)
            : deploy.notListening(project.name, project.port),
        ),
        ...formatProject(context, project),
      ];
    case "superseded":
      return [red(deploy.superseded(versionNumber ?? 0))];
    case "ended":
      return [
        red(project.lastExit?.code === 0 ? deploy.siteEnded(project.name) : deploy.wasStopped(project.name)),
        ...formatProject(context, project),
      ];
    case "off":
    case "up":
      return [red(deploy.didNotComeUp(project.name)), ...formatProject(context, project)];
  }
}
