/** Reads exact numbers of bytes from a stream of chunks. */

import { OciError } from "./oci-error.ts";

export class ByteReader {
  readonly #chunks: AsyncIterator<Buffer>;
  #current: Buffer = Buffer.alloc(0);

  constructor(source: AsyncIterable<Buffer>) {
    this.#chunks = source[Symbol.asyncIterator]();
  }

  /**
   * Returns the next `size` bytes, or null where the stream ends before the first of them. Throws {@link
   * OciError} where it ends within them.
   */
  async take(size: number): Promise<Buffer | null> {
    if (this.#current.length >= size) return this.#cut(size);
    const pieces: Buffer[] = [];
    let missing = size;
    while (missing > 0) {
      const piece = await this.upTo(missing);
      if (piece === null && missing === size) return null;
      if (piece === null) throw new OciError("mismatch", "a layer ends in the middle");
      pieces.push(piece);
      missing -= piece.length;
    }
    return Buffer.concat(pieces);
  }

  /** Returns at least one byte and at most `size`, as they arrive; null at the end. */
  async upTo(size: number): Promise<Buffer | null> {
    while (this.#current.length === 0) {
      const next = await this.#chunks.next();
      if (next.done === true) return null;
      this.#current = next.value;
    }
    return this.#cut(Math.min(size, this.#current.length));
  }

  /** Skips bytes. Throws {@link OciError} where the stream ends before. */
  async skip(size: number): Promise<void> {
    for (let missing = size; missing > 0;) {
      const piece = await this.upTo(missing);
      if (piece === null) throw new OciError("mismatch", "a layer ends in the middle");
      missing -= piece.length;
    }
  }

  /** Reads to the end. */
  async drain(): Promise<void> {
    while ((await this.upTo(Number.MAX_SAFE_INTEGER)) !== null);
  }

  #cut(size: number): Buffer {
    const piece = this.#current.subarray(0, size);
    this.#current = this.#current.subarray(size);
    return piece;
  }
}
