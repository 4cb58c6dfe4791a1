/** Reads one stream forward from a line number, across files that are filled, renamed and deleted. */

import { access, type FileHandle } from "node:fs/promises";
import { isMissing, listStreamFiles, openIfThere, skipLines, type StreamFile } from "../stream-files.ts";

export interface LineChunk {
  /** Number of lines that were deleted, or never could be written, before the first of this chunk. */
  droppedLines: number;
  /** Number of the first line. */
  first: number;
  /** Lines as on disk, with their times; never empty. */
  lines: string[];
}

interface OpenFile extends StreamFile {
  handle: FileHandle;
  offset: number;
  /** True when the file has its final name, so that what it holds now is all. */
  isFinished: boolean;
}

/**
 * Bytes of a small buffer: small while few lines arrive (an idle follower holds six of these), large under a
 * flood.
 */
const smallBytes = 4 * 1024;
const largeBytes = 128 * 1024;

export class ForwardLines {
  /** Number of the next line to deliver. */
  next: number;
  #directory: string;
  #file: OpenFile | null = null;
  #droppedLines = 0;
  #buffer = Buffer.allocUnsafe(smallBytes);

  constructor(directory: string, next: number) {
    this.#directory = directory;
    this.next = next;
  }

  /** Returns the next lines, or null when there are no more for now. One call at a time. */
  async read(): Promise<LineChunk | null> {
    for (;;) {
      this.#file ??= await this.#openNext();
      if (this.#file === null) return null;
      const lines = await this.#readLines(this.#file);
      if (lines !== null) {
        const chunk = { droppedLines: this.#droppedLines, first: this.next, lines };
        this.#droppedLines = 0;
        this.next += lines.length;
        return chunk;
      }
      if (this.#file.last === null && !this.#file.isFinished) {
        if (await isThere(this.#file.path)) return null;
        this.#file.isFinished = true; // renamed after the read above: what was written in between comes with one more
        continue;
      }
      if (this.#file.last !== null) this.next = Math.max(this.next, this.#file.last + 1);
      await this.close();
    }
  }

  async close(): Promise<void> {
    const file = this.#file;
    this.#file = null;
    await file?.handle.close();
  }

  async #openNext(): Promise<OpenFile | null> {
    let seenBefore = "";
    for (;;) {
      const files = await listStreamFiles(this.#directory);
      const found = files.findLast(
        (file) => file.first <= this.next && (file.last === null || file.last >= this.next),
      );
      if (found !== undefined) {
        const handle = await openIfThere(found.path);
        if (handle === null) continue; // renamed or deleted meanwhile
        return await this.#skipTo(found, handle);
      }
      // Two listings must agree, as one that is taken during a rename might miss the file.
      const seen = files.map((file) => file.path).join();
      const isSure = seen === seenBefore;
      seenBefore = seen;
      const later = files.find((file) => file.first > this.next);
      if (later === undefined) {
        const end = (files.at(-1)?.last ?? 0) + 1;
        if (this.next === end) return null;
        // A number beyond the newest line: the machine crashed and lost a tail that had been delivered.
        if (isSure) this.next = end;
      } else if (isSure) {
        this.#droppedLines += later.first - this.next;
        this.next = later.first;
      }
    }
  }

  async #skipTo(file: StreamFile, handle: FileHandle): Promise<OpenFile> {
    const skipped =
      this.next > file.first ? await skipLines(handle, this.next - file.first) : { lines: 0, end: 0 };
    if (file.last === null) this.next = file.first + skipped.lines;
    return { ...file, handle, offset: skipped.end, isFinished: false };
  }

  async #readLines(file: OpenFile): Promise<string[] | null> {
    for (;;) {
      const buffer = this.#buffer;
      const { bytesRead } = await file.handle.read(buffer, 0, buffer.length, file.offset);
      const isFull = bytesRead === buffer.length;
      this.#resize(isFull, bytesRead);
      const end = bytesRead === 0 ? 0 : buffer.lastIndexOf(10, bytesRead - 1) + 1;
      if (end > 0) {
        file.offset += end;
        return buffer.toString("utf8", 0, end - 1).split("\n");
      }
      if (!isFull) return null;
      if (buffer.length === largeBytes) file.offset += bytesRead; // no writer makes such a line: what a crash left is passed over
    }
  }

  #resize(isFull: boolean, bytesRead: number): void {
    if (isFull && this.#buffer.length < largeBytes) this.#buffer = Buffer.allocUnsafeSlow(largeBytes);
    if (bytesRead < smallBytes && this.#buffer.length > smallBytes)
      this.#buffer = Buffer.allocUnsafe(smallBytes);
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}
