/** How a project looks on a terminal. */

import type { Project, ProjectStatus } from "@tijolo/protocol";
import type { CommandContext } from "./command-context.ts";
import { formatBytes, formatTable, printable } from "./format.ts";
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

/** The line that ends a command which went well. `wantedRun`: it was asked to run, so that being stopped means that it ended. */
export function tellSuccess(context: CommandContext, project: Project, wantedRun: boolean): void {
  const { output, messages } = context;
  const hasEnded = wantedRun && project.status === "stopped" && project.lastExit?.code === 0;
  output.line(hasEnded ? messages.endedByItself(project.name) : messages.isNow(project.name, formatStatus(context, project.status)));
  if (project.status === "running" && project.url !== null) output.line(messages.runsAt(project.url));
}

/** One line per project under a heading. */
export function formatProjects(context: CommandContext, projects: readonly Project[]): string[] {
  const { fields, status } = context.messages;
  const rows = projects.map((project) => [
    printable(project.name),
    status[project.status],
    `${project.memoryMb} MB`,
    project.url ?? "-",
    project.id,
  ]);
  const [heading = "", ...lines] = formatTable([[fields.name, fields.status, fields.memory, fields.address, fields.id], ...rows]);
  return [context.output.style("bold", heading), ...lines];
}

/** Everything that a person wants to know of one project. */
export function formatProject(context: CommandContext, project: Project): string[] {
  const { fields, exit, outOfMemory } = context.messages;
  const { usage, lastExit, error } = project;
  const rows: (readonly [string, string] | null)[] = [
    [fields.name, printable(project.name)],
    [fields.id, project.id],
    [fields.status, formatStatus(context, project.status)],
    error === null ? null : [fields.error, `${printable(error.message)} (${error.code})`],
    [fields.type, `${project.type}, ${project.language} ${project.version}`.trim()],
    project.url === null ? null : [fields.address, project.url],
    [fields.internal, project.internalHost],
    [fields.memory, `${project.memoryMb} MB`],
    usage === null
      ? null
      : [
          fields.usage,
          `${usage.memoryMb} MB, ${usage.cpuPercent}% CPU, ↓${formatBytes(usage.networkInBps, "pt-BR")}/s ↑${formatBytes(usage.networkOutBps, "pt-BR")}/s`,
        ],
    project.startedAt === null ? null : [fields.since, project.startedAt],
    lastExit === null
      ? null
      : [fields.lastExit, exit(lastExit.code, lastExit.exitedAt) + (lastExit.isOutOfMemory ? ` (${outOfMemory})` : "")],
  ];
  return formatTable(rows.filter((row) => row !== null).map(([name, value]) => [context.output.style("bold", `${name}:`), value]));
}
