/** Waits until a project reaches a state, with few requests because of the plan's rate limit. */

import { ApiError, type Client, type Project } from "@tijolo/protocol";
import type { Latch } from "@tijolo/protocol/kit/latch";
import type { CommandContext } from "../command-context.ts";
import { CommandFailure } from "../command-failure.ts";

/** Pauses between requests when nothing else shows that something changed; the last one repeats. */
const pausesMs = [150, 300, 700, 1_500, 3_000, 6_000, 10_000];

export interface WatchOptions<State extends { project: Project }> {
  /** Reads the state. A refusal that passes (rate limit, server unavailable) leads to another read later. */
  look: () => Promise<State>;
  deadlineMs: number;
  /** Returns true for a state to end with. */
  isDone: (state: State) => boolean;
  /** Cuts the pause short when something is known to have changed. */
  nudge: Latch;
}

/** Schedules another request after a while. */
export function nudgeAfter(nudge: Latch, ms: number): void {
  setTimeout(() => nudge.set(), ms).unref();
}

/** Waits for the state. Throws CommandFailure when the deadline passes; the project goes on all the same. */
export async function watchUntil<State extends { project: Project }>(
  context: CommandContext,
  options: WatchOptions<State>,
): Promise<State> {
  const { clock, messages, signal } = context;
  const endsAt = clock.now() + options.deadlineMs;
  for (let turn = 0; ; turn++) {
    const { state, waitMs } = await lookOnce(options.look);
    if (state !== null && options.isDone(state)) return state;
    if (clock.now() > endsAt) {
      const status = state === null ? "?" : messages.status[state.project.status];
      throw new CommandFailure(messages.errors.tookTooLong(Math.round(options.deadlineMs / 1000), status));
    }
    const pauseMs = waitMs ?? pausesMs[Math.min(turn, pausesMs.length - 1)] ?? 1_000;
    await options.nudge.wait({ signal, timeoutMs: pauseMs });
    signal.throwIfAborted();
  }
}

export interface WatchedProject {
  client: Client;
  projectId: string;
  deadlineMs: number;
  isDone: (project: Project) => boolean;
  nudge: Latch;
}

/** Waits likewise where the project alone decides. */
export async function watchProject(context: CommandContext, watched: WatchedProject): Promise<Project> {
  const { client, projectId, isDone, ...options } = watched;
  const { signal } = context;
  const look = () => client.getProject({ id: projectId }, { signal });
  return (await watchUntil(context, { ...options, look, isDone: ({ project }) => isDone(project) })).project;
}

async function lookOnce<State>(
  look: () => Promise<State>,
): Promise<{ state: State | null; waitMs: number | null }> {
  try {
    return { state: await look(), waitMs: null };
  } catch (cause) {
    if (!(cause instanceof ApiError) || !cause.mayRetry) throw cause;
    return { state: null, waitMs: (cause.retryAfterSeconds ?? 2) * 1_000 };
  }
}
