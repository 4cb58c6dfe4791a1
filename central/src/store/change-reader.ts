/**
 * Keeps what is read of the database up to date: what changes while something is read is read after it, and a
 * read that failed is tried again.
 */

const retryMs = 1_000;

export interface ChangeReaderOptions {
  /** Returns true while something has changed that was not read. */
  hasChanged: () => boolean;
  /** Reads some of it. What it throws goes to the log, and it is called again a second later. */
  read: () => Promise<void>;
  /** Sentence of the log for a read that failed. */
  failure: string;
  logger: { error(fields: object, sentence: string): void };
}

export class ChangeReader implements AsyncDisposable {
  readonly #options: ChangeReaderOptions;
  #reading: Promise<void> | null = null;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ChangeReaderOptions) {
    this.#options = options;
  }

  /** Must be called when something has changed. */
  wake(): void {
    const { hasChanged, failure, logger } = this.#options;
    if (this.#isClosed || this.#reading !== null || !hasChanged()) return;
    this.#reading = this.#readAll().then(
      () => {
        this.#reading = null;
        this.wake(); // a change may have come after the last look
      },
      (error: unknown) => {
        this.#reading = null;
        logger.error({ err: error }, failure);
        this.#retry = setTimeout(() => this.wake(), retryMs).unref();
      },
    );
  }

  /** Resolves once nothing is being read; what failed is not waited for. */
  async idle(): Promise<void> {
    while (this.#reading !== null) await this.#reading;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#reading;
  }

  async #readAll(): Promise<void> {
    const { hasChanged, read } = this.#options;
    while (hasChanged() && !this.#isClosed) await read();
  }
}
