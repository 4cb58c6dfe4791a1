/** Runs tasks one after the other, in the order in which they come. */

export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  /** Runs a task once all earlier ones are over, whatever their result. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const result = this.#tail.then(task);
    this.#tail = result.catch(() => undefined);
    return await result;
  }

  /** Resolves when all tasks queued until now are over, whatever their result. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
