/**
 * Follows an upload to its end: the log lines as they arrive, then the result, after a failure with the last
 * lines.
 */

import type { Client, LogLine, Project } from "@tijolo/protocol";
import { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { exitCodes } from "../command-failure.ts";
import { formatLogEvent, formatLogLine } from "../show/show-log.ts";
import { outcomeOf, Settling } from "../project/settling.ts";
import { formatProject, tellSuccess } from "../show/show-project.ts";
import { findReplaced, formatReplaced, type Replaced } from "../show/show-replaced.ts";
import { nudgeAfter, watchProject } from "../project/watch-project.ts";

/** Deadline in ms: an install may take 5 minutes, and on a new host an image is built before it. */
const deadlineMs = 15 * 60_000;
const keptLines = 15;

export interface Deploy {
  client: Client;
  /** Project in the upload's response. */
  uploaded: Project;
  /**
   * Newest version with lines before the upload; lines of later versions are the upload's. Null: unknown, and
   * only lines from now on are shown.
   */
  loggedVersion: number | null;
  wantsStart: boolean;
  /** Files of the upload that look like databases. */
  databases: readonly string[];
}

/** Follows the deploy; resolves with the exit code. */
export async function followDeploy(context: CommandContext, deploy: Deploy): Promise<number> {
  const watching = new AbortController();
  const nudge = new Latch();
  const lines: LogLine[] = [];
  const logs = followLogs(context, deploy, {
    signal: AbortSignal.any([context.signal, watching.signal]),
    nudge,
    lines,
  });
  try {
    const project = await watchDeploy(context, deploy, nudge);
    const replaced = await findReplaced(deploy.client, project.id, context.signal);
    return tell(context, deploy, project, { lines, replaced });
  } finally {
    watching.abort();
    await logs;
  }
}

/** Waits for the end; starts what was installed into a stopped project. */
async function watchDeploy(
  context: CommandContext,
  { client, uploaded, wantsStart }: Deploy,
  nudge: Latch,
): Promise<Project> {
  const { signal, output, messages, clock } = context;
  const watch = () => {
    const settling = new Settling(clock, (afterMs) => nudgeAfter(nudge, afterMs));
    const isDone = (project: Project) => {
      output.progress(messages.project.isNow(project.name, messages.status[project.status]));
      return settling.isDone(project);
    };
    return watchProject(context, { client, projectId: uploaded.id, deadlineMs, nudge, isDone });
  };
  const project = await watch();
  if (!wantsStart || project.status !== "stopped" || hasRunAfter(uploaded, project)) return project;
  await client.startProject({ id: project.id }, { signal });
  return await watch();
}

/**
 * True when there is another exit than the upload found: times are compared with the host's clock only, which
 * may differ from central's.
 */
function hasRunAfter(uploaded: Project, { lastExit }: Project): boolean {
  return lastExit !== null && lastExit.exitedAt !== uploaded.lastExit?.exitedAt;
}

/**
 * Shows lines until its signal fires; without logs (host disconnected, too many streams open) only the status
 * is watched.
 */
async function followLogs(
  context: CommandContext,
  { client, uploaded, loggedVersion }: Deploy,
  state: { signal: AbortSignal; nudge: Latch; lines: LogLine[] },
): Promise<void> {
  const query = { lines: loggedVersion === null ? 0 : 1000, follow: true };
  const reconnect = { maxAttempts: 20, minDelayMs: 300, maxDelayMs: 5_000, random: context.random };
  try {
    for await (const event of client.streamLogs(
      { id: uploaded.id, query },
      { signal: state.signal, reconnect },
    )) {
      if (event.event === "status") {
        state.nudge.set();
        continue;
      }
      if (event.event === "log") {
        if (event.data.version <= (loggedVersion ?? 0)) continue;
        state.lines.push(event.data);
        if (state.lines.length > keptLines) state.lines.shift();
      }
      context.output.note(formatLogEvent(context, event));
    }
  } catch {
    // Its own end, or no logs to be had: neither says how the upload ended.
  }
}

function tell(
  context: CommandContext,
  { wantsStart, databases }: Deploy,
  project: Project,
  { lines, replaced }: { lines: readonly LogLine[]; replaced: Replaced | null },
): number {
  const { messages, output } = context;
  const outcome = outcomeOf(project);
  const hasFailed = outcome === "failed";
  output.json({
    project,
    ...(hasFailed ? { lastLines: lines } : {}),
    ...(databases.length > 0 ? { databases } : {}),
    ...(replaced === null ? {} : { replaced }),
  });
  for (const line of replaced === null ? [] : formatReplaced(context, project.id, replaced))
    output.note(line);
  if (!hasFailed) {
    tellSuccess(context, project, wantsStart);
    if (outcome === "running") output.note(messages.project.followLogs);
    return exitCodes.ok;
  }
  if (project.status !== "error" && project.status !== "crash_loop")
    output.line(output.style("red", messages.project.keepsCrashing(project.name)));
  for (const line of formatProject(context, project)) output.line(line);
  if (lines.length > 0) output.line(messages.project.lastLines);
  for (const line of lines) output.line(`  ${formatLogLine(context, line)}`);
  output.note(messages.project.readLogs);
  return exitCodes.failure;
}
