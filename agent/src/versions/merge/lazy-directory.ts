/** A directory that is opened, or made, when something is first put into it. */

import type { FileHandle } from "node:fs/promises";

export class LazyDirectory implements AsyncDisposable {
  readonly #open: () => Promise<FileHandle>;
  #held: Promise<FileHandle> | undefined;

  constructor(open: () => Promise<FileHandle>) {
    this.#open = open;
  }

  /** Opens the directory; later calls return the same. */
  hold(): Promise<FileHandle> {
    this.#held ??= this.#open();
    return this.#held;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const held = await this.#held?.catch(() => undefined); // who asked for it was told
    await held?.close();
  }
}
