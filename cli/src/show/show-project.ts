/** Shows a project on a terminal. */

import type { Project, ProjectStatus, Usage } from "@tijolo/protocol";
import type { CommandContext } from "../command-context.ts";
import { formatBytes, formatTable } from "./format.ts";
import { printable } from "./printable.ts";
import type { Style } from "./output.ts";

const styles: Record<ProjectStatus, Style> = {
  creating: "cyan",
  installing: "cyan",
  running: "green",
  stopped: "dim",
  restarting: "yellow",
  crash_loop: "red",
  error: "red",
};

export function formatStatus({ messages, output }: CommandContext, status: ProjectStatus): string {
  return output.style(styles[status], messages.status[status]);
}

/**
 * Writes the line that ends a command which went well. `wantedRun`: it was asked to run, so that being
 * stopped means that it ended. `isStarting`: it is a site that does not answer on its port yet.
 */
export function tellSuccess(
  context: CommandContext,
  project: Project,
  { wantedRun, isStarting }: { wantedRun: boolean; isStarting: boolean },
): void {
  const { output, messages } = context;
  const { name, consecutiveCrashes: crashes } = project;
  const hasEnded = wantedRun && project.status === "stopped" && project.lastExit?.code === 0;
  const status = shownStatus(context, project, isStarting);
  if (hasEnded) output.line(messages.project.endedByItself(name));
  else if (project.status === "running" && crashes > 0)
    output.line(messages.project.isUpAfterCrashes(name, status, crashes));
  else output.line(messages.project.isNow(name, status));
  if (project.status === "running" && project.url !== null) output.line(messages.project.runsAt(project.url));
}

/**
 * Returns one line per project under a heading. `startingIds`: sites that do not answer on their port yet.
 */
export function formatProjects(
  context: CommandContext,
  projects: readonly Project[],
  startingIds: readonly string[] = [],
): string[] {
  const { fields, status } = context.messages;
  const rows = projects.map((project) => [
    printable(project.name),
    startingText(context, project, startingIds.includes(project.id)) ?? status[project.status],
    `${project.memoryMb} MB`,
    project.url ?? "-",
    project.id,
  ]);
  const [heading = "", ...lines] = formatTable([
    [fields.name, fields.status, fields.memory, fields.address, fields.id],
    ...rows,
  ]);
  return [context.output.style("bold", heading), ...lines];
}

/** Limits of a project, beside its usage now. */
export interface ProjectLimits {
  memoryMb: number;
  /** Processor limit, 100 = one core; null where there is no process, or it is not known. */
  cpuPercent: number | null;
  diskMb: number;
  /** Disk usage; null until it was measured. */
  diskUsedMb: number | null;
}

/**
 * Returns everything that a person wants to know of one project; `limits` is null unless requested.
 * `isStarting`: it is a site that does not answer on its port yet.
 */
export function formatProject(
  context: CommandContext,
  project: Project,
  { limits = null, isStarting = false }: { limits?: ProjectLimits | null; isStarting?: boolean } = {},
): string[] {
  const { fields, project: texts } = context.messages;
  const { usage, lastExit, error } = project;
  const rows: (readonly [string, string] | null)[] = [
    [fields.name, printable(project.name)],
    [fields.id, project.id],
    [fields.status, shownStatus(context, project, isStarting)],
    error === null ? null : [fields.error, `${printable(error.message)} (${error.code})`],
    [fields.type, `${project.type}, ${project.language} ${project.version}`.trim()],
    project.url === null ? null : [fields.address, project.url],
    [fields.internal, project.internalHost],
    [fields.memory, `${project.memoryMb} MB`],
    usage === null ? null : [fields.usage, formatUsage(context, usage, limits)],
    project.startedAt === null ? null : [fields.since, project.startedAt],
    lastExit === null
      ? null
      : [
          fields.lastExit,
          texts.exit(lastExit.code, lastExit.exitedAt) +
            (lastExit.isOutOfMemory ? ` (${texts.outOfMemory})` : ""),
        ],
  ];
  return formatTable(
    rows
      .filter((row) => row !== null)
      .map(([name, value]) => [context.output.style("bold", `${name}:`), value]),
  );
}

/** Returns what is shown in the place of the status of a site that does not answer on its port yet. */
function startingText(
  { messages }: CommandContext,
  { port }: Pick<Project, "port">,
  isStarting: boolean,
): string | null {
  return isStarting && port !== null ? messages.project.isStarting(port) : null;
}

function shownStatus(context: CommandContext, project: Project, isStarting: boolean): string {
  const starting = startingText(context, project, isStarting);
  return starting === null ? formatStatus(context, project.status) : context.output.style("yellow", starting);
}

function formatUsage({ messages }: CommandContext, usage: Usage, limits: ProjectLimits | null): string {
  const { locale, project: texts } = messages;
  const of = (used: number, limit: number | null | undefined, unit: string) => {
    const amount = (value: number) => `${value.toLocaleString(locale, { maximumFractionDigits: 1 })}${unit}`;
    return limit == null ? amount(used) : texts.of(amount(used), amount(limit));
  };
  const network = `↓${formatBytes(usage.networkInBps, locale)}/s ↑${formatBytes(usage.networkOutBps, locale)}/s`;
  const disk =
    limits === null || limits.diskUsedMb === null
      ? []
      : [texts.diskUse(of(limits.diskUsedMb, limits.diskMb, " MB"))];
  const cpu = `${of(usage.cpuPercent, limits?.cpuPercent, "%")} CPU`;
  return [of(usage.memoryMb, limits?.memoryMb, " MB"), cpu, ...disk, network].join(", ");
}
