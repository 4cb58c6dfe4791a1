/** One actor per project: what is asked of a project happens one at a time, in order of arrival. */

import { AppError } from "@tijolo/protocol";

const maxWaiting = 16;

export class ProjectActors {
  readonly #queues = new Map<string, { tail: Promise<unknown>; waiting: number }>();

  /** Runs `action` after those before it. Throws `project_busy` when too many wait already. */
  async run<Result>(projectId: string, action: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(projectId) ?? { tail: Promise.resolve(), waiting: 0 };
    if (queue.waiting >= maxWaiting) throw new AppError("project_busy");
    this.#queues.set(projectId, queue);
    queue.waiting++;
    const result = queue.tail.then(action);
    queue.tail = result.catch(() => undefined);
    try {
      return await result;
    } finally {
      queue.waiting--;
      if (queue.waiting === 0) this.#queues.delete(projectId);
    }
  }
}
