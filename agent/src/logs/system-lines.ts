/** Writes the agent's own lines to a project's log, in the same files as the log writer's streams. */

import { KeyedQueue } from "@tijolo/protocol/kit";
import { appendLines } from "./append-lines.ts";
import type { LogLimits } from "./writer/log-files.ts";
import { stampLine } from "./line-stamp.ts";

const limits: LogLimits = { fileBytes: 64 * 1024, archives: 3, lineBytes: 4096 };

export class SystemLines {
  /** Queue of pending writes, by directory. */
  readonly #turns = new KeyedQueue();

  /** Appends the text; resolves once it is in the file. Several lines become several lines. */
  append(directory: string, text: string, at: Date): Promise<void> {
    const lines = text.split(/\r?\n/).map((line) => stampLine(at, line.slice(0, limits.lineBytes)));
    return this.#turns.run(directory, () => appendLines(directory, lines, { limits }));
  }
}
