/** Waits until a project reaches a state, with few requests because of the plan's rate limit. */

import { ApiError, type Client, type Project } from "@tijolo/protocol";
import type { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";

/** Pauses between requests when nothing else shows that something changed; the last one repeats. */
const pausesMs = [150, 300, 700, 1_500, 3_000, 6_000, 10_000];

export interface WatchOptions {
  client: Client;
  projectId: string;
  deadlineMs: number;
  /** Returns true for a state to end with. */
  isDone: (project: Project) => boolean;
  /** Cuts the pause short when something is known to have changed. */
  nudge: Latch;
}

/** Schedules another request after a while. */
export function nudgeAfter(nudge: Latch, ms: number): void {
  setTimeout(() => nudge.set(), ms).unref();
}

/** Waits for the state. Throws CommandFailure when the deadline passes; the project goes on all the same. */
export async function watchProject(context: CommandContext, options: WatchOptions): Promise<Project> {
  const { clock, messages, signal } = context;
  const endsAt = clock.now() + options.deadlineMs;
  for (let turn = 0; ; turn++) {
    const { project, waitMs } = await ask(options, signal);
    if (project !== null && options.isDone(project)) return project;
    if (clock.now() > endsAt) {
      const status = project === null ? "?" : messages.status[project.status];
      throw new CommandFailure(messages.errors.tookTooLong(Math.round(options.deadlineMs / 1000), status));
    }
    const pauseMs = waitMs ?? pausesMs[Math.min(turn, pausesMs.length - 1)] ?? 1_000;
    await options.nudge.wait({ signal, timeoutMs: pauseMs });
    signal.throwIfAborted();
  }
}

/**
 * Asks for the project. A refusal that passes (rate limit, server unavailable) is a reason to wait, not to
 * give up.
 */
async function ask(
  { client, projectId }: WatchOptions,
  signal: AbortSignal,
): Promise<{ project: Project | null; waitMs: number | null }> {
  try {
    const { project } = await client.getProject({ id: projectId }, { signal });
    return { project, waitMs: null };
  } catch (cause) {
    if (!(cause instanceof ApiError) || !cause.mayRetry) throw cause;
    return { project: null, waitMs: (cause.retryAfterSeconds ?? 2) * 1_000 };
  }
}
