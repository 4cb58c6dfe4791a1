/**
 * Reads one stream from its newest line, or from one before it, back to the oldest that is kept, only as far
 * as requested.
 */

import type { FileHandle } from "node:fs/promises";
import { listStreamFiles, openIfThere, skipLines, type StreamFile } from "../stream-files.ts";

export interface BackwardChunk {
  /** Number of the last line. */
  last: number;
  /** Lines as on disk, oldest first; never empty. */
  lines: string[];
}

const firstChunkBytes = 64 * 1024;

export class BackwardLines {
  /** Number of the newest line to be read, as of when it was opened; where there is none, `upTo` or 0. */
  readonly newest: number;
  #older: StreamFile[];
  #handle: FileHandle | null;
  /** Offset in the open file where the lines not yet delivered end. */
  #end: number;
  #last: number;

  private constructor(
    older: StreamFile[],
    current: { handle: FileHandle | null; end: number; last: number },
  ) {
    this.#older = older;
    this.#handle = current.handle;
    this.#end = current.end;
    this.#last = current.last;
    this.newest = current.last;
  }

  /** Opens the stream and skips the lines after `upTo`. */
  static async open(directory: string, upTo = Number.POSITIVE_INFINITY): Promise<BackwardLines> {
    let seenBefore = "";
    for (;;) {
      const files = (await listStreamFiles(directory)).filter((file) => file.first <= upTo);
      const current = files.at(-1);
      const seen = files.map((file) => file.path).join();
      const holdsLast = current !== undefined && (current.last ?? upTo) >= upTo;
      if (Number.isFinite(upTo) && !holdsLast && seen !== seenBefore) {
        seenBefore = seen; // two listings must agree, as one that is taken during a rename might miss the file
        continue;
      }
      if (current === undefined)
        return new BackwardLines([], { handle: null, end: 0, last: Number.isFinite(upTo) ? upTo : 0 });
      if (current.last !== null && current.last <= upTo)
        return new BackwardLines(files, { handle: null, end: 0, last: current.last });
      const handle = await openIfThere(current.path);
      if (handle === null) continue; // it has just got its final name, or was deleted
      const { lines, end } = await skipLines(handle, upTo - current.first + 1);
      return new BackwardLines(files.slice(0, -1), { handle, end, last: current.first - 1 + lines });
    }
  }

  /** Returns the lines before those already returned, or null when there are none. One call at a time. */
  async read(): Promise<BackwardChunk | null> {
    while (this.#end === 0) {
      await this.close();
      const file = this.#older.pop();
      if (file === undefined) return null;
      this.#handle = await openIfThere(file.path);
      if (this.#handle === null) this.#older = []; // deleted meanwhile, and with it all that are older
      this.#end = (await this.#handle?.stat())?.size ?? 0;
      this.#last = file.last ?? this.#last;
    }
    const lines = await this.#readLines();
    const last = this.#last;
    this.#last -= lines.length;
    return { last, lines };
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    await handle?.close();
  }

  async #readLines(): Promise<string[]> {
    for (let size = firstChunkBytes; ; size *= 2) {
      const start = Math.max(0, this.#end - size);
      const buffer = Buffer.allocUnsafe(this.#end - start);
      await this.#handle?.read(buffer, 0, buffer.length, start);
      const from = start === 0 ? 0 : buffer.indexOf(10) + 1;
      if (start > 0 && (from === 0 || from === buffer.length)) continue; // within one line
      const hasNewline = buffer[buffer.length - 1] === 10;
      this.#end = start + from;
      return buffer.toString("utf8", from, buffer.length - (hasNewline ? 1 : 0)).split("\n");
    }
  }
}
