/** Waits until a project is where it should be, asking seldom, because questions count against the plan's rate. */

import { setTimeout as delay } from "node:timers/promises";
import { ApiError, type Client, type Project } from "@tijolo/protocol";
import type { CommandContext } from "./command-context.ts";
import { CommandFailure } from "./command-failure.ts";

/** Pauses between questions when nothing else says that something changed; the last one repeats. */
const pausesMs = [150, 300, 700, 1_500, 3_000, 6_000, 10_000];

export interface WatchOptions {
  client: Client;
  projectId: string;
  deadlineMs: number;
  /** Answers true for a state to end with. */
  isDone: (project: Project) => boolean;
  /** Cuts the pause short when something is known to have changed. */
  nudge?: Nudge;
}

/** A bell that one side rings and the other waits for. */
export class Nudge {
  #ring: () => void = () => {};
  #isRung = false;

  ring(): void {
    this.#isRung = true;
    this.#ring();
  }

  ringAfter(ms: number): void {
    setTimeout(() => this.ring(), ms).unref();
  }

  /** Resolves at the next ring, or at once when it rang since the last wait. */
  async wait(): Promise<void> {
    if (!this.#isRung) await new Promise<void>((resolve) => (this.#ring = resolve));
    this.#isRung = false;
  }
}

/** Throws CommandFailure when the deadline passes; the project goes on all the same. */
export async function watchProject(context: CommandContext, options: WatchOptions): Promise<Project> {
  const { clock, messages, signal } = context;
  const nudge = options.nudge ?? new Nudge();
  const endsAt = clock.now() + options.deadlineMs;
  for (let turn = 0; ; turn++) {
    const { project, waitMs } = await ask(options, signal);
    if (project !== null && options.isDone(project)) return project;
    if (clock.now() > endsAt) {
      const status = project === null ? "?" : messages.status[project.status];
      throw new CommandFailure(messages.errors.tookTooLong(Math.round(options.deadlineMs / 1000), status));
    }
    const pauseMs = waitMs ?? pausesMs[Math.min(turn, pausesMs.length - 1)] ?? 1_000;
    await pause(pauseMs, nudge, signal);
  }
}

/** A refusal that passes (rate, server away) is a reason to wait, not to give up. */
async function ask({ client, projectId }: WatchOptions, signal: AbortSignal): Promise<{ project: Project | null; waitMs: number | null }> {
  try {
    const { project } = await client.getProject({ id: projectId }, { signal });
    return { project, waitMs: null };
  } catch (cause) {
    if (!(cause instanceof ApiError) || !cause.mayRetry) throw cause;
    return { project: null, waitMs: (cause.retryAfterSeconds ?? 2) * 1_000 };
  }
}

async function pause(ms: number, nudge: Nudge, signal: AbortSignal): Promise<void> {
  const timer = new AbortController();
  try {
    await Promise.race([delay(ms, undefined, { signal: AbortSignal.any([signal, timer.signal]) }), nudge.wait()]);
  } finally {
    timer.abort();
  }
}
